import type { ChangesPosition } from '../../query/changes/page.ts';
import { createAccountCursors } from '../auth/account-cursor.ts';
import type { Clock } from '../clock.ts';

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

/** Makes and checks the cursors of GET /v1/changes. */
export interface ChangesCursors {
  issue(terms: CursorTerms, continuation: Continuation): string;
  /** @returns the point to continue at, or in words why the cursor is refused. */
  judge(terms: CursorTerms, cursor: string): Continuation | string;
}

const textOf = ({ since, state, fields }: CursorTerms) => JSON.stringify([since, state, [...fields].sort()]);

/** Makes the cursor service. @param secret at least 32 characters. */
export function createChangesCursors(secret: string, clock: Clock): ChangesCursors {
  const cursors = createAccountCursors<Continuation & { readonly q: string }>(secret, 'plat changes cursor', clock);
  return {
    issue: (terms, continuation) => cursors.issue(terms.account, { ...continuation, q: textOf(terms) }),
    judge(terms, cursor) {
      const content = cursors.open(terms.account, cursor);
      if (typeof content === 'string') return content;
      const { q, to, from } = content;
      return q === textOf(terms) ? { to, from } : 'it was made for another `since`, `state` or `fields`';
    },
  };
}
