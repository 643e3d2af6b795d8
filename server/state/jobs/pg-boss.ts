import { AsyncLocalStorage } from 'node:async_hooks';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Db, fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Changes } from '../changes/changes.ts';
import type { Tables } from '../tables.ts';
import { transact, Unready } from '../transaction.ts';
import { type BossRow, fromGroup, fromKey, SCHEMA, STATES, toKey, toRow } from './boss-row.ts';
import {
  ENDED_KEPT_MS,
  type Enqueued,
  type JobClaim,
  type JobQueue,
  type JobTally,
  type NewJob,
  TooManyWaiting,
  topicOf,
} from './queue.ts';
import { schedulesIn } from './schedules.ts';
import { forgetTurns, NOBODY, takeTurn } from './turns.ts';

/** Heartbeat interval: the least that pg-boss allows. */
const HEARTBEAT_SECONDS = 10;
/** Longest time a job may take, even with heartbeats. */
const LONGEST_SECONDS = 12 * 60 * 60;
/** Seconds between two searches for dead processes, over all servers together. */
const LOOK_SECONDS = 2;

const LIVE = ['created', 'retry', 'active'] as const;

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
  /** Kinds whose queue was made. */
  const queueKinds = new Set<string>();
  const makeQueue = async (kind: string) => {
    await start();
    await boss.createQueue(kind, { policy: 'exclusive', heartbeatSeconds: HEARTBEAT_SECONDS });
    queueKinds.add(kind);
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

  /** Lets one transaction at a time go on from here, of those that name the same. */
  const alone = (tx: Transaction<Tables>, name: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  const live = async (tx: Transaction<Tables>, kind: string, key: string) => {
    const { rows } = await sql<Pick<BossRow, 'id' | 'state' | 'group_id'>>`
      select id, state, group_id from ${table}
      where name = ${kind} and singleton_key = ${key} and state in (${sql.join(LIVE)})`.execute(tx);
    return rows[0];
  };
  const waitingOf = async (tx: Transaction<Tables>, kind: string, account: string) => {
    const { rows } = await sql<{ waiting: string }>`
      select count(*) as waiting from ${table}
      where name = ${kind} and state < 'active' and group_id = ${account}`.execute(tx);
    return Number(rows[0]!.waiting);
  };
  /** Gives a waiting job to an account that has fewer waiting than its own. */
  const bringForward = async (
    tx: Transaction<Tables>,
    kind: string,
    { id, state, group_id: other }: Pick<BossRow, 'id' | 'state' | 'group_id'>,
    account: string | null,
  ) => {
    if (state === 'active' || account === null || other === null || other === NOBODY) return;
    if ((await waitingOf(tx, kind, account)) >= (await waitingOf(tx, kind, other))) return;
    await sql`
      update ${table} set group_id = ${account}
      where name = ${kind} and id = ${id} and state < 'active'`.execute(tx);
    await changes.tellIn(tx, topicOf(kind));
  };
  const addIn = async (tx: Transaction<Tables>, job: NewJob): Promise<Enqueued> => {
    const { kind, account = null, mostWaiting } = job;
    const key = toKey(job.key);
    const isLimited = account !== null && mostWaiting !== undefined;
    if (isLimited) await alone(tx, `jobs/${kind}/${account}`);
    for (;;) {
      const id = await boss.send(kind, job.data, {
        db: fromKysely(tx),
        singletonKey: key,
        group: { id: account ?? NOBODY },
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
        if (isLimited && (await waitingOf(tx, kind, account)) > mostWaiting) throw new TooManyWaiting(mostWaiting);
        await changes.tellIn(tx, topicOf(kind));
        return { id, fresh: true };
      }
      const other = await live(tx, kind, key);
      if (!other) continue;
      await bringForward(tx, kind, other, account);
      return { id: other.id, fresh: false };
    }
  };
  const enqueueIn: JobQueue['enqueueIn'] = async (tx, job) => {
    if (!queueKinds.has(job.kind)) throw new Unready(() => ready(job.kind));
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
    enqueue: job => transact(db, tx => enqueueIn(tx, job)),
    async claim(kind, except = []) {
      await ready(kind);
      return transact(db, async tx => {
        // Two at once would take the same turn.
        await alone(tx, topicOf(kind));
        const { rows } = await sql<{ owner: string }>`
          select owner from (
            select coalesce(group_id, ${NOBODY}) as owner, min(created_on) as first from ${table}
            where name = ${kind} and state < 'active' and start_after <= now() group by 1
          ) as owners left join job_turns on account = owner and kind = ${kind}
          order by coalesce(turn, 0), first`.execute(tx);
        const owners = rows.map(({ owner }) => owner);
        const busy = new Set(except.map(account => account ?? NOBODY));
        const next = owners.find(owner => !busy.has(owner));
        if (next === undefined) return null;
        const [job] = (await boss.fetch<object>(kind, {
          db: fromKysely(tx),
          includeMetadata: true,
          ignoreGroups: [...busy, ...owners.filter(owner => owner !== next)],
        })) as (Job<object> & {
          readonly retryLimit: number;
          readonly singletonKey: string;
          readonly groupId: string | null;
        })[];
        if (!job) return null;
        const { id, data, retryCount, retryLimit, singletonKey } = job;
        const account = fromGroup(job.groupId);
        await takeTurn(tx, kind, account ?? NOBODY, Date.now());
        return {
          ...{ id, kind, key: fromKey(singletonKey), account, data },
          ...{ attempt: retryCount + 1, lastAttempt: retryLimit, token: `${id}:${retryCount}` },
        };
      });
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
        if (await live(tx, row.name, row.singleton_key)) return false;
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
    async tally() {
      await start();
      const states = Object.keys(STATES).filter(state => !['done', 'cancelled'].includes(STATES[state]!));
      const { rows } = await sql<{ name: string; state: string; count: string; since: Date }>`
        select name, state, count(*) as count, min(start_after) as since from ${table}
        where state in (${sql.join(states)}) group by name, state`.execute(db);
      const tally = new Map<string, JobTally>();
      for (const { name: kind, state, count, since } of rows) {
        const status = STATES[state] as JobTally['status'];
        const before = tally.get(`${kind} ${status}`) ?? { count: 0, since: Number.POSITIVE_INFINITY };
        tally.set(`${kind} ${status}`, {
          kind,
          status,
          count: before.count + Number(count),
          since: Math.min(before.since, since.getTime()),
        });
      }
      return [...tally.values()];
    },
    ...schedulesIn(db, enqueueIn),
    async maintain() {
      await start();
      await boss.supervise();
      await forgetTurns(db, Date.now());
    },
    async close() {
      if (started) await started.then(() => boss.stop({ graceful: false, close: false })).catch(() => {});
    },
  };
}
