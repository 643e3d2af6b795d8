import { hash } from 'node:crypto';
import type { Position } from '../../query/search/request/position.ts';
import { createAccountCursors } from '../auth/account-cursor.ts';
import type { Clock } from '../clock.ts';
import type { SearchBody } from './read.ts';

/** The point at which a search continues, or in words the reason why its cursor is refused. */
export type CursorVerdict =
  | {
      readonly position: Position;
      /** The release that it is bound to; null where the search named none. */
      readonly release: string | null;
    }
  | { readonly refusal: string };

/** Cursors of searches: an order key and a digest of the search, of one account, for an hour. */
export interface CursorService {
  /** @param release that the page came from: a search that names one goes on in it. */
  issue(account: string, body: SearchBody, position: Position, release: string | null): string;
  judge(account: string, body: SearchBody, cursor: string): CursorVerdict;
}

/** The contents of a cursor. */
interface Claims {
  /** Digest of the search. */
  readonly q: string;
  /** Missing where it is false (a part of the interface). */
  readonly enrich?: boolean;
  readonly at: Position;
  /** The release as the search named it, and its id. */
  readonly release?: readonly [name: string, id: string];
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

/** Makes the cursor service. @param secret at least 32 characters. */
export function createCursorService(secret: string, clock: Clock): CursorService {
  const cursors = createAccountCursors<Claims>(secret, 'plat search cursor', clock);
  return {
    issue(account, body, at, release) {
      const bound = body.release !== null && release !== null ? { release: [body.release, release] as const } : {};
      return cursors.issue(account, { q: keptDigestOf(body), enrich: body.enrich, at, ...bound });
    },
    judge(account, body, cursor) {
      const claims = cursors.open(account, cursor);
      if (typeof claims === 'string') return { refusal: claims };
      if ((claims.enrich ?? false) !== body.enrich) return { refusal: 'it was made with another value of `enrich`' };
      if (claims.q !== keptDigestOf(body)) return { refusal: 'it was made for other filters or fields' };
      if (claims.release ? !claims.release.includes(body.release!) : body.release !== null)
        return { refusal: 'it was made with another `release`, or without one' };
      return { position: claims.at, release: claims.release?.[1] ?? null };
    },
  };
}
