import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Ctx, Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { tileIndex } from '../tiles/tile-index.ts';
import { collectionDocument, collectionNamed, collectionReader, QUERYABLES, queryablesDocument } from './collection.ts';
import type { FeatureCursors } from './cursor.ts';
import { ITEMS_LIMIT_MS, itemOf, itemsOf } from './items.ts';
import { conformanceDocument, landingDocument } from './landing.ts';
import { documentQuery, type Parameters } from './query.ts';
import { CRS84, MERCATOR } from './reference-system.ts';
import { FeatureCollection, GeoJsonFeature, ITEM_QUERY, ITEMS_QUERY, OgcDocument } from './schema.ts';
import { GRID, gridDocument, gridsDocument, tileSetDocument, tileSetsDocument } from './tile-set.ts';

/** The services that features need beside those of every request. */
export interface OgcServices {
  readonly cursors: FeatureCursors;
}

const CODES = [...AUTH_CODES, 'rate_limited', 'state_unavailable', 'ogc_invalid_request', 'ogc_not_found'] as const;

/** Parameters in the path of a document. */
interface Named {
  readonly collectionId?: string;
  readonly tileMatrixSetId?: string;
}

/** Parameters in the path of features. */
interface ItemParams {
  readonly collectionId: string;
  readonly featureId: string;
}

/** Checks are the operations' own: the standard wants 400 where a validator would answer 422. */
const unchecked = { validatorCompiler: () => () => true };

/** GET /v1/ogc and what is below it: OGC API Features and Tiles over the layers of the open release. */
export function ogcRoutes(
  app: FastifyInstance,
  services: Services & { readonly publicUrl: string; readonly ogc: OgcServices },
): void {
  const { engine, catalog, publicUrl } = services;
  const base = `${publicUrl}/v1/ogc`;
  const collections = collectionReader(engine, catalog);
  const config = { protected: true, withoutState: true } as const;

  const describe = (id: string, summary: string, response: TSchema, more: object = {}) => ({
    operationId: `ogc${id}`,
    tags: ['OGC API'],
    summary,
    security: [{ bearer: [] }],
    ...more,
    response: {
      200: response,
      ...errorResponses([...CODES, 'release_not_kept', 'ogc_unavailable', 'worker_stopped'], true),
    },
  });

  const document = (
    path: string,
    id: string,
    summary: string,
    answer: (named: Named) => object,
    type = 'application/json',
  ) =>
    app.get<{ Querystring: Parameters; Params: Named }>(
      `/v1/ogc${path}`,
      { ...unchecked, config, schema: describe(id, summary, OgcDocument) },
      async (request, reply) => {
        documentQuery(request.query);
        const body = answer(request.params);
        return reply.type(type).send(body);
      },
    );

  document('', 'Landing', 'The first page of the OGC API', () => landingDocument(publicUrl, base));
  document('/conformance', 'Conformance', 'The classes of the standards that are met', conformanceDocument);
  document('/collections', 'Collections', 'The layers of the release as collections of features', () => ({
    links: [{ rel: 'self', type: 'application/json', title: 'This document', href: `${base}/collections` }],
    collections: [...collections().values()].map(one => collectionDocument(one, base)),
  }));
  document('/collections/:collectionId', 'Collection', 'One collection', ({ collectionId: id }) =>
    collectionDocument(collectionNamed(collections(), id!), base),
  );
  document(
    '/collections/:collectionId/queryables',
    'Queryables',
    'The properties that a filter can ask for',
    ({ collectionId: id }) => queryablesDocument(collectionNamed(collections(), id!), base),
    'application/schema+json',
  );
  document('/tiles', 'TileSets', 'The sets of vector tiles', () => tileSetsDocument(base));
  document('/tileMatrixSets', 'Grids', 'The grids of tiles', () => gridsDocument(base));
  const requireGrid = (id: string | undefined) => {
    if (id !== GRID) throw new ServiceError('ogc_not_found', { what: 'tile set', advice: `There is one: ${GRID}.` });
  };
  document('/tiles/:tileMatrixSetId', 'TileSet', 'The vector tiles of the map', ({ tileMatrixSetId: id }) => {
    requireGrid(id);
    return tileSetDocument(base, tileIndex(engine, publicUrl, null));
  });
  document(
    '/tileMatrixSets/:tileMatrixSetId',
    'Grid',
    'The definition of a grid of tiles',
    ({ tileMatrixSetId: id }) => {
      requireGrid(id);
      return gridDocument();
    },
  );

  const items = (
    path: string,
    schema: object,
    answer: (ctx: Ctx, params: ItemParams, query: Parameters) => ReturnType<typeof itemsOf>,
  ) =>
    app.get<{ Querystring: Parameters; Params: ItemParams }>(
      `/v1/ogc/collections/:collectionId/items${path}`,
      { ...unchecked, config, schema },
      async (request: FastifyRequest<{ Querystring: Parameters; Params: ItemParams }>, reply: FastifyReply) => {
        const ctx = contextOf(request, reply, services, ITEMS_LIMIT_MS);
        const { text, mercator } = await answer(ctx, request.params, request.query);
        return reply
          .header('content-crs', `<${mercator ? MERCATOR : CRS84}>`)
          .header('link', `<${base}/collections/${request.params.collectionId}/queryables>; rel="${QUERYABLES}"`)
          .type('application/geo+json')
          .serializer((body: unknown) => body as string)
          .send(text);
      },
    );
  items(
    '',
    describe('Items', 'Features of a collection', FeatureCollection, {
      description:
        'In stored order, as GeoJSON. Filters are CQL2 (`filter`, `filter-lang`). The link `next` goes on; without it the page is the last. `numberMatched` is there where it is known without counting.',
      querystring: ITEMS_QUERY,
    }),
    (ctx, { collectionId: id }, query) =>
      itemsOf(ctx, { cursors: services.ogc.cursors, base }, collectionNamed(collections(), id), query),
  );
  items(
    '/:featureId',
    describe('Item', 'One feature', GeoJsonFeature, { querystring: ITEM_QUERY }),
    (ctx, { collectionId: id, featureId }, query) =>
      itemOf(ctx, base, collectionNamed(collections(), id), featureId, query),
  );
}
