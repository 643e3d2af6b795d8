import type { FastifyInstance } from 'fastify';
import { errors } from 'oidc-provider';
import { ServiceError } from '../../errors/registry.ts';
import { failureHandler } from '../../http/failure.ts';
import { pageHeaders } from './page.ts';
import { notePage } from './sign-in-page.ts';

/** Most bytes of a form. */
const FORM_LIMIT = 16 * 1024;

/** Registers routes of pages with forms: they read form bodies, and show refusals as pages. */
export function formScope(app: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.addHook('preValidation', async request => {
      request.body ??= {};
    });
    const otherwise = failureHandler(FORM_LIMIT);
    scope.setErrorHandler((error, request, reply) => {
      const unavailable = error instanceof errors.TemporarilyUnavailable;
      const refusal = unavailable ? new ServiceError('state_unavailable') : error;
      if (!(refusal instanceof ServiceError)) return otherwise(error, request, reply);
      if (typeof refusal.retryAfter === 'number') reply.header('retry-after', refusal.retryAfter);
      return reply
        .code(refusal.kind.status)
        .headers(pageHeaders())
        .send(notePage('This did not work', refusal.message));
    });
    routes(scope);
  });
}
