import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered } from '../http/header-schema.ts';
import { parseOptional } from '../http/optional-body.ts';
import type { ListServices } from '../listing/page.ts';
import { ListQuery } from '../listing/schema.ts';
import { parseSearchBody } from '../search/body.ts';
import { DOSSIER_TYPES, dossierText, preferredType } from './dossier-text.ts';
import { forgetSite, listSites, readDossier, readSiteRecord, registerSite, SITE_LIMIT_MS } from './operation.ts';
import { DossierSchema, SiteAccepted, SiteBody, SiteList, SiteParams, SiteRecord } from './schema.ts';

/** POST and GET /v1/sites, GET and DELETE /v1/sites/{site_id}, GET /v1/sites/{site_id}/dossier. */
export function siteRoutes(app: FastifyInstance, services: Services & { readonly lists: ListServices }): void {
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
  app.get<{ Querystring: ListQuery }>(
    '/v1/sites',
    {
      config: { protected: true },
      schema: {
        operationId: 'listSites',
        tags: ['Sites'],
        summary: 'The sites of the account',
        description:
          'The last registered first, until they expire 30 days later. Go on with `next_cursor` until it is null. It costs no credits.',
        security: [{ bearer: [] }],
        querystring: ListQuery,
        response: {
          200: SiteList,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'list_cursor_invalid'], true),
        },
      },
    },
    (request, reply) => listSites(contextOf(request, reply, services, SITE_LIMIT_MS), services.lists, request.query),
  );
  app.get<{ Params: SiteParams }>(
    '/v1/sites/:site_id/dossier',
    {
      config: { protected: true },
      schema: {
        operationId: 'siteDossier',
        tags: ['Sites'],
        summary: 'Everything that was found about a site',
        description:
          'What POST /v1/ask-site answers from. With `Accept: text/csv` a row for each field, with `application/geo+json` the polygon with all of it as properties. It costs no credits.',
        security: [{ bearer: [] }],
        params: SiteParams,
        response: {
          200: DossierSchema,
          ...errorResponses([
            ...AUTH_CODES,
            'rate_limited',
            'state_unavailable',
            'site_not_found',
            'site_not_ready',
            'site_failed',
            'sites_busy',
          ]),
        },
      },
    },
    async (request, reply) => {
      const { site_id } = request.params;
      const read = await readDossier(contextOf(request, reply, services, SITE_LIMIT_MS), site_id);
      const { status, error: reason, dossier, geometry } = read;
      if (status === 'failed') throw new ServiceError('site_failed', { reason: reason ?? 'it ended without a reason' });
      if (dossier === null || geometry === null) throw new ServiceError('site_not_ready');
      const type = preferredType(request.headers.accept);
      const { mime } = DOSSIER_TYPES[type];
      if (type !== 'json') reply.header('vary', 'Accept');
      return reply.type(mime).send(Buffer.from(dossierText(type, site_id, { dossier, geometry })));
    },
  );
  app.delete<{ Params: SiteParams }>(
    '/v1/sites/:site_id',
    {
      config: { protected: true, parse: parseOptional },
      schema: {
        operationId: 'forgetSite',
        tags: ['Sites'],
        summary: 'Forget a site',
        description:
          'The account has it no more: the same polygon can be registered anew. What was found about it goes unless another account has the site. It costs no credits.',
        security: [{ bearer: [] }],
        params: SiteParams,
        response: {
          204: Type.Null({ description: 'Forgotten.' }),
          ...errorResponses([
            ...AUTH_CODES,
            'rate_limited',
            'state_unavailable',
            'body_too_large',
            'unsupported_media_type',
            'site_not_found',
          ]),
        },
      },
    },
    async (request, reply) => {
      await forgetSite(contextOf(request, reply, services, SITE_LIMIT_MS), request.params.site_id);
      return reply.code(204).send();
    },
  );
}
