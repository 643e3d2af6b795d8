import type { ChangesPosition } from '../../query/changes/page.ts';
import { createSeal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';

/** Lifetime of a cursor in seconds. */
const CURSOR_SECONDS = 3600;

/** The point where a cursor continues. */
export interface Continuation {
  /** The later of the two releases. All pages compare the same two, whatever is published meanwhile. */
  readonly to: string;
  readonly from: ChangesPosition;
}

/** The request that a cursor belongs to. */
export interface CursorTerms {
  readonly account: string;
  readonly since: string;
  readonly state: string | null;
  readonly fields: readonly string[];
}

/** Makes and checks cursors, which are encrypted and authenticated. */
export interface ChangesCursors {
  issue(terms: CursorTerms, continuation: Continuation): string;
  /** @returns the point to continue at, or in words why the cursor is refused. */
  judge(terms: CursorTerms, cursor: string): Continuation | string;
}

interface Claims extends Continuation {
  /** The terms as text. */
  readonly q: string;
  readonly sub: string;
  /** Epoch seconds. */
  readonly exp: number;
}

const textOf = ({ since, state, fields }: CursorTerms) => JSON.stringify([since, state, [...fields].sort()]);

/** Makes the cursor service. @param secret at least 32 characters. */
export function createChangesCursors(secret: string, clock: Clock): ChangesCursors {
  const seal = createSeal(secret, 'plat changes cursor');
  const now = () => Math.floor(clock.now() / 1000);
  return {
    issue(terms, continuation) {
      const claims: Claims = { ...continuation, q: textOf(terms), sub: terms.account, exp: now() + CURSOR_SECONDS };
      return seal.close(JSON.stringify(claims));
    },
    judge(terms, cursor) {
      const text = seal.open(cursor);
      if (text === null) return 'it is not one that this service made';
      const { sub, exp, q, to, from } = JSON.parse(text) as Claims;
      if (sub !== terms.account) return 'it belongs to another account';
      if (exp <= now()) return 'it has expired';
      if (q !== textOf(terms)) return 'it was made for another `since`, `state` or `fields`';
      return { to, from };
    },
  };
}
