import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { sending } from '../http/header-schema.ts';
import { JSON_TYPE, SharedAnswers, sendShared, sharedAnswer } from '../http/shared-answer.ts';
import { type CoverageQuery, coverageCatalog } from './coverage.ts';
import { createCatalogDocument, type FieldsQuery, planCatalog } from './operation.ts';
import {
  CopyHeaders,
  CoverageQuerySchema,
  CoverageResponse,
  FieldMeta,
  FieldsQuerySchema,
  FieldsResponse,
  PlansResponse,
} from './schema.ts';

/** Milliseconds that a request may wait until the parcels of a release are counted. */
const COUNTING_LIMIT_MS = 10_000;

const UNCHANGED = sending(
  Type.Null({ description: 'The copy named in `If-None-Match` is current.' }),
  'ETag',
  'Cache-Control',
);
const REVALIDATED = 'Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.';

/** GET /v1/meta/fields, /v1/meta/coverage and /v1/meta/plans. */
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
        description: REVALIDATED,
        security: [],
        headers: CopyHeaders,
        querystring: FieldsQuerySchema,
        response: {
          200: sending(FieldsResponse, 'ETag', 'Cache-Control'),
          304: UNCHANGED,
          ...errorResponses([], true),
        },
      },
    },
    fields,
  );
  // Fastify's own HEAD would send a 304 with length 0, which is not that of the content (RFC 9110, 8.6).
  app.head('/v1/meta/fields', { schema: { querystring: FieldsQuerySchema } }, fields);
  const coverages = new SharedAnswers();
  const coverage: RouteHandlerMethod = async (request, reply) => {
    const ctx = contextOf(request, reply, services, COUNTING_LIMIT_MS);
    const answer = coverages.of(await coverageCatalog(ctx, request.query as CoverageQuery));
    reply.header('cache-control', 'public, max-age=3600');
    return sendShared(request, reply, answer);
  };
  app.get(
    '/v1/meta/coverage',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'coverageCatalog',
        tags: ['Catalog'],
        summary: 'By county: which layers, from whom, how old',
        description: `Files of a whole state or of the country stand apart: they hold for every county there. ${REVALIDATED}`,
        security: [],
        headers: CopyHeaders,
        querystring: CoverageQuerySchema,
        response: {
          200: sending(CoverageResponse, 'ETag', 'Cache-Control'),
          304: UNCHANGED,
          ...errorResponses([], true),
        },
      },
    },
    coverage,
  );
  app.head('/v1/meta/coverage', { schema: { querystring: CoverageQuerySchema } }, coverage);
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
