import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AppServices } from '../app.ts';
import { contextOf } from '../http/context.ts';
import { noneMatch } from '../http/etag.ts';
import { createCatalogDocument, planCatalog } from './operation.ts';
import { FieldMeta, FieldsResponse, PlansResponse } from './schema.ts';

/** GET /v1/meta/fields and /v1/meta/plans. */
export function metaRoutes(app: FastifyInstance, services: AppServices): void {
  app.addSchema(FieldMeta);
  const document = createCatalogDocument();
  app.get(
    '/v1/meta/fields',
    {
      schema: {
        operationId: 'fieldCatalog',
        tags: ['Catalog'],
        summary: 'Every field with its type, source, presets and price',
        description: 'Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.',
        security: [],
        response: {
          200: FieldsResponse,
          304: Type.Null({ description: 'The copy named in `If-None-Match` is current.' }),
        },
      },
    },
    async (request, reply) => {
      const { text, etag } = document(contextOf(request, reply, services, 1_000));
      reply.header('etag', etag).header('cache-control', 'public, max-age=3600');
      if (noneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').serializer(String).send(text);
    },
  );
  app.get(
    '/v1/meta/plans',
    {
      schema: {
        operationId: 'planCatalog',
        tags: ['Catalog'],
        summary: 'Plans and credit prices',
        security: [],
        response: { 200: PlansResponse },
      },
    },
    async () => planCatalog(),
  );
}
