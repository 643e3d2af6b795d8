import type { FastifyInstance } from 'fastify';
import { errors } from 'oidc-provider';
import type { AppServices } from '../../app-services.ts';
import { ServiceError } from '../../errors.ts';
import { failureHandler } from '../../http/failure.ts';
import { BACK_PATH } from '../clients.ts';
import { SIGN_IN_PATH } from '../openid.ts';
import { signInServices } from '../sign-in.ts';
import { interactionPages } from './interaction.ts';
import { ownSignIn } from './own-sign-in.ts';
import { pageHeaders } from './page.ts';
import { passwordPages } from './password.ts';
import { NEW_PASSWORD_PATH, PASSWORD_PATH } from './password-page.ts';
import { notePage } from './sign-in-page.ts';

/** Bytes of a form. */
const FORM_LIMIT = 16 * 1024;

/** Pages of people: they work without scripts and are no part of the API. */
export function signInPages(app: FastifyInstance, { embedded, state, clock, mailer }: AppServices): void {
  if (!embedded) return;
  const services = signInServices(state, clock);
  const interaction = interactionPages(embedded, services);
  const password = passwordPages({ ...services, mailer, issuer: embedded.issuer });
  const own = ownSignIn(app, embedded);
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
    const schema = { hide: true };
    scope.get(SIGN_IN_PATH, { schema }, own.begin);
    scope.get(BACK_PATH, { schema }, own.end);
    scope.get(`${SIGN_IN_PATH}/:uid`, { schema }, interaction.show);
    scope.post(`${SIGN_IN_PATH}/:uid`, { schema }, interaction.submit);
    scope.get(PASSWORD_PATH, { schema }, password.ask);
    scope.post(PASSWORD_PATH, { schema }, password.send);
    scope.get(NEW_PASSWORD_PATH, { schema }, password.open);
    scope.post(NEW_PASSWORD_PATH, { schema }, password.set);
  });
}
