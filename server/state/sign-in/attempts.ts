import { type Kysely, sql } from 'kysely';
import { AHEAD_MS } from '../clock-jump.ts';
import type { Tables } from '../tables.ts';

/** Counts attempts in the store, so that all servers together keep one limit. */
export interface Attempts {
  /**
   * Counts one attempt.
   * @param key what is limited and for whom. Personal data is in it only as a digest.
   * @param now epoch milliseconds.
   * @param lengthMs length of the clock window that it counts in, in milliseconds.
   * @returns attempts in the window now.
   */
  count(key: string, now: number, lengthMs: number): Promise<number>;
  /**
   * Counts one attempt if fewer than `most` were made in the window. One that is refused writes nothing.
   * @returns attempts in the window now; null where it was refused.
   */
  take(key: string, now: number, lengthMs: number, most: number): Promise<number | null>;
  /** Attempts in the current window, without counting one. */
  counted(key: string, now: number, lengthMs: number): Promise<number>;
  /** Deletes past windows. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Attempts over any Kysely database: one row for a key, one statement for an attempt. */
export function attemptsIn(db: Kysely<Tables>): Attempts {
  const add = async (key: string, now: number, lengthMs: number, most: number): Promise<number | null> => {
    const period = Math.floor(now / lengthMs);
    const latest = Math.floor((now + AHEAD_MS) / lengthMs);
    const { rows } = await sql<{ attempts: number }>`
      insert into attempts (key, period, attempts, ends_at) values (${key}, ${period}, 1, ${(period + 1) * lengthMs})
      on conflict (key) do update set
        attempts = case when attempts.period between excluded.period and ${latest} then attempts.attempts + 1 else 1 end,
        ends_at = case when attempts.period between excluded.period and ${latest} then attempts.ends_at else excluded.ends_at end,
        period = case when attempts.period between excluded.period and ${latest} then attempts.period else excluded.period end
      where attempts.attempts < ${most} or attempts.period not between excluded.period and ${latest}
      returning attempts`.execute(db);
    return rows[0]?.attempts ?? null;
  };
  return {
    count: async (key, now, lengthMs) => (await add(key, now, lengthMs, Number.MAX_SAFE_INTEGER))!,
    take: add,
    async counted(key, now, lengthMs) {
      const row = await db
        .selectFrom('attempts')
        .select('attempts')
        .where('key', '=', key)
        .where('period', '>=', Math.floor(now / lengthMs))
        .where('period', '<=', Math.floor((now + AHEAD_MS) / lengthMs))
        .executeTakeFirst();
      return row?.attempts ?? 0;
    },
    async prune(now) {
      const over = db.selectFrom('attempts').select('key').where('ends_at', '<=', now).limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('attempts').where('key', 'in', over).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
