import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { parseOptional } from '../http/optional-body.ts';
import type { SearchServices } from '../search/operation.ts';
import { TemplateBody, TemplateList, TemplateParams, TemplateRecord } from './template-schema.ts';
import { deleteTemplate, listTemplates, putTemplate } from './templates.ts';

const common = { tags: ['Sets of parcels'], security: [{ bearer: [] }] };
const READ_CODES = [...AUTH_CODES, 'rate_limited', 'state_unavailable'] as const;
const LIMIT_MS = 10_000;

/** GET /v1/buildable/templates, PUT and DELETE /v1/buildable/templates/{template}. */
export function templateRoutes(app: FastifyInstance, services: Services & { readonly search: SearchServices }): void {
  app.get(
    '/v1/buildable/templates',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'listTemplates',
        summary: 'The templates of buildable ground',
        description: 'Those that every account has, and the account’s own. Free.',
        response: { 200: TemplateList, ...errorResponses(READ_CODES) },
      },
    },
    (request, reply) => listTemplates(contextOf(request, reply, services, LIMIT_MS)),
  );
  app.put<{ Params: TemplateParams; Body: TemplateBody }>(
    '/v1/buildable/templates/:template',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'putTemplate',
        summary: 'Make a template of buildable ground',
        description:
          'Its name stands for its exclusions and numbers in `template` of POST /v1/buildable. It takes the place of an own one of the same name. Free.',
        params: TemplateParams,
        body: TemplateBody,
        response: {
          200: TemplateRecord,
          ...errorResponses([...BODY_CODES, 'invalid_request', 'search_invalid_request', 'templates_too_many'], true),
        },
      },
    },
    (request, reply) =>
      putTemplate(
        contextOf(request, reply, services, LIMIT_MS),
        services.search,
        request.params.template,
        request.body,
      ),
  );
  app.delete<{ Params: TemplateParams }>(
    '/v1/buildable/templates/:template',
    {
      config: { protected: true, parse: parseOptional },
      schema: {
        ...common,
        operationId: 'deleteTemplate',
        summary: 'Delete a template of buildable ground',
        description: 'Only an own one. Free.',
        params: TemplateParams,
        response: {
          204: Type.Null({ description: 'Deleted.' }),
          ...errorResponses([
            ...READ_CODES,
            'template_not_found',
            'invalid_request',
            'body_too_large',
            'unsupported_media_type',
          ]),
        },
      },
    },
    async (request, reply) => {
      await deleteTemplate(contextOf(request, reply, services, LIMIT_MS), request.params.template);
      return reply.code(204).send();
    },
  );
}
