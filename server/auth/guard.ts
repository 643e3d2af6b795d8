import type { FastifyInstance } from 'fastify';
import { bearerToken } from './bearer.ts';
import type { TokenService } from './token.ts';

/** Judges the token of every protected route before its body is read. */
export function guardRoutes(app: FastifyInstance, tokens: TokenService): void {
  app.decorateRequest('account', null);
  app.addHook('onRequest', async request => {
    if (!request.routeOptions.config.protected) return;
    request.account = await tokens.verify(bearerToken(request.raw.headersDistinct.authorization));
  });
}
