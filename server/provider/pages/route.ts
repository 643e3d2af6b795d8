import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { StateStore } from '../../state/store.ts';
import { BACK_PATH } from '../clients.ts';
import type { EmbeddedProvider } from '../embedded.ts';
import { SIGN_IN_PATH } from '../openid.ts';
import { signInServices } from '../sign-in.ts';
import { federatedSignIn } from './federated-sign-in.ts';
import { formScope } from './form-scope.ts';
import { interactionPages } from './interaction.ts';
import { ownSignIn } from './own-sign-in.ts';
import { passwordPages } from './password.ts';
import { END_TOKENS_PATH, NEW_PASSWORD_PATH, PASSWORD_PATH } from './password-page.ts';

/** The sign-in pages. They work without scripts and are not part of the API. */
export function signInPages(
  app: FastifyInstance,
  {
    embedded,
    state,
    clock,
    mailer,
  }: {
    readonly embedded: EmbeddedProvider;
    readonly state: StateStore;
    readonly clock: Clock;
    readonly mailer: Mailer;
  },
): void {
  const { federation } = embedded;
  const services = signInServices(state, clock);
  const federated = federation && federatedSignIn(embedded, federation, state, clock);
  const interaction = interactionPages(embedded, services, federated);
  const own = federated ?? ownSignIn(app, embedded);
  formScope(app, scope => {
    const schema = { hide: true };
    scope.get(SIGN_IN_PATH, { schema }, (request, reply) => own.begin(request, reply));
    scope.get(BACK_PATH, { schema }, own.end);
    scope.get(`${SIGN_IN_PATH}/:uid`, { schema }, interaction.show);
    scope.post(`${SIGN_IN_PATH}/:uid`, { schema }, interaction.submit);
    // The external provider has the passwords.
    if (federated) return;
    const password = passwordPages({ ...services, mailer, issuer: embedded.issuer }, embedded);
    scope.get(PASSWORD_PATH, { schema }, password.ask);
    scope.post(PASSWORD_PATH, { schema }, password.send);
    scope.get(NEW_PASSWORD_PATH, { schema }, password.open);
    scope.post(NEW_PASSWORD_PATH, { schema }, password.set);
    scope.post(END_TOKENS_PATH, { schema }, password.endTokens);
  });
}
