import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered } from '../http/header-schema.ts';
import { parseSearchBody } from '../search/body.ts';
import { readSiteRecord, registerSite, SITE_LIMIT_MS } from './operation.ts';
import { SiteAccepted, SiteBody, SiteParams, SiteRecord } from './schema.ts';

/** POST /v1/sites and GET /v1/sites/{site_id}. */
export function siteRoutes(app: FastifyInstance, services: Services): void {
  app.post<{ Body: SiteBody }>(
    '/v1/sites',
    {
      config: { protected: true, parse: parseSearchBody },
      schema: {
        operationId: 'registerSite',
        tags: ['Sites'],
        summary: 'Register a polygon, to be screened once',
        description:
          'The same polygon, however it is written, is the same site. It is screened in the background, once for all who register it. Every call with a valid polygon is charged, also for a site that is ready; a polygon that is refused is not.',
        security: [{ bearer: [] }],
        body: SiteBody,
        response: {
          202: metered(SiteAccepted),
          ...errorResponses([...BODY_CODES, 'invalid_geometry', 'credits_exhausted', 'sites_busy'], true),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, SITE_LIMIT_MS);
      const accepted = await registerSite(ctx, request.body);
      return reply.code(202).send(accepted);
    },
  );
  app.get<{ Params: SiteParams }>(
    '/v1/sites/:site_id',
    {
      config: { protected: true },
      schema: {
        operationId: 'site',
        tags: ['Sites'],
        summary: 'A registered site',
        description:
          'Whether it is screened, its size and its box. Sites are read only by accounts that registered them.',
        security: [{ bearer: [] }],
        params: SiteParams,
        response: {
          200: SiteRecord,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'site_not_found']),
        },
      },
    },
    (request, reply) => readSiteRecord(contextOf(request, reply, services, SITE_LIMIT_MS), request.params.site_id),
  );
}
