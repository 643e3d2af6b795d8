import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { clientOf } from '../http/client.ts';
import { contextOf } from '../http/context.ts';
import { sendShared } from '../http/shared-answer.ts';
import { createTiles, type TileAddress } from './operation.ts';
import { tileIndex } from './tile-index.ts';

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
/** Caching for a tile whose URL names the release, because it never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Caching for other tiles, which change with the current release. */
const FOR_A_WHILE = 'public, max-age=60';
const TILE_LIMIT_MS = 10_000;

/** GET /tiles.json and /tiles/{layers}/{z}/{x}/{y}.mvt: the map of the open release. They need no token. */
export function tileRoutes(app: FastifyInstance, services: Services & { readonly publicUrl: string }): void {
  const tileAt = createTiles(services.engine);
  const schema = { hide: true };
  app.get('/tiles.json', { schema }, async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    return tileIndex(services.engine, services.publicUrl);
  });
  app.get<{ Params: TileAddress; Querystring: { release?: unknown } }>(
    '/tiles/:layers/:z/:x/:y.mvt',
    { schema },
    async (request, reply) => {
      const { release } = request.query;
      const { signal } = contextOf(request, reply, services, TILE_LIMIT_MS);
      const named = release === undefined ? undefined : String(release);
      const { bytes, zipped, digest } = await tileAt(request.params, named, `address ${clientOf(request.ip)}`, signal);
      reply.header('cache-control', named === undefined ? FOR_A_WHILE : FOR_GOOD);
      if (bytes.length === 0) return reply.code(204).send();
      const answer = { type: TILE_TYPE, bytes: Buffer.from(bytes), zipped: Buffer.from(zipped), etag: `"${digest}"` };
      return sendShared(request, reply, answer);
    },
  );
}
