import type { FeaturePlace } from '../../query/features/feature-page.ts';
import { createAccountCursors } from '../auth/account-cursor.ts';
import type { Clock } from '../clock.ts';

/** The place of a release behind which a page of features goes on. */
export interface Continuation {
  readonly release: string;
  readonly after: FeaturePlace;
}

/** Makes and checks the cursors in the `next` links of features. */
export interface FeatureCursors {
  /** @param question what is asked for, as text: the cursor is of no use for another. */
  issue(account: string, question: string, continuation: Continuation): string;
  /** @returns where to go on, or in words why the cursor is refused. */
  judge(account: string, question: string, cursor: string): Continuation | string;
}

/** Makes the cursor service of features. @param secret at least 32 characters. */
export function createFeatureCursors(secret: string, clock: Clock): FeatureCursors {
  const cursors = createAccountCursors<Continuation & { readonly question: string }>(
    secret,
    'plat feature cursor',
    clock,
  );
  return {
    issue: (account, question, continuation) => cursors.issue(account, { question, ...continuation }),
    judge(account, question, cursor) {
      const content = cursors.open(account, cursor);
      if (typeof content === 'string') return content;
      const { question: of, release, after } = content;
      return of === question ? { release, after } : 'it was made for another collection, box or filter';
    },
  };
}
