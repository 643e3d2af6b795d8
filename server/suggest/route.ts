import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { SUGGEST_LIMIT_MS, suggestFor } from './operation.ts';
import { SuggestQuery, SuggestResponse } from './schema.ts';

/** GET /v1/suggest. */
export function suggestRoutes(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: SuggestQuery }>(
    '/v1/suggest',
    {
      config: { protected: true, guests: true, typing: true },
      schema: {
        operationId: 'suggest',
        tags: ['Addresses'],
        summary: 'What a text that is being typed may mean',
        description:
          'Addresses, parcel numbers, owners, streets and places of the release that begin with the text; where these are too few, also those that do so but for one typing error. What fits better comes first, then what is nearer. A coordinate in either order is a place. What the release does not hold is not suggested. Costs no credits; 600 a minute beside the limit of the plan.',
        security: [{ bearer: [] }],
        querystring: SuggestQuery,
        response: {
          200: SuggestResponse,
          ...errorResponses(
            [...AUTH_CODES, 'rate_limited', 'state_unavailable', 'worker_stopped', 'fetch_busy', 'suggest_unavailable'],
            true,
          ),
        },
      },
    },
    (request, reply) => suggestFor(contextOf(request, reply, services, SUGGEST_LIMIT_MS), request.query),
  );
}
