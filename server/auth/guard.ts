import type { FastifyInstance } from 'fastify';
import type { RateLimit } from '../rate/limit.ts';
import { bearerToken } from './bearer.ts';
import type { TokenService } from './token.ts';

/** Every Authorization header of a request; Node keeps only the first in `headers`. */
function authorizations(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization');
}

/**
 * Judges the token of every protected route before its body is read, and counts the request.
 * @param limit null lets every request through.
 */
export function guardRoutes(app: FastifyInstance, tokens: TokenService, limit: RateLimit | null): void {
  app.decorateRequest('account', null);
  app.addHook('onRequest', async request => {
    if (!request.routeOptions.config.protected) return;
    const withoutState = request.routeOptions.config.withoutState === true;
    request.account = await tokens.verify(bearerToken(authorizations(request.raw.rawHeaders)), withoutState);
    await limit?.(request.account, withoutState);
  });
}
