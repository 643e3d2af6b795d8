import { randomUUID } from 'node:crypto';
import type { JobRow } from './queue.ts';
import type { JobStatus } from './status.ts';
import { NOBODY } from './turns.ts';

/** Schema of pg-boss's own tables, beside those of the state store. */
export const SCHEMA = 'plat_jobs';

/** States of pg-boss in our words. */
export const STATES: Readonly<Record<string, JobStatus>> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Content of the `output` column: progress while a job runs, the reason after a failure. */
type Output = {
  readonly done?: number;
  readonly total?: number;
  readonly message?: string;
  readonly value?: { readonly message?: string };
};

/** A row of pg-boss's job table. */
export interface BossRow {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly data: object;
  readonly singleton_key: string;
  readonly group_id: string | null;
  readonly retry_count: number;
  readonly retry_limit: number;
  readonly output: Output | null;
  readonly created_on: Date;
  readonly start_after: Date;
  readonly started_on: Date | null;
  readonly completed_on: Date | null;
}

/** pg-boss makes keys unique among waiting and running jobs, so a job without a key gets a random one. */
export const toKey = (key: string | null) => (key === null ? `~${randomUUID()}` : `=${key}`);
/** The key that `toKey` was given. */
export const fromKey = (key: string) => (key.startsWith('=') ? key.slice(1) : null);

/** The account of a pg-boss group. Jobs that were added before there were turns have no group. */
export const fromGroup = (group: string | null | undefined) => (group === NOBODY ? null : (group ?? null));

/** Converts a row to the form that operators see. */
export const toRow = (row: BossRow): JobRow => {
  const { output } = row;
  const isStarted = row.started_on !== null;
  return {
    id: row.id,
    kind: row.name,
    key: fromKey(row.singleton_key),
    account: fromGroup(row.group_id),
    status: STATES[row.state]!,
    data: row.data,
    attempt: isStarted ? row.retry_count + 1 : 0,
    // A job that failed for good has no attempt left: see `fail`.
    lastAttempt: row.state === 'failed' ? row.retry_count + 1 : row.retry_limit,
    progress: output?.total === undefined ? null : { done: output.done!, total: output.total },
    error: output?.message ?? output?.value?.message ?? null,
    createdAt: row.created_on.getTime(),
    startAfter: row.start_after.getTime(),
    startedAt: row.started_on?.getTime() ?? null,
    endedAt: row.completed_on?.getTime() ?? null,
  };
};
