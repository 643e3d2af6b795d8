import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { digestOf, isSecret } from '../../state/sign-in/digest.ts';
import { browserSession } from '../browser-session.ts';
import { BACK_PATH } from '../clients.ts';
import type { EmbeddedProvider } from '../embedded.ts';
import { OPENID_PATHS, SIGN_IN_PATH } from '../openid.ts';
import { pageHeaders } from './page.ts';
import { signInCookie } from './sign-in-cookie.ts';
import { notePage, signedInPage } from './sign-in-page.ts';

const random = () => randomBytes(32).toString('base64url');

/** The page of the explorer where a sign-in ends that nothing of the explorer began. */
const CONSOLE = '/console';
/** Where a browser that is signed in goes to open the console. */
export const TO_CONSOLE = `${SIGN_IN_PATH}?to=console`;

/** Signs in to Plat itself, without a client. The code returns to this server, which shows the session. */
export function ownSignIn(app: FastifyInstance, embedded: EmbeddedProvider) {
  const { issuer, audience } = embedded;
  const back = `${issuer}${BACK_PATH}`;
  return {
    async begin(request: FastifyRequest, reply: FastifyReply) {
      const [verifier, state] = [random(), random()];
      const { to } = request.query as Record<string, unknown>;
      const cookie = await signInCookie(embedded, request, reply);
      cookie.write([verifier, state, ...(to === 'console' ? [CONSOLE] : [])]);
      const query = new URLSearchParams({
        client_id: audience,
        response_type: 'code',
        scope: 'openid email',
        redirect_uri: back,
        state,
        code_challenge: digestOf(verifier),
        code_challenge_method: 'S256',
      });
      return reply.headers(pageHeaders()).redirect(`${OPENID_PATHS.authorization}?${query}`, 303);
    },
    async end(request: FastifyRequest, reply: FastifyReply) {
      const { code, state, error } = request.query as Record<string, unknown>;
      const cookies = await signInCookie(embedded, request, reply);
      const [verifier, expected, next = null] = cookies.read();
      reply.headers(pageHeaders());
      if (!verifier || !expected || typeof state !== 'string' || !isSecret(state, expected)) {
        // Another tab may have begun or ended one since. Who is signed in by now gets through without being asked again.
        const { personId } = await browserSession(embedded, request, reply);
        if (personId !== null) return reply.redirect(next === null ? SIGN_IN_PATH : TO_CONSOLE, 303);
        return reply.code(400).send(notePage('Sign in', 'This sign-in is over, or was begun in another browser.'));
      }
      cookies.write(null);
      if (typeof code !== 'string')
        return reply.send(notePage('Not signed in', error === 'access_denied' ? 'You cancelled.' : 'It did not work.'));
      // The provider is this server, so the request stays inside it.
      const answer = await app.inject({
        method: 'POST',
        url: OPENID_PATHS.token,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        remoteAddress: request.ip,
        payload: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: audience,
          redirect_uri: back,
          code,
          code_verifier: verifier,
        }).toString(),
      });
      const session = answer.statusCode === 200 ? (answer.json() as { id_token?: string }).id_token : undefined;
      if (!session) return reply.code(400).send(notePage('Sign in', 'This sign-in is over: begin again.'));
      const signOut = `${OPENID_PATHS.end_session}?${new URLSearchParams({ client_id: audience })}`;
      return reply
        .headers(pageHeaders(null, true))
        .send(signedInPage(String(decodeJwt(session).email), session, { signOut, next }));
    },
  };
}
