import { type Kysely, sql } from 'kysely';
import type { Effect } from '../jobs/queue.ts';
import type { Tables } from '../tables.ts';
import type { AdditionKind } from './tables.ts';

/** Additions to an account on one day of which its owner got no mail, by kind. */
export interface UnsentNotices {
  readonly accountId: string;
  /** Whole days since the epoch, UTC. */
  readonly day: number;
  readonly counts: Readonly<Partial<Record<AdditionKind, number>>>;
}

/** Counts of what was added to accounts and not mailed, because they had their mails of the day. */
export interface UnsentNoticeRecords {
  add(accountId: string, day: number, kind: AdditionKind): Promise<void>;
  /** Those of days before this one, oldest first, of so many accounts and days at most. */
  before(day: number, most: number): Promise<UnsentNotices[]>;
  /** Effect: forgets what was told by now. */
  told(notices: readonly UnsentNotices[]): Effect;
}

/** Kinds of additions. */
const KINDS = 3;

/** Unsent notices over any Kysely database. */
export function unsentNoticesIn(db: Kysely<Tables>): UnsentNoticeRecords {
  return {
    async add(accountId, day, kind) {
      await db
        .insertInto('unsent_notices')
        .values({ account_id: accountId, day, kind, notices: 1 })
        .onConflict(conflict =>
          conflict
            .columns(['account_id', 'day', 'kind'])
            .doUpdateSet({ notices: sql<number>`unsent_notices.notices + 1` }),
        )
        .execute();
    },
    async before(day, most) {
      const rows = await db
        .selectFrom('unsent_notices')
        .selectAll()
        .where('day', '<', day)
        .orderBy('day')
        .orderBy('account_id')
        .limit(most * KINDS)
        .execute();
      const groups = Map.groupBy(rows, row => `${row.day} ${row.account_id}`);
      return [...groups.values()].slice(0, most).map(group => ({
        accountId: group[0]!.account_id,
        day: group[0]!.day,
        counts: Object.fromEntries(group.map(({ kind, notices }) => [kind, notices])),
      }));
    },
    told: notices => async tx => {
      for (const { accountId, day, counts } of notices)
        for (const [kind, count] of Object.entries(counts))
          await tx
            .deleteFrom('unsent_notices')
            .where('account_id', '=', accountId)
            .where('day', '=', day)
            .where('kind', '=', kind as AdditionKind)
            // One that came meanwhile is told next time.
            .where('notices', '=', count)
            .execute();
    },
  };
}
