import type { FastifyReply, FastifyRequest } from 'fastify';
import { digestOf, isSecret } from '../state/sign-in/digest.ts';
import type { EmbeddedProvider } from './embedded.ts';
import { BROWSER_SESSION_SECONDS } from './id-token.ts';

/** The sign-in of a browser at the embedded provider. Its cookie names it. */
export interface BrowserSession {
  /** The person's id at the provider; null when nobody is signed in. */
  readonly personId: string | null;
  /** A proof that a form comes from a page which this browser was shown. @param parts what the form is about. */
  proof(...parts: readonly string[]): string;
  /** Whether a text is that proof. */
  proves(text: string, ...parts: readonly string[]): boolean;
  /** Signs somebody in instead of whoever was. @param personId of somebody who has just proved who they are. */
  begin(personId: string): Promise<void>;
  /** Ends it, with all ID tokens that it led to, and takes the cookie away. */
  end(): Promise<void>;
}

/** The sign-in of the browser that sent a request. */
export async function browserSession(
  embedded: EmbeddedProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BrowserSession> {
  const { provider } = await embedded.openid();
  const context = provider.createContext(request.raw, reply.raw);
  const session = await provider.Session.get(context);
  let key = session.jti;
  const proof = (...parts: readonly string[]) => digestOf([key, ...parts].join('\n'));
  const name = provider.cookieName('session');
  const terms = { httpOnly: true, overwrite: true, sameSite: 'lax' } as const;
  context.cookies.secure = embedded.issuer.startsWith('https:');
  return {
    personId: session.accountId ?? null,
    proof,
    proves: (text, ...parts) => isSecret(text, proof(...parts)),
    async begin(personId) {
      if (session.accountId) await session.destroy();
      // A new one: somebody may have put the id of the old one into this browser.
      const next = new provider.Session();
      next.loginAccount({ accountId: personId });
      await next.save(BROWSER_SESSION_SECONDS);
      key = next.jti;
      context.cookies.set(name, key, { ...terms, maxAge: BROWSER_SESSION_SECONDS * 1000 });
    },
    async end() {
      if (session.accountId) await session.destroy();
      if (context.cookies.get(name, { signed: false }) !== undefined) context.cookies.set(name, null, terms);
    },
  };
}
