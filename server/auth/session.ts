import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Caller } from '../credential.ts';
import { ServiceError } from '../errors/registry.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import type { Holder, Identity, IdentityRecords } from '../state/sign-in/identities.ts';

/** Signature algorithms of ID tokens. None is symmetric, because a provider's keys are public. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Seconds by which the provider's clock may differ from ours. */
const TOLERANCE = 5;
/** Sessions whose signature is remembered, and for how many milliseconds: a key may be withdrawn. */
const VERIFIED_SESSIONS = 10_000;
const VERIFIED_MS = 10 * 60 * 1000;
/** One `@`, no spaces or control characters. */
const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}$/u;
const MOST_SUBJECT = 255;

/** The conditions under which an ID token is a session. */
export interface SessionTerms {
  /** The issuer, as the tokens name it. */
  readonly issuer: string;
  /** The issuer under which accounts are stored: the issuer itself, or a name that outlives its URL. */
  readonly filedAs: string;
  readonly audience: string;
  /** Allowed ways to sign in. */
  readonly providers: readonly string[];
  /** Claims that name the way to sign in; the first that a token has counts. A name, or a path with dots. */
  readonly providerClaims: readonly string[];
  readonly keys: JWTVerifyGetKey;
  /** Whether the subject still exists, asked before an account is made. Without this function the token is trusted. */
  readonly exists?: (subject: string) => Promise<boolean>;
  /** Whether the sign-in that led to a token goes on. Without this function only the token's own time counts. */
  readonly goesOn?: (claims: JWTPayload) => Promise<boolean>;
}

/** Verifies browser sessions. */
export interface SessionService {
  /**
   * Checks an ID token.
   * @returns the account that it belongs to.
   * @throws ServiceError auth_invalid, auth_expired, auth_revoked, provider_not_allowed, email_unverified,
   * user_disabled; sign_in_unavailable, account_store_misconfigured, state_unavailable.
   */
  verify(token: string): Promise<Caller>;
  /** Ends the session that a verified ID token is, on every server at once. @param accountId of its owner. */
  end(token: string, accountId: string): Promise<void>;
}

/** The digest of what a token says. Its signature can be written in more than one way. */
const sessionDigest = (token: string) => digestOf(token.slice(0, token.lastIndexOf('.')));

/** Whether a bearer token is checked as an ID token: all are, except those signed like API tokens. */
export function looksLikeSession(token: string): boolean {
  try {
    const { alg } = decodeProtectedHeader(token);
    return alg !== 'HS256' && alg !== undefined;
  } catch {
    return false;
  }
}

/** Reads the text of a claim, by its name or by a path with dots. */
function claimOf(claims: JWTPayload, path: string): string | null {
  let value: unknown = Object.hasOwn(claims, path) ? claims[path] : claims;
  if (value === claims)
    for (const name of path.split('.'))
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return typeof value === 'string' ? value : null;
}

/** Verifies signature, issuer, audience and time of a token. @returns its claims. */
async function judged(token: string, terms: SessionTerms, now: number): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, terms.keys, {
      algorithms: ALGORITHMS,
      issuer: terms.issuer,
      audience: terms.audience,
      clockTolerance: TOLERANCE,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    // An access or logout token of the same provider is not an ID token; nor is a token made for another client.
    const { typ } = protectedHeader;
    const foreign = payload.azp !== undefined && payload.azp !== terms.audience;
    const early = payload.iat! > now / 1000 + TOLERANCE;
    const subject = payload.sub!.length > 0 && payload.sub!.length <= MOST_SUBJECT && !/\p{Cc}/u.test(payload.sub!);
    if ((typ !== undefined && typ.toUpperCase() !== 'JWT') || foreign || early || !subject)
      throw new ServiceError('auth_invalid');
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new ServiceError('auth_expired');
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw new ServiceError('auth_invalid');
    throw error;
  }
}

/** @throws ServiceError provider_not_allowed, email_unverified. */
function identityOf(claims: JWTPayload, terms: SessionTerms): Identity {
  const provider = terms.providerClaims.map(path => claimOf(claims, path)).find(found => found !== null) ?? null;
  if (provider === null || !terms.providers.includes(provider)) {
    const named = provider !== null && /^[\w.:-]{1,64}$/.test(provider) ? provider : 'a way that it does not name';
    throw new ServiceError('provider_not_allowed', { provider: named, allowed: terms.providers.join(', ') });
  }
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || !EMAIL.test(email) || verified !== true) throw new ServiceError('email_unverified');
  return { issuer: terms.filedAs, subject: claims.sub!, email };
}

/** @throws ServiceError user_disabled, auth_revoked. */
function callerOf({ account, disabled, sessionsEndedAt }: Holder, issuedAt: number): Caller {
  if (disabled) throw new ServiceError('user_disabled');
  // Tokens count in seconds: one of the same second in which sessions were ended may be from before it.
  if (sessionsEndedAt !== null && issuedAt * 1000 <= sessionsEndedAt) throw new ServiceError('auth_revoked');
  return { account, credential: { kind: 'session' } };
}

/**
 * Ends all sessions of an account that its owner asked to end. Resolves when the owner can sign in again: ID tokens count
 * in seconds, and one of the same second is taken for an earlier one.
 * @param reason for the audit trail.
 */
export async function endAllSessions(identities: IdentityRecords, clock: Clock, accountId: string, reason: string) {
  const now = clock.now();
  await identities.endSessions(accountId, now, reason, `account ${accountId}`);
  await sleep(1_000 - (now % 1_000));
}

/** Sessions are ID tokens (OpenID Connect Core 1.0, 3.1.3.7). Each request checks the account's state in the store. */
export function createSessionService(terms: SessionTerms, identities: IdentityRecords, clock: Clock): SessionService {
  const verified = new LRUCache<string, JWTPayload>({
    max: VERIFIED_SESSIONS,
    ttl: VERIFIED_MS,
    ttlResolution: 0,
    perf: clock,
  });
  return {
    async verify(token) {
      const now = clock.now();
      let claims = verified.get(token);
      if (!claims) {
        claims = await judged(token, terms, now);
        verified.set(token, claims);
      } else if (claims.exp! + TOLERANCE <= now / 1000) throw new ServiceError('auth_expired');
      const identity = identityOf(claims, terms);
      const [ended, goesOn] = await Promise.all([
        identities.hasEnded(sessionDigest(token)),
        terms.goesOn?.(claims) ?? true,
      ]);
      if (ended || !goesOn) throw new ServiceError('auth_revoked');
      let holder = await identities.holder(identity.issuer, identity.subject);
      if (!holder) {
        if (terms.exists && !(await terms.exists(identity.subject))) throw new ServiceError('auth_revoked');
        holder = await identities.signIn(identity);
      }
      return callerOf(holder, claims.iat!);
    },
    end: (token, accountId) =>
      identities.endSession(accountId, sessionDigest(token), (decodeJwt(token).exp! + TOLERANCE) * 1000),
  };
}
