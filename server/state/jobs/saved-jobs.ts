import type { ClientBase } from 'pg';
import { type BossRow, SCHEMA, toRow } from './boss-row.ts';
import type { NewJob } from './queue.ts';
import type { JobStatus } from './status.ts';
import type { JobTables } from './tables.ts';

type Row = JobTables['jobs'];

/** Unfinished jobs of a PostgreSQL store, read in the connection's transaction, as rows of the embedded queue. */
export async function jobsToSave(client: ClientBase): Promise<Row[]> {
  const there = await client.query(`select to_regclass('${SCHEMA}.job') as job`);
  if (there.rows[0]!.job === null) return [];
  type Saved = BossRow & { readonly retry_delay: number; readonly retry_delay_max: number | null };
  const { rows } = await client.query<Saved>(`select * from ${SCHEMA}.job where state <> 'completed'`);
  return rows
    .filter(row => !row.name.startsWith('__'))
    .map(row => {
      const { id, kind, key, account, data, status, attempt, lastAttempt, progress, error, ...at } = toRow(row);
      return {
        ...{ id, kind, key, account_id: account, data: JSON.stringify(data), status },
        ...{ attempt, last_attempt: lastAttempt },
        retry_ms: row.retry_delay * 1000,
        most_ms: (row.retry_delay_max ?? row.retry_delay) * 1000,
        start_after: at.startAfter,
        // The process that runs it does not exist where the job is restored.
        token: status === 'running' ? 'saved' : null,
        lease_until: 0,
        done: progress?.done ?? null,
        total: progress?.total ?? null,
        error,
        ...{ created_at: at.createdAt, started_at: at.startedAt, ended_at: at.endedAt },
      };
    });
}

const LIVE: readonly JobStatus[] = ['waiting', 'running'];

/**
 * The jobs that still have to be done from a backup, for the queue of another store. Each keeps the attempts that are
 * left; a job that was running has used the attempt it had begun.
 */
export const jobsToRestore = (rows: readonly Row[], now: number): NewJob[] =>
  rows
    .filter(({ status }) => LIVE.includes(status))
    .map(({ kind, key, account_id, data, attempt, last_attempt, retry_ms, most_ms, start_after }) => ({
      kind,
      key,
      account: account_id,
      data: JSON.parse(data) as object,
      // With none left, it is begun only to be failed.
      attempts: Math.max(0, last_attempt - attempt),
      retryMs: retry_ms,
      mostMs: most_ms,
      delayMs: Math.max(0, start_after - now),
    }));
