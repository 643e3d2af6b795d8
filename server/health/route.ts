import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { sending } from '../http/header-schema.ts';
import type { Replica } from '../replica/replica-state.ts';
import type { Lifecycle } from './operation.ts';
import { health, readiness } from './operation.ts';
import { HealthResponse, ReadyResponse } from './schema.ts';

interface HealthServices extends Services {
  readonly lifecycle: Lifecycle;
  readonly replica?: Pick<Replica, 'state'> | null;
}

/** GET /healthz and /readyz. */
export function healthRoutes(app: FastifyInstance, services: HealthServices): void {
  const refusals = errorResponses(['not_ready']);
  app.get(
    '/healthz',
    {
      config: { unlimited: true },
      schema: {
        operationId: 'health',
        tags: ['Service'],
        summary: 'Whether the process runs',
        security: [],
        response: { 200: sending(HealthResponse, 'Cache-Control') },
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
      config: { unlimited: true },
      schema: {
        operationId: 'readiness',
        tags: ['Service'],
        summary: 'Whether it can answer: release, datasets and workers',
        security: [],
        response: {
          200: sending(ReadyResponse, 'Cache-Control'),
          ...refusals,
          503: sending(refusals[503]!, 'Retry-After', 'Cache-Control'),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return readiness(contextOf(request, reply, services, 1_000), services.lifecycle, services.replica?.state ?? null);
    },
  );
}
