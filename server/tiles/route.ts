import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONTOUR_UNITS, type ContourUnit } from '../../query/tile/contour-tile.ts';
import type { Services } from '../context.ts';
import { takesGzip } from '../http/accept-encoding.ts';
import { goneSignal } from '../http/context.ts';
import { noneMatch } from '../http/etag.ts';
import type { SearchServices } from '../search/operation.ts';
import type { Imagery } from './imagery.ts';
import { MatchTiles } from './match-tiles.ts';
import { type FoundTile, missing, type TileAddress, tileAt } from './operation.ts';
import { Ground } from './terrain.ts';
import { tileIndex } from './tile-index.ts';

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
/** Caching for a tile whose URL names the release, because it never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Caching for other tiles, which change with the current release. */
const FOR_A_WHILE = 'public, max-age=60';

interface TileQuery {
  readonly release?: unknown;
  readonly unit?: unknown;
}

/** The release that an address names; undefined where it names none. */
const releaseIn = ({ release }: TileQuery) => (release === undefined ? undefined : String(release));

/** The unit of contours that an address names. @throws ServiceError tile_not_found. */
function unitIn({ unit = 'ft' }: TileQuery): ContourUnit {
  if (!(CONTOUR_UNITS as readonly unknown[]).includes(unit)) throw missing('contours are in ft or m');
  return unit as ContourUnit;
}

/** Sends a vector tile in gzip or plain, nothing where nothing lies in it. */
async function sendTile(request: FastifyRequest, reply: FastifyReply, tile: FoundTile | null) {
  if (tile === null) return reply.code(204).send();
  const isZipped = takesGzip(request.headers['accept-encoding']);
  const etag = `"${tile.digest}${isZipped ? '-gzip' : ''}"`;
  reply.header('vary', 'Accept-Encoding').header('etag', etag);
  if (noneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (isZipped) reply.header('content-encoding', 'gzip');
  return reply.type(TILE_TYPE).send(Buffer.from(isZipped ? await tile.zipped() : await tile.plain()));
}

/** Tiles of all parcels that pass filters, at an address that stands for a token. */
function matchRoute(app: FastifyInstance, services: Services & { readonly search: SearchServices }): void {
  const maps = new MatchTiles(services);
  app.get<{ Params: Omit<TileAddress, 'layers'> & { readonly map: string } }>(
    '/tiles/matches/:map/:z/:x/:y.mvt',
    { schema: { hide: true } },
    async (request, reply) => {
      const { map, ...place } = request.params;
      const { tile, expiresAt } = await maps.tile(map, place, goneSignal(reply.raw));
      // Who has the address has the tile until then; nobody between keeps it for others.
      const seconds = Math.max(0, Math.floor((expiresAt - services.clock.now()) / 1000));
      reply.header('cache-control', `private, max-age=${seconds}`);
      return sendTile(request, reply, tile);
    },
  );
}

/** Tiles of the ground: heights that maps shade, and contours. */
function groundRoutes(app: FastifyInstance, services: Services): void {
  const ground = new Ground(services);
  const serve = (path: string, type: string, unitOf: (query: TileQuery) => ContourUnit | null) =>
    app.get<{ Params: Omit<TileAddress, 'layers'>; Querystring: TileQuery }>(
      path,
      { schema: { hide: true } },
      async (request, reply) => {
        const named = releaseIn(request.query);
        const gone = goneSignal(reply.raw);
        const tile = await ground.tile(request.params, unitOf(request.query), named, gone);
        reply.header('cache-control', named === undefined ? FOR_A_WHILE : FOR_GOOD);
        if (tile === null) return reply.code(204).send();
        const etag = `"${tile.digest}"`;
        reply.header('etag', etag);
        if (noneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
        return reply.type(type).send(Buffer.from(tile.bytes));
      },
    );
  serve('/tiles/terrain/:z/:x/:y.png', 'image/png', () => null);
  serve('/tiles/contours/:z/:x/:y.mvt', TILE_TYPE, unitIn);
}

/** GET /tiles.json and /tiles/{layers}/{z}/{x}/{y}.mvt: the map of the open release. They need no token. */
export function tileRoutes(
  app: FastifyInstance,
  services: Services & {
    readonly publicUrl: string;
    readonly search: SearchServices;
    readonly imagery?: Imagery | null;
  },
): void {
  const schema = { hide: true };
  groundRoutes(app, services);
  matchRoute(app, services);
  app.get('/tiles.json', { schema }, async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    return tileIndex(services.engine, services.publicUrl, services.imagery ?? null);
  });
  app.get<{ Params: TileAddress; Querystring: TileQuery }>(
    '/tiles/:layers/:z/:x/:y.mvt',
    { schema },
    async (request, reply) => {
      const named = releaseIn(request.query);
      const tile = await tileAt(services.engine, request.params, named);
      reply.header('cache-control', named === undefined ? FOR_A_WHILE : FOR_GOOD);
      return sendTile(request, reply, tile);
    },
  );
}
