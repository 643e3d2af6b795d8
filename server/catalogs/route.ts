import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { SharedAnswers, sendShared } from '../http/shared-answer.ts';
import type { SecurityContact } from '../security/route.ts';
import { dcatCatalog } from './dcat.ts';
import { type HeldLayer, heldLayers } from './held-layer.ts';
import { type StacPlace, stacCatalog, stacCollection, stacItem } from './stac.ts';

/** Documents that are kept compressed: those of a release that many ask for. */
const MOST_KEPT = 64;
const GEOJSON_TYPE = 'application/geo+json; charset=utf-8';

type CatalogServices = Pick<Services, 'engine' | 'catalog'> & {
  readonly publicUrl: string;
  readonly security: SecurityContact;
};

/**
 * GET /stac (the open release as a SpatioTemporal Asset Catalog, with its collections and items below) and GET /data.json (the same
 * as DCAT-US): documents for other catalogs, without a token.
 */
export function catalogRoutes(app: FastifyInstance, { engine, catalog, publicUrl, security }: CatalogServices): void {
  const read = heldLayers(engine, catalog);
  const answers = new SharedAnswers(MOST_KEPT);
  const schema = { hide: true };
  /** Sends a document of the open release. @throws ServiceError not_found where it is none. */
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    make: (place: StacPlace, layers: ReadonlyMap<string, HeldLayer>) => object | null,
    type?: string,
  ) => {
    reply.header('cache-control', 'no-cache');
    const document = make({ origin: publicUrl, release: engine.status().release }, read());
    if (!document) throw new ServiceError('not_found');
    return sendShared(request, reply, answers.of(document, type));
  };
  app.get('/data.json', { schema }, async (request, reply) =>
    send(request, reply, (place, layers) => dcatCatalog(place, [...layers.values()], security.contacts)),
  );
  app.get('/stac', { schema }, async (request, reply) =>
    send(request, reply, (place, layers) => stacCatalog(place, layers.values())),
  );
  app.get('/stac/:collection', { schema }, async (request, reply) => {
    const { collection } = request.params as { readonly collection: string };
    return send(request, reply, (place, layers) => {
      const layer = layers.get(collection);
      return layer ? stacCollection(place, layer) : null;
    });
  });
  app.get('/stac/:collection/:item', { schema }, async (request, reply) => {
    const { collection, item } = request.params as { readonly collection: string; readonly item: string };
    const make = (place: StacPlace, layers: ReadonlyMap<string, HeldLayer>) => {
      const layer = layers.get(collection);
      const source = layer?.sources.find(({ id }) => id === item);
      return layer && source ? stacItem(place, layer, source) : null;
    };
    return send(request, reply, make, GEOJSON_TYPE);
  });
}
