import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { takesGzip } from '../http/accept-encoding.ts';
import { noneMatch } from '../http/etag.ts';
import { type TileAddress, tileAt } from './operation.ts';
import { tileIndex } from './tile-index.ts';

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
/** Caching for a tile whose URL names the release, because it never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Caching for other tiles, which change with the current release. */
const FOR_A_WHILE = 'public, max-age=60';

/** GET /tiles.json and /tiles/{layers}/{z}/{x}/{y}.mvt: the map of the open release. They need no token. */
export function tileRoutes(app: FastifyInstance, services: Services & { readonly publicUrl: string }): void {
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
      const named = release === undefined ? undefined : String(release);
      const tile = await tileAt(services.engine, request.params, named);
      reply.header('cache-control', named === undefined ? FOR_A_WHILE : FOR_GOOD);
      if (tile === null) return reply.code(204).send();
      const isZipped = takesGzip(request.headers['accept-encoding']);
      const etag = `"${tile.digest}${isZipped ? '-gzip' : ''}"`;
      reply.header('vary', 'Accept-Encoding').header('etag', etag);
      if (noneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (isZipped) reply.header('content-encoding', 'gzip');
      return reply.type(TILE_TYPE).send(Buffer.from(isZipped ? await tile.zipped() : await tile.plain()));
    },
  );
}
