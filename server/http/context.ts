import type { FastifyRequest } from 'fastify';
import type { Account, Ctx, Services } from '../context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs a bearer token. */
    protected?: boolean;
  }
  interface FastifyRequest {
    /** Set by the guard on protected routes. */
    account: Account | null;
  }
}

/**
 * What an operation may know of a request.
 * @param limitMs milliseconds from now until its deadline.
 */
export function contextOf(request: FastifyRequest, services: Services, limitMs: number): Ctx {
  const { engine, catalog, cache, clock } = services;
  return {
    engine,
    catalog,
    cache,
    clock,
    account: request.account,
    signal: request.signal,
    deadline: clock.now() + limitMs,
    requestId: request.id,
  };
}
