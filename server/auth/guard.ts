import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { RateLimit } from '../rate/limit.ts';
import { bearerToken } from './bearer.ts';
import type { Caller } from './credential.ts';
import { looksLikeSession, type SessionService } from './session.ts';
import type { TokenService } from './token.ts';

/** Every Authorization header of a request; Node keeps only the first in `headers`. */
function authorizations(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization');
}

/**
 * Judges the token or session of every protected route before its body is read, and counts the request.
 * @param limit null lets every request through.
 */
export function guardRoutes(
  app: FastifyInstance,
  {
    tokens,
    sessions,
    accessTokens,
  }: {
    readonly tokens: TokenService;
    readonly sessions: SessionService;
    /** Of OAuth; null where there are none. */
    readonly accessTokens: { verify(token: string): Promise<Caller> } | null;
  },
  limit: RateLimit | null,
): void {
  app.decorateRequest('account', null);
  app.decorateRequest('credential', null);
  app.addHook('onRequest', async request => {
    const { config } = request.routeOptions;
    if (!config.protected) return;
    const withoutState = config.withoutState === true;
    const bearer = bearerToken(authorizations(request.raw.rawHeaders));
    const { account, credential } = looksLikeSession(bearer)
      ? await sessions.verify(bearer)
      : config.resource && accessTokens && !bearer.includes('.')
        ? await accessTokens.verify(bearer)
        : await tokens.verify(bearer, withoutState);
    request.account = account;
    request.credential = credential;
    await limit?.(account, withoutState);
    if (config.sessionOnly && credential.kind !== 'session') throw new ServiceError('auth_method_not_allowed');
  });
}
