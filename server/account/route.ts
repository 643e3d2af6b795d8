import type { FastifyInstance } from 'fastify';
import type { AppServices } from '../app-services.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { sending } from '../http/header-schema.ts';
import { readUsage } from './operation.ts';
import { UsageResponse } from './schema.ts';

const USAGE_LIMIT_MS = 5_000;

/** GET /v1/users/me/usage. */
export function accountRoutes(app: FastifyInstance, services: AppServices): void {
  app.get(
    '/v1/users/me/usage',
    {
      config: { protected: true },
      schema: {
        operationId: 'usage',
        tags: ['Account'],
        summary: 'Credits used this month',
        security: [{ bearer: [] }],
        response: {
          200: sending(UsageResponse, 'Cache-Control'),
          ...errorResponses(['auth_missing', 'auth_malformed', 'auth_invalid', 'rate_limited', 'state_unavailable']),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return readUsage(contextOf(request, reply, services, USAGE_LIMIT_MS));
    },
  );
}
