import { createAccountCursors } from '../auth/account-cursor.ts';
import type { Clock } from '../clock.ts';
import type { ListPlace } from '../state/lists/list-place.ts';

/** What is listed. */
export type ListName = 'runs' | 'exports' | 'field requests' | 'sites' | 'watches' | 'corrections';

/** Makes and checks the cursors of an account's lists. */
export interface ListCursors {
  issue(account: string, list: ListName, after: ListPlace): string;
  /** @returns the place to go on after, or in words why the cursor is refused. */
  judge(account: string, list: ListName, cursor: string): ListPlace | string;
}

/** Makes the cursor service of lists. @param secret at least 32 characters. */
export function createListCursors(secret: string, clock: Clock): ListCursors {
  const cursors = createAccountCursors<ListPlace & { readonly list: ListName }>(secret, 'plat list cursor', clock);
  return {
    issue: (account, list, { createdAt, id }) => cursors.issue(account, { list, createdAt, id }),
    judge(account, list, cursor) {
      const content = cursors.open(account, cursor);
      if (typeof content === 'string') return content;
      const { list: of, ...after } = content;
      return of === list ? after : `it goes on with ${of}`;
    },
  };
}
