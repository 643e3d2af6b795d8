import type { JobRow } from '../../state/jobs/queue.ts';

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** A job as commands print it in JSON. */
export const written = (row: JobRow) => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  account: row.account,
  status: row.status,
  attempt: row.attempt,
  last_attempt: row.lastAttempt,
  progress: row.progress,
  error: row.error,
  data: row.data,
  created_at: iso(row.createdAt),
  start_after: iso(row.startAfter),
  started_at: iso(row.startedAt),
  ended_at: iso(row.endedAt),
});

/** A job in one line. */
export function lineOf({ id, kind, key, status, attempt, progress, error, createdAt }: JobRow): string {
  const how = progress && status === 'running' ? ` ${progress.done}/${progress.total}` : '';
  const why = error === null || status === 'done' ? '' : `  ${error.split('\n')[0]}`;
  return `${id}  ${status.padEnd(9)}  ${kind} ${key ?? '–'}  attempt ${attempt}${how}  added ${iso(createdAt)}${why}`;
}
