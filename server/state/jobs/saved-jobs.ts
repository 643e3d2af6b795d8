import type { ClientBase } from 'pg';
import { type BossRow, SCHEMA, toRow } from './pg-boss.ts';
import type { NewJob } from './queue.ts';
import type { JobStatus } from './status.ts';
import type { JobTables } from './tables.ts';

type Row = JobTables['jobs'];

/** Jobs of a PostgreSQL store that are not done, seen by the connection's transaction, as rows of the embedded queue. */
export async function jobsToSave(client: ClientBase): Promise<Row[]> {
  const there = await client.query(`select to_regclass('${SCHEMA}.job') as job`);
  if (there.rows[0]!.job === null) return [];
  type Saved = BossRow & { readonly retry_delay: number; readonly retry_delay_max: number | null };
  const { rows } = await client.query<Saved>(`select * from ${SCHEMA}.job where state <> 'completed'`);
  return rows
    .filter(row => !row.name.startsWith('__'))
    .map(row => {
      const { id, kind, key, data, status, attempt, lastAttempt, progress, error, ...at } = toRow(row);
      return {
        ...{ id, kind, key, data: JSON.stringify(data), status, attempt, last_attempt: lastAttempt },
        retry_ms: row.retry_delay * 1000,
        most_ms: (row.retry_delay_max ?? row.retry_delay) * 1000,
        start_after: at.startAfter,
        // Whoever runs it is not there where it is restored.
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
 * What of saved jobs has still to be done, for the queue of another store: with the attempts that are left, of which one
 * that ran has used the last it began.
 */
export const jobsToRestore = (rows: readonly Row[], now: number): NewJob[] =>
  rows
    .filter(({ status }) => LIVE.includes(status))
    .map(({ kind, key, data, attempt, last_attempt, retry_ms, most_ms, start_after }) => ({
      kind,
      key,
      data: JSON.parse(data) as object,
      // None left: it is begun only to be failed.
      attempts: Math.max(0, last_attempt - attempt),
      retryMs: retry_ms,
      mostMs: most_ms,
      delayMs: Math.max(0, start_after - now),
    }));
