import { type Kysely, sql } from 'kysely';
import { AHEAD_MS } from './clock-jump.ts';
import type { Tables } from './tables.ts';

const MINUTE_MS = 60_000;

/** Counts requests by account and minute. */
export interface RequestWindows {
  /**
   * Counts one request.
   * @param minute whole minutes since the epoch. A minute before the current window counts in that window, because
   * clocks of two machines differ. If the window is more than AHEAD_MS ahead, a wrong clock made it, and it is
   * replaced.
   * @returns requests of the account in its window now.
   */
  count(accountId: string, minute: number): Promise<number>;
}

/** Request windows over any Kysely database: one row for an account, one statement for a request. */
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
