import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { type OperatorServices, operatorPlaces } from './operation.ts';
import { PlacesResponse } from './schema.ts';

const LIMIT_MS = 5_000;

/** The endpoint of what operators see. */
export function operatorRoutes(app: FastifyInstance, services: Services & OperatorServices): void {
  app.get(
    '/v1/operator/places',
    {
      config: { protected: true, sessionOnly: true },
      schema: {
        operationId: 'operator_places',
        tags: ['Account'],
        summary: 'How the refresh of each place stands, for operators',
        response: {
          200: PlacesResponse,
          ...errorResponses([
            ...AUTH_CODES,
            'auth_method_not_allowed',
            'operator_only',
            'rate_limited',
            'state_unavailable',
          ]),
        },
      },
    },
    (request, reply) => operatorPlaces(contextOf(request, reply, services, LIMIT_MS), services),
  );
}
