import type { FastifyInstance } from 'fastify';
import type { AppServices } from '../app.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { health, readiness } from './operation.ts';
import { HealthResponse, ReadyResponse } from './schema.ts';

/** GET /healthz and /readyz. */
export function healthRoutes(app: FastifyInstance, services: AppServices): void {
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'health',
        tags: ['Service'],
        summary: 'Whether the process runs',
        security: [],
        response: { 200: HealthResponse },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return health();
    },
  );
  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'readiness',
        tags: ['Service'],
        summary: 'Whether it can answer: release, datasets and workers',
        security: [],
        response: { 200: ReadyResponse, ...errorResponses(['not_ready']) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return readiness(contextOf(request, reply, services, 1_000));
    },
  );
}
