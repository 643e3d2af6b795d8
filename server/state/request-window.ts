import { type Kysely, sql } from 'kysely';
import { AHEAD_MS } from './clock-jump.ts';
import type { Tables } from './tables.ts';

const MINUTE_MS = 60_000;

/** Requests counted by account and minute. */
export interface RequestWindows {
  /**
   * Counts one request.
   * @param minute whole minutes since the epoch. One that lies before the window counted last (clocks of two machines
   * differ) counts in that window, but for one further ahead than AHEAD_MS: that a clock which had jumped made.
   * @returns how many requests of the account its window now holds.
   */
  count(accountId: string, minute: number): Promise<number>;
}

/** Request windows over any database that Kysely speaks: one row an account, one statement a request. */
export function requestWindowsIn(db: Kysely<Tables>): RequestWindows {
  return {
    async count(accountId, minute) {
      const latest = minute + AHEAD_MS / MINUTE_MS;
      const { rows } = await sql<{ requests: number }>`
        insert into request_windows (account_id, minute, requests) values (${accountId}, ${minute}, 1)
        on conflict (account_id) do update set
          requests = case when request_windows.minute between excluded.minute and ${latest} then request_windows.requests + 1 else 1 end,
          minute = case when request_windows.minute between excluded.minute and ${latest} then request_windows.minute else excluded.minute end
        returning requests`.execute(db);
      return rows[0]!.requests;
    },
  };
}
