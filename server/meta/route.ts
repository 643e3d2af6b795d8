import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { sending } from '../http/header-schema.ts';
import { JSON_TYPE, sendShared, sharedAnswer } from '../http/shared-answer.ts';
import { type CoverageQuery, coverageCatalog } from './coverage.ts';
import { createCatalogDocument, type FieldsQuery, planCatalog } from './operation.ts';
import {
  CoverageQuerySchema,
  CoverageResponse,
  FieldMeta,
  FieldsHeaders,
  FieldsQuerySchema,
  FieldsResponse,
  PlansResponse,
} from './schema.ts';

/** Milliseconds that a request may wait until the parcels of a release are counted. */
const COUNTING_LIMIT_MS = 10_000;

/** GET /v1/meta/fields and /v1/meta/plans. */
export function metaRoutes(app: FastifyInstance, services: Services): void {
  app.addSchema(FieldMeta);
  const document = createCatalogDocument();
  const plans = sharedAnswer(JSON.stringify(planCatalog()), JSON_TYPE);
  const fields: RouteHandlerMethod = async (request, reply) => {
    const ctx = contextOf(request, reply, services, COUNTING_LIMIT_MS);
    const answer = await document(ctx, request.query as FieldsQuery);
    reply.header('cache-control', 'public, max-age=3600');
    return sendShared(request, reply, answer);
  };
  app.get(
    '/v1/meta/fields',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'fieldCatalog',
        tags: ['Catalog'],
        summary: 'Every field with its type, source, presets and price, and whether it can be answered here',
        description: 'Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.',
        security: [],
        headers: FieldsHeaders,
        querystring: FieldsQuerySchema,
        response: {
          200: sending(FieldsResponse, 'ETag', 'Cache-Control'),
          304: sending(
            Type.Null({ description: 'The copy named in `If-None-Match` is current.' }),
            'ETag',
            'Cache-Control',
          ),
          ...errorResponses([], true),
        },
      },
    },
    fields,
  );
  // Fastify's own HEAD would send a 304 with length 0, which is not that of the content (RFC 9110, 8.6).
  app.head('/v1/meta/fields', { schema: { querystring: FieldsQuerySchema } }, fields);
  app.get<{ Querystring: CoverageQuery }>(
    '/v1/meta/coverage',
    {
      schema: {
        operationId: 'coverageCatalog',
        tags: ['Catalog'],
        summary: 'By county: which layers, from whom, how old',
        description: 'Files of a whole state or of the country stand apart: they hold for every county there.',
        security: [],
        querystring: CoverageQuerySchema,
        response: { 200: sending(CoverageResponse, 'Cache-Control'), ...errorResponses([], true) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'public, max-age=3600');
      return coverageCatalog(contextOf(request, reply, services, COUNTING_LIMIT_MS), request.query);
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
    async (request, reply) => sendShared(request, reply, plans),
  );
}
