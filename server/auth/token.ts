import { randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Account, Clock } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { StateStore, TokenRow } from '../state/store.ts';

const ISSUER = 'plat';
const AUDIENCE = 'plat-api';

/** Days an API token lives. */
export const TOKEN_DAYS = 90;
const DAY_SECONDS = 24 * 60 * 60;
/** Tokens whose signature need not be computed again: half a kilobyte each. */
const KNOWN_TOKENS = 10_000;

/** Issues and verifies API tokens. */
export interface TokenService {
  /** Files a new token of an account and returns it. */
  issue(account: Account): Promise<string>;
  /** The same text again, from what the store kept: claims and secret decide it. */
  reveal(row: TokenRow): Promise<string>;
  /** @throws ServiceError auth_invalid unless signature, claims, lifetime and the token store agree. */
  verify(token: string): Promise<Account>;
}

/**
 * Tokens are JWTs (HS256) with iss, aud, sub (account id), jti, plan, iat and exp.
 * @param secret at least 32 characters.
 */
export function createTokenService(secret: string, state: StateStore, clock: Clock): TokenService {
  const key = new TextEncoder().encode(secret);
  const verified = new LRUCache<string, JWTPayload>({ max: KNOWN_TOKENS });
  const reveal = (row: TokenRow) =>
    new SignJWT({ plan: row.plan })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(row.accountId)
      .setJti(row.jti)
      .setIssuedAt(row.issuedAt)
      .setExpirationTime(row.expiresAt)
      .sign(key);
  return {
    reveal,
    async issue(account) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const row: TokenRow = {
        jti: randomUUID(),
        accountId: account.id,
        plan: account.plan,
        issuedAt,
        expiresAt: issuedAt + TOKEN_DAYS * DAY_SECONDS,
        revokedAt: null,
      };
      await state.addToken(row);
      return reveal(row);
    },
    async verify(token) {
      const known = verified.get(token);
      // The signature of a text never changes; its time does.
      if (known && known.exp! > Math.floor(clock.now() / 1000)) return holder(known);
      const claims = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'jti', 'iat', 'exp'],
        currentDate: new Date(clock.now()),
      }).then(
        ({ payload }) => payload,
        (error: unknown) => {
          if (error instanceof errors.JOSEError || error instanceof TypeError) throw new ServiceError('auth_invalid');
          throw error;
        },
      );
      verified.set(token, claims);
      return holder(claims);
    },
  };

  /** Whose token it is; asked of the store each time, because a revocation takes effect at once. */
  async function holder(claims: JWTPayload): Promise<Account> {
    if (typeof claims.jti !== 'string') throw new ServiceError('auth_invalid');
    const found = await state.token(claims.jti);
    if (!found || found.token.revokedAt !== null || found.account.id !== claims.sub)
      throw new ServiceError('auth_invalid');
    return found.account;
  }
}
