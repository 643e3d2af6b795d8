import { hash } from 'node:crypto';
import { createVerifier, TokenError } from 'fast-jwt';
import type { Position } from '../../query/search/request/position.ts';
import { createSeal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import type { SearchBody } from './read.ts';

const ISSUER = 'plat';
const AUDIENCE = 'plat-search';
/** Seconds a cursor lives (a limit of the interface). */
const CURSOR_SECONDS = 3600;

/** Where a search continues, or why its cursor is refused. */
export type CursorVerdict =
  | {
      readonly position: Position;
      /** The release that it is bound to; null where the search named none. */
      readonly release: string | null;
    }
  | { readonly problem: 'malformed' | 'expired' | 'foreign' | 'mismatched' | 'enrich' | 'release' };

/**
 * Makes and checks cursors. A cursor holds order key, account, digest of the search and expiry, encrypted and
 * authenticated.
 */
export interface CursorService {
  /** @param release that the page came from: a search that names one goes on in it. */
  issue(account: string, body: SearchBody, position: Position, release: string | null): string;
  judge(account: string, body: SearchBody, cursor: string): CursorVerdict;
}

/** The contents of a cursor. */
interface Claims {
  /** Digest of the search. */
  readonly q: unknown;
  readonly enrich?: unknown;
  readonly at: unknown;
  /** The release as the search named it, and its id. */
  readonly release?: readonly [name: string, id: string];
  readonly sub: unknown;
  /** Epoch seconds. */
  readonly exp: number;
}

const digests = new WeakMap<object, string>();

/** digestOf, computed once for a body: it is compared with the cursor that came, and put into the next one. */
function keptDigestOf(body: SearchBody): string {
  let digest = digests.get(body);
  if (digest === undefined) {
    digest = digestOf(body);
    digests.set(body, digest);
  }
  return digest;
}

/** A digest of filters and fields after reading them. Their order, and the order within lists, does not matter. */
function digestOf({ filters, fields }: Pick<SearchBody, 'filters' | 'fields'>): string {
  const tests = filters.tests.map(({ name, op, operands }) =>
    JSON.stringify([name, op, op === 'in' ? operands.map(o => JSON.stringify(o)).sort() : operands]),
  );
  const areas = filters.areas.map(({ op, key }) => JSON.stringify([op, key]));
  const text = JSON.stringify([[...new Set([...tests, ...areas])].sort(), [...fields].sort()]);
  return hash('sha256', text, 'base64url');
}

const isPosition = (value: unknown): value is Position => {
  const at = value as Partial<Position> | null;
  return (
    typeof at === 'object' &&
    at !== null &&
    [at.state, at.fips, at.file].every(text => typeof text === 'string') &&
    Number.isInteger(at.ord) &&
    (at.key === null || Array.isArray(at.key))
  );
};

/** Makes the cursor service. @param secret at least 32 characters. */
export function createCursorService(secret: string, clock: Clock): CursorService {
  const seal = createSeal(secret, 'plat search cursor');
  /** Reads cursors of releases before encryption. They are JWTs (HS256) and stay valid for their hour. */
  const signed = (cursor: string): Claims | 'malformed' | 'expired' => {
    const verify = createVerifier({
      key: secret,
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      requiredClaims: ['sub', 'exp'],
      clockTimestamp: clock.now(),
    });
    try {
      return verify(cursor) as Claims;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return error.code === TokenError.codes.expired ? 'expired' : 'malformed';
    }
  };
  const read = (cursor: string): Claims | 'malformed' | 'expired' => {
    if (cursor.includes('.')) return signed(cursor);
    const text = seal.open(cursor);
    if (text === null) return 'malformed';
    const claims = JSON.parse(text) as Claims;
    return claims.exp <= Math.floor(clock.now() / 1000) ? 'expired' : claims;
  };
  return {
    issue(account, body, position, release) {
      const exp = Math.floor(clock.now() / 1000) + CURSOR_SECONDS;
      const claims: Claims = { q: keptDigestOf(body), enrich: body.enrich, at: position, sub: account, exp };
      const bound = body.release !== null && release !== null ? { release: [body.release, release] } : {};
      return seal.close(JSON.stringify({ ...claims, ...bound }));
    },
    judge(account, body, cursor) {
      const claims = read(cursor);
      if (typeof claims === 'string') return { problem: claims };
      if (!isPosition(claims.at)) return { problem: 'malformed' };
      if (claims.sub !== account) return { problem: 'foreign' };
      // Cursors from before enrichment existed lack this claim.
      if ((claims.enrich ?? false) !== body.enrich) return { problem: 'enrich' };
      if (claims.q !== keptDigestOf(body)) return { problem: 'mismatched' };
      if (claims.release ? !claims.release.includes(body.release!) : body.release !== null)
        return { problem: 'release' };
      return { position: claims.at, release: claims.release?.[1] ?? null };
    },
  };
}
