import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Db, fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Changes } from '../changes/changes.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import {
  ENDED_KEPT_MS,
  type Enqueued,
  type JobClaim,
  type JobQueue,
  type JobRow,
  type NewJob,
  topicOf,
} from './queue.ts';
import { schedulesIn } from './schedules.ts';
import type { JobStatus } from './status.ts';

/** Schema of pg-boss's own tables, beside those of the state store. */
export const SCHEMA = 'plat_jobs';
/** Heartbeat interval: the least that pg-boss allows. */
const HEARTBEAT_SECONDS = 10;
/** Longest time a job may take, even with heartbeats. */
const LONGEST_SECONDS = 12 * 60 * 60;
/** Seconds between two searches for dead processes, over all servers together. */
const LOOK_SECONDS = 2;

const STATES: Readonly<Record<string, JobStatus>> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};
const LIVE = ['created', 'retry', 'active'] as const;

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
  readonly retry_count: number;
  readonly retry_limit: number;
  readonly output: Output | null;
  readonly created_on: Date;
  readonly start_after: Date;
  readonly started_on: Date | null;
  readonly completed_on: Date | null;
}

/** pg-boss makes keys unique among waiting and running jobs, so a job without a key gets a random one. */
const toKey = (key: string | null) => (key === null ? `~${randomUUID()}` : `=${key}`);
const fromKey = (key: string) => (key.startsWith('=') ? key.slice(1) : null);

/** Converts a row to the form that operators see. */
export const toRow = (row: BossRow): JobRow => {
  const { output } = row;
  const isStarted = row.started_on !== null;
  return {
    id: row.id,
    kind: row.name,
    key: fromKey(row.singleton_key),
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

/** Starts pg-boss. When several servers start on an empty database, one makes the tables and the others retry. */
async function startBoss(boss: PgBoss): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await boss.start();
      return;
    } catch (error) {
      if (attempt === 5 || (error as { readonly code?: unknown }).code !== '23505') throw error;
    }
}

/** Thrown to roll a transaction back on purpose. */
class Undo extends Error {}

/**
 * The job queue on pg-boss, in the database of the state store. Each kind of job has a pg-boss queue. The job table is
 * read directly where pg-boss would scan a queue from its oldest job. It is written directly for what pg-boss cannot
 * express: the progress of a job, and a failure for good.
 * @param connection for pg-boss's own statements. @param failed is told of failures in the background.
 */
export function pgBossJobs(
  db: Kysely<Tables>,
  changes: Changes,
  connection: Db,
  failed: (error: Error) => void,
): JobQueue {
  const boss = new PgBoss({
    db: connection,
    schema: SCHEMA,
    // maintain() does this. Processes that only enqueue need not supervise.
    supervise: false,
    schedule: false,
    registerInstance: false,
    monitorIntervalSeconds: LOOK_SECONDS,
    maintenanceIntervalSeconds: 300,
    monitorVacuum: false,
    openTelemetry: { enabled: false },
  });
  boss.on('error', failed);
  // Keeps the timers of pg-boss out of the context of the request that starts it.
  const outside = AsyncLocalStorage.snapshot();
  let started: Promise<unknown> | undefined;
  const start = () => {
    started ??= outside(() => startBoss(boss)).catch((error: unknown) => {
      started = undefined;
      throw error;
    });
    return started;
  };
  const queues = new Map<string, Promise<void>>();
  const makeQueue = async (kind: string) => {
    await start();
    await boss.createQueue(kind, { policy: 'exclusive', heartbeatSeconds: HEARTBEAT_SECONDS });
  };
  /** Makes the queue of a kind when there is none. */
  const ready = (kind: string): Promise<void> => {
    let queue = queues.get(kind);
    if (!queue) {
      queue = makeQueue(kind).catch((error: unknown) => {
        queues.delete(kind);
        throw error;
      });
      queues.set(kind, queue);
    }
    return queue;
  };
  const table = sql.table(`${SCHEMA}.job`);

  const liveId = async (tx: Transaction<Tables>, kind: string, key: string) => {
    const { rows } = await sql<{ id: string }>`
      select id from ${table} where name = ${kind} and singleton_key = ${key} and state in (${sql.join(LIVE)})`.execute(
      tx,
    );
    return rows[0]?.id;
  };
  const addIn = async (tx: Transaction<Tables>, job: NewJob): Promise<Enqueued> => {
    const key = toKey(job.key);
    for (;;) {
      const id = await boss.send(job.kind, job.data, {
        db: fromKysely(tx),
        singletonKey: key,
        // One more than `attempts`: the extra one is begun only to be failed, with its effect.
        retryLimit: job.attempts,
        retryDelay: Math.max(1, Math.round(job.retryMs / 1000)),
        retryDelayMax: Math.max(1, Math.round(job.mostMs / 1000)),
        retryBackoff: true,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: LONGEST_SECONDS,
        deleteAfterSeconds: ENDED_KEPT_MS / 1000,
        ...(job.delayMs ? { startAfter: new Date(Date.now() + job.delayMs) } : {}),
      });
      if (id !== null) {
        await changes.tellIn(tx, topicOf(job.kind));
        return { id, fresh: true };
      }
      const other = await liveId(tx, job.kind, key);
      if (other !== undefined) return { id: other, fresh: false };
    }
  };
  const enqueueIn: JobQueue['enqueueIn'] = async (tx, job) => {
    await ready(job.kind);
    return addIn(tx, job);
  };
  const attempt = ({ id, attempt: count }: JobClaim) => ({ id, retryCount: count - 1 });
  /** Sets columns that pg-boss has no call for, while the claim holds. @returns whether it holds. */
  const setHeld = async (on: Kysely<Tables>, claim: JobClaim, change: ReturnType<typeof sql>) => {
    const { rows } = await sql`
      update ${table} set ${change} where name = ${claim.kind} and id = ${claim.id} and state = 'active'
      and retry_count = ${claim.attempt - 1} returning id`.execute(on);
    return rows.length === 1;
  };
  const affected = (response: object) => (response as { readonly affected: number }).affected === 1;
  const find = async (id: string): Promise<BossRow | null> => {
    if (!/^[0-9a-f-]{36}$/.test(id)) return null;
    await start();
    return (await sql<BossRow>`select * from ${table} where id = ${id}`.execute(db)).rows[0] ?? null;
  };

  return {
    leaseMs: HEARTBEAT_SECONDS * 1000,
    enqueueIn,
    async enqueue(job) {
      await ready(job.kind);
      return transact(db, tx => addIn(tx, job));
    },
    async claim(kind) {
      await ready(kind);
      const [job] = (await boss.fetch<object>(kind, { includeMetadata: true })) as (Job<object> & {
        readonly retryLimit: number;
        readonly singletonKey: string;
      })[];
      if (!job) return null;
      const { id, data, retryCount, retryLimit, singletonKey } = job;
      const key = fromKey(singletonKey);
      return { id, kind, key, data, attempt: retryCount + 1, lastAttempt: retryLimit, token: `${id}:${retryCount}` };
    },
    heartbeat: async claim => affected(await boss.touch(claim.kind, attempt(claim))),
    progress: (claim, done, total) =>
      setHeld(db, claim, sql`output = ${JSON.stringify({ done, total })}::jsonb, heartbeat_on = now()`),
    async finish(claim, effect) {
      try {
        await transact(db, async tx => {
          const done = await boss.complete(claim.kind, attempt(claim), null, { db: fromKysely(tx) });
          if (!affected(done)) throw new Undo();
          await effect?.(tx, changes);
        });
        return true;
      } catch (error) {
        if (error instanceof Undo) return false;
        throw error;
      }
    },
    fail: (claim, error, last, ended) =>
      transact(db, async tx => {
        const over = last || claim.attempt >= claim.lastAttempt;
        if (over && !(await setHeld(tx, claim, sql`retry_limit = retry_count`))) return 'lost';
        const settled = await boss.fail(claim.kind, attempt(claim), { message: error }, { db: fromKysely(tx) });
        if (!affected(settled)) return 'lost';
        if (over) {
          await ended?.(tx, changes);
          return 'failed';
        }
        // Like backoffMs. pg-boss adds its jitter before it applies the maximum, so that all long delays would be
        // equal.
        const longest = sql`least(retry_delay_max, retry_delay * 2 ^ ${Math.min(16, claim.attempt - 1)}::int)`;
        await sql`
          update ${table} set start_after = now() + ${longest} * (0.5 + random() / 2) * interval '1 second'
          where name = ${claim.kind} and id = ${claim.id}`.execute(tx);
        return 'waiting';
      }),
    handBack: claim =>
      transact(db, async tx => {
        const again = sql`state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = null`;
        const back = await setHeld(tx, claim, again);
        if (back) await changes.tellIn(tx, topicOf(claim.kind));
        return back;
      }),
    async cancel(id, ended) {
      const row = await find(id);
      if (!row) return false;
      return transact(db, async tx => {
        const cancelled = affected(await boss.cancel(row.name, id, { db: fromKysely(tx) }));
        if (cancelled) await ended?.(tx, changes);
        return cancelled;
      });
    },
    async retry(id, attempts) {
      const row = await find(id);
      if (row?.state !== 'failed' && row?.state !== 'cancelled') return false;
      return transact(db, async tx => {
        if (await liveId(tx, row.name, row.singleton_key)) return false;
        // Like pg-boss's own retry, which allows one more attempt, and its resume, which allows none.
        const { rows } = await sql`
          update ${table} set state = 'retry', completed_on = null, start_after = now(),
            retry_limit = retry_count + 1 + ${attempts}
          where name = ${row.name} and id = ${id} and state = ${row.state} returning id`.execute(tx);
        if (rows.length === 1) await changes.tellIn(tx, topicOf(row.name));
        return rows.length === 1;
      });
    },
    async job(id) {
      const row = await find(id);
      return row && toRow(row);
    },
    async jobs({ kind, status, key, limit }) {
      await start();
      const states = Object.keys(STATES).filter(state => status === undefined || STATES[state] === status);
      const { rows } = await sql<BossRow>`
        select * from ${table} where state in (${sql.join(states)})
        ${kind === undefined ? sql`` : sql`and name = ${kind}`}
        ${key === undefined ? sql`` : sql`and singleton_key = ${toKey(key)}`}
        order by created_on desc, id limit ${limit}`.execute(db);
      return rows.map(toRow);
    },
    ...schedulesIn(db, enqueueIn, ready),
    async maintain() {
      await start();
      await boss.supervise();
    },
    async close() {
      if (started) await started.then(() => boss.stop({ graceful: false, close: false })).catch(() => {});
    },
  };
}
