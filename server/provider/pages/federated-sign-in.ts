import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import type { Clock } from '../../clock.ts';
import { clientOf } from '../../http/client.ts';
import { throttled } from '../../rate/throttle.ts';
import type { StateStore } from '../../state/store.ts';
import { BACK_PATH } from '../clients.ts';
import type { EmbeddedProvider } from '../embedded.ts';
import type { Federation } from '../federation.ts';
import { pageHeaders } from './page.ts';
import { signInCookie } from './sign-in-cookie.ts';
import { notePage, signedInPage } from './sign-in-page.ts';

/** Signs people in at an external provider: to show the session, or within an authorization. */
export function federatedSignIn(
  embedded: EmbeddedProvider,
  federation: Federation,
  { attempts }: StateStore,
  clock: Clock,
) {
  /** Ends the sign-in of an authorization. @returns the next URL; null when the authorization is over. */
  const finish = async (uid: string, result: InteractionResults): Promise<string | null> => {
    const { provider } = await embedded.openid();
    const interaction = await provider.Interaction.find(uid);
    if (!interaction) return null;
    interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
    return interaction.returnTo;
  };
  return {
    /** @param uid of the authorization; empty for none. @param anew whether a new sign-in is forced at the provider. */
    async begin(request: FastifyRequest, reply: FastifyReply, uid = '', anew = false) {
      const { url, checks } = await federation.begin(anew);
      const cookie = await signInCookie(embedded, request, reply);
      // The way back is outside the paths that the authorization's own cookies are sent to.
      if (uid !== '') embedded.interactions.copy({ request, reply }, BACK_PATH);
      cookie.write([checks.verifier, checks.state, checks.nonce, uid]);
      return reply.headers(pageHeaders()).redirect(url, 303);
    },
    async end(request: FastifyRequest, reply: FastifyReply) {
      const cookie = await signInCookie(embedded, request, reply);
      const [verifier, state, nonce, uid = ''] = cookie.read();
      reply.headers(pageHeaders());
      const query = new URL(request.raw.url!, embedded.issuer).searchParams;
      if (!verifier || !state || !nonce || query.get('state') !== state)
        return reply.code(400).send(notePage('Sign in', 'This sign-in is over, or was begun in another browser.'));
      cookie.write(null);
      // Each answer is a question to the provider, which would refuse all of them after too many.
      const wait = await throttled(attempts, clock, { 'federation for a client': clientOf(request.ip) });
      if (wait)
        return reply
          .code(429)
          .header('retry-after', wait.seconds)
          .send(notePage('Sign in', `Too many sign-ins from here: wait ${wait.seconds} seconds.`));
      const signedIn = await federation.end(query, { verifier, state, nonce });
      if (uid === '') {
        if (!signedIn) return reply.send(notePage('Not signed in', 'The provider signed nobody in.'));
        return reply.headers(pageHeaders(null, true)).send(signedInPage(signedIn.account.email, signedIn.session, {}));
      }
      const result: InteractionResults = signedIn
        ? { login: { accountId: signedIn.account.id } }
        : { error: 'access_denied', error_description: 'the provider signed nobody in' };
      const on = await embedded.interactions.within({ request, reply }, () => finish(uid, result));
      if (on === null) return reply.code(400).send(notePage('Sign in', 'This sign-in is over: begin again.'));
      return reply.redirect(on, 303);
    },
  };
}
