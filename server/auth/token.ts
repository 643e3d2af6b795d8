import { createHmac } from 'node:crypto';
import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
import { v7 as uuid } from 'uuid';
import type { Clock } from '../clock.ts';
import type { Caller } from '../credential.ts';
import { ServiceError } from '../errors/registry.ts';
import { ALL_TERMS, type Terms } from '../scopes.ts';
import type { Account } from '../state/account.ts';
import type { TokenKind } from '../state/agents/tables.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import type { StateStore, TokenRow } from '../state/store.ts';

const ISSUER = 'plat';
const AUDIENCE = 'plat-api';

/** Lifetime of an API token in days. */
export const TOKEN_DAYS = 90;
const DAY_SECONDS = 24 * 60 * 60;
/** Tokens whose verified signature is remembered; each takes half a kilobyte. */
const VERIFIED_TOKENS = 10_000;

/**
 * Milliseconds for which a token that the store accepted stays valid while the store is down. If only this server
 * cannot reach the store, it may miss a revocation for so long.
 */
const REMEMBERED_MS = 10 * 60 * 1000;

/** The verified claims of a token. */
interface Claims {
  readonly jti: unknown;
  readonly sub: unknown;
  /** Epoch seconds. */
  readonly exp: number;
}

/** What a token is made with. */
interface NewToken {
  readonly name: string | null;
  readonly days: number;
  /** Without them all scopes and no budget. */
  readonly limits?: Terms;
}

/** Issues and verifies API tokens. */
export interface TokenService {
  /** Makes and stores a new token of an account. @param by who issues it, for the audit trail. */
  issue(account: Account, by?: string, limits?: Terms): Promise<string>;
  /** Makes and stores a new token of an account. @param days its lifetime. */
  create(
    account: Account,
    terms: NewToken & { readonly by?: string },
  ): Promise<{ readonly row: TokenRow; readonly token: string }>;
  /** Makes a new token that the caller stores, together with the event it is issued for. */
  prepare(
    account: Account,
    terms: NewToken & { readonly kind: TokenKind },
  ): { readonly row: TokenRow; readonly token: string };
  /** Makes the text of a token again from the stored claims and the secret. */
  reveal(row: TokenRow): string;
  /** Whether `reveal` returns the issued text: not after the secret was changed. */
  recoverable(row: TokenRow): boolean;
  /** Stores which tokens were used since the last call, all at once and never within a request. */
  noteUses(): Promise<void>;
  /**
   * @param withoutState accept a token checked in the last REMEMBERED_MS while the state store is down.
   * @throws ServiceError user_disabled; auth_invalid unless signature, claims, lifetime and the token store agree;
   * state_unavailable.
   */
  verify(token: string, withoutState?: boolean): Promise<Caller>;
}

/**
 * Tokens are JWTs (HS256) with iss, aud, sub (account id), jti, plan, iat and exp.
 * @param secret at least 32 characters.
 */
export function createTokenService(secret: string, state: StateStore, clock: Clock): TokenService {
  const sign = createSigner({ key: secret, algorithm: 'HS256' });
  const verified = new LRUCache<string, Claims>({ max: VERIFIED_TOKENS });
  const remembered = new LRUCache<string, { readonly account: Account } & Terms>({
    max: VERIFIED_TOKENS,
    ttl: REMEMBERED_MS,
  });
  const reveal = ({ plan, accountId, jti, issuedAt, expiresAt }: TokenRow) =>
    sign({ plan, iss: ISSUER, aud: AUDIENCE, sub: accountId, jti, iat: issuedAt, exp: expiresAt });
  const keyId = createHmac('sha256', secret).update('fingerprint of the token secret').digest('hex').slice(0, 16);
  let used = new Map<string, number>();
  const prepare: TokenService['prepare'] = (account, { name, days, kind, limits = ALL_TERMS }) => {
    const issuedAt = Math.floor(clock.now() / 1000);
    const row: TokenRow = {
      // These ids sort by when they were made; times of tokens are whole seconds.
      jti: uuid(),
      accountId: account.id,
      plan: account.plan,
      issuedAt,
      expiresAt: issuedAt + days * DAY_SECONDS,
      revokedAt: null,
      name,
      keyId,
      lastUsedAt: null,
      kind,
      ...limits,
    };
    return { row, token: reveal(row) };
  };
  const create: TokenService['create'] = async (account, { by, ...terms }) => {
    const prepared = prepare(account, { ...terms, kind: 'token' });
    await state.addToken(prepared.row, by);
    return prepared;
  };
  return {
    reveal,
    create,
    prepare,
    recoverable: row => row.keyId === keyId,
    issue: async (account, by, limits = ALL_TERMS) =>
      (await create(account, { name: null, days: TOKEN_DAYS, limits, ...(by === undefined ? {} : { by }) })).token,
    async noteUses() {
      const noted = used;
      if (noted.size === 0) return;
      used = new Map();
      await state.noteTokenUses(noted);
    },
    async verify(token, withoutState = false) {
      const held = verified.get(token);
      // The signature of a text never changes; its time does.
      if (held && held.exp > Math.floor(clock.now() / 1000)) return holder(held, withoutState);
      const judge = createVerifier({
        key: secret,
        algorithms: ['HS256'],
        allowedIss: ISSUER,
        allowedAud: AUDIENCE,
        requiredClaims: ['sub', 'jti', 'iat', 'exp'],
        clockTimestamp: clock.now(),
      });
      let claims: Claims;
      try {
        claims = judge(token);
      } catch (error) {
        if (error instanceof TokenError) throw new ServiceError('auth_invalid');
        throw error;
      }
      verified.set(token, claims);
      return holder(claims, withoutState);
    },
  };

  /** Whose token it is; asked of the store each time, because a revocation takes effect at once (LOOKUP_MS there). */
  async function holder({ jti, sub }: Claims, withoutState: boolean): Promise<Caller> {
    if (typeof jti !== 'string') throw new ServiceError('auth_invalid');
    let holding: ({ readonly account: Account } & Terms) | undefined;
    let disabled = false;
    try {
      const found = await state.token(jti);
      if (found?.token.revokedAt === null) {
        const { scopes, creditsADay } = found.token;
        holding = { account: found.account, scopes, creditsADay };
      }
      disabled = found?.disabled === true;
      if (holding && !disabled) remembered.set(jti, holding);
      else remembered.delete(jti);
    } catch (error) {
      holding = withoutState && error instanceof StateUnavailable ? remembered.get(jti) : undefined;
      if (!holding) throw error;
    }
    if (holding?.account.id !== sub) throw new ServiceError('auth_invalid');
    if (disabled) throw new ServiceError('user_disabled');
    used.set(jti, Math.floor(clock.now() / 1000));
    const { account, ...limits } = holding!;
    return { account, credential: { kind: 'token', jti, grantId: jti, ...limits } };
  }
}
