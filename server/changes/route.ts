import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { CHANGES_LIMIT_MS, type ChangesQuery, type ChangesServices, changesSince } from './operation.ts';
import { ChangesQuerySchema, ChangesResponseSchema } from './schema.ts';

/** GET /v1/changes. */
export function changesRoutes(app: FastifyInstance, services: Services & { readonly changes: ChangesServices }): void {
  app.get<{ Querystring: ChangesQuery }>(
    '/v1/changes',
    {
      config: { protected: true, withoutState: true },
      schema: {
        operationId: 'changes',
        tags: ['Catalog'],
        summary: 'What changed since a release',
        description:
          'How many rows of each layer were added, removed and changed since a release, and, of the `fields` that are named, old and new value of each parcel where they differ. Parcels go by their keys, which stay through new numbers, splits and merges. Layers come on the first pages, parcels after them: go on with `next_cursor` until it is null. Pages are of one pair of releases, whatever is published meanwhile. It costs no credits.',
        security: [{ bearer: [] }],
        querystring: ChangesQuerySchema,
        response: {
          200: ChangesResponseSchema,
          ...errorResponses(
            [
              ...AUTH_CODES,
              'rate_limited',
              'state_unavailable',
              'worker_stopped',
              'fields_unknown',
              'fields_too_many',
              'release_not_kept',
              'changes_cursor_invalid',
              'changes_unavailable',
            ],
            true,
          ),
        },
      },
    },
    (request, reply) =>
      changesSince(contextOf(request, reply, services, CHANGES_LIMIT_MS), services.changes, request.query),
  );
}
