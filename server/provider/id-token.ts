import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { Clock } from '../clock.ts';
import type { User } from '../state/sign-in/users.ts';
import { ALGORITHM, type ProviderKeys } from './keys.ts';

/** The audience of ID tokens for Plat itself. */
export const CLIENT_ID = 'plat';
/** Lifetime of a session in seconds. */
export const SESSION_SECONDS = 60 * 60;

/** Lifetime of the sign-in of a browser in seconds. */
export const BROWSER_SESSION_SECONDS = 14 * 24 * 60 * 60;

/** The claim that names the sign-in of the browser that a token comes from. */
export const BROWSER_SESSION = 'browser_session';

/** Claims of a user's ID token beside the registered ones. */
export const claimsOf = (user: User) => ({
  email: user.email,
  email_verified: user.verifiedAt !== null,
  sign_in_provider: 'password',
});

/** Makes an ID token of the embedded provider for a user, without a sign-in. */
export async function issueIdToken(
  user: User,
  terms: { readonly issuer: string; readonly audience: string; readonly keys: ProviderKeys; readonly clock: Clock },
): Promise<string> {
  const [jwk] = await terms.keys.current();
  const now = Math.floor(terms.clock.now() / 1000);
  return new SignJWT(claimsOf(user))
    .setProtectedHeader({ alg: ALGORITHM, kid: jwk!.kid!, typ: 'JWT' })
    .setIssuer(terms.issuer)
    .setAudience(terms.audience)
    .setSubject(user.id)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + SESSION_SECONDS)
    .sign(await importJWK(jwk!, ALGORITHM));
}
