import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Changes } from '../changes/changes.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { backoffMs } from './backoff.ts';
import {
  ENDED_KEPT_MS,
  type JobClaim,
  type JobQueue,
  type JobRow,
  type JobTally,
  TooManyWaiting,
  topicOf,
} from './queue.ts';
import { schedulesIn } from './schedules.ts';
import { forgetTurns, NOBODY, takeTurn } from './turns.ts';

/** Most ended jobs that are deleted at once. */
const FORGOTTEN = 200;

const toRow = (row: Tables['jobs']): JobRow => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  account: row.account_id,
  status: row.status,
  data: JSON.parse(row.data) as object,
  attempt: row.attempt,
  lastAttempt: row.last_attempt,
  progress: row.done === null || row.total === null ? null : { done: row.done, total: row.total },
  error: row.error,
  createdAt: row.created_at,
  startAfter: row.start_after,
  startedAt: row.started_at,
  endedAt: row.ended_at,
});

/** Thrown to roll a transaction back on purpose. */
class Undo extends Error {}

/**
 * The job queue in tables of the state store, for a database that only one machine uses.
 * @param clock by which leases and delays are measured. @param leaseMs see JobQueue.
 */
export function embeddedJobs(db: Kysely<Tables>, changes: Changes, clock: Clock, leaseMs: number): JobQueue {
  const held = (on: Kysely<Tables> | Transaction<Tables>, { id, token }: JobClaim) =>
    on.updateTable('jobs').where('id', '=', id).where('token', '=', token).where('status', '=', 'running');

  const waitingOf = async (tx: Transaction<Tables>, kind: string, account: string | null) => {
    const { waiting } = await tx
      .selectFrom('jobs')
      .select(row => row.fn.countAll<number>().as('waiting'))
      .where('kind', '=', kind)
      .where('status', '=', 'waiting')
      .where('account_id', 'is', account)
      .executeTakeFirstOrThrow();
    return waiting;
  };

  const enqueueIn: JobQueue['enqueueIn'] = async (tx, job) => {
    const now = clock.now();
    const { kind, key, account = null, mostWaiting = Number.POSITIVE_INFINITY, data } = job;
    const { attempts, retryMs, mostMs, delayMs = 0 } = job;
    const added = await tx
      .insertInto('jobs')
      .values({
        id: randomUUID(),
        kind,
        key,
        account_id: account,
        data: JSON.stringify(data),
        status: 'waiting',
        attempt: 0,
        last_attempt: attempts,
        retry_ms: retryMs,
        most_ms: mostMs,
        start_after: now + delayMs,
        token: null,
        lease_until: 0,
        done: null,
        total: null,
        error: null,
        created_at: now,
        started_at: null,
        ended_at: null,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added) {
      if (account !== null && (await waitingOf(tx, kind, account)) > mostWaiting) throw new TooManyWaiting(mostWaiting);
      await changes.tellIn(tx, topicOf(kind));
      return { id: added.id, fresh: true };
    }
    const {
      id,
      status,
      account_id: other,
    } = await tx
      .selectFrom('jobs')
      .select(['id', 'status', 'account_id'])
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('status', 'in', ['waiting', 'running'])
      .executeTakeFirstOrThrow();
    const isSooner =
      status === 'waiting' &&
      account !== null &&
      other !== null &&
      (await waitingOf(tx, kind, account)) < (await waitingOf(tx, kind, other));
    if (isSooner) {
      await tx.updateTable('jobs').set({ account_id: account }).where('id', '=', id).execute();
      await changes.tellIn(tx, topicOf(kind));
    }
    return { id, fresh: false };
  };

  return {
    leaseMs,
    enqueueIn,
    enqueue: job => transact(db, tx => enqueueIn(tx, job)),
    claim: (kind, except = []) =>
      transact(db, async tx => {
        const now = clock.now();
        // One status at a time: the index of both together would have to be sorted, for every claim.
        const due = (status: 'waiting' | 'running') =>
          tx
            .selectFrom('jobs')
            .where('jobs.kind', '=', kind)
            .where('status', '=', status)
            .where(status === 'waiting' ? 'start_after' : 'lease_until', '<=', now);
        const owner = sql<string>`coalesce(account_id, ${NOBODY})`;
        const owners = (status: 'waiting' | 'running') =>
          due(status)
            .select(['status', 'account_id', owner.as('owner')])
            .select(row => row.fn.min('start_after').as('first'))
            .groupBy(['status', 'account_id']);
        const next = await tx
          .selectFrom(owners('waiting').unionAll(owners('running')).as('owners'))
          .leftJoin('job_turns', join => join.onRef('account', '=', 'owner').on('kind', '=', kind))
          .select(['status', 'account_id'])
          .where(
            'owner',
            'not in',
            except.map(account => account ?? NOBODY),
          )
          .orderBy(row => row.fn.coalesce('turn', row.val(0)))
          .orderBy('first')
          .limit(1)
          .executeTakeFirst();
        if (!next) return null;
        const { account_id: account, status } = next;
        const token = randomUUID();
        const row = await tx
          .updateTable('jobs')
          .set(job => ({
            status: 'running' as const,
            token,
            lease_until: now + leaseMs,
            attempt: job('attempt', '+', 1),
            started_at: now,
            done: null,
            total: null,
          }))
          .where(
            'id',
            'in',
            due(status as 'waiting' | 'running')
              .select('id')
              .where('account_id', 'is', account)
              .orderBy('start_after')
              .orderBy('created_at')
              // Jobs of one millisecond, in the order in which they were added.
              .orderBy(sql`rowid`)
              .limit(1),
          )
          .returning(['id', 'key', 'data', 'attempt', 'last_attempt'])
          .executeTakeFirstOrThrow();
        await takeTurn(tx, kind, account ?? NOBODY, now);
        const { id, key, attempt, last_attempt: lastAttempt } = row;
        return { id, kind, key, account, data: JSON.parse(row.data) as object, attempt, lastAttempt, token };
      }),
    async heartbeat(claim) {
      const beat = held(db, claim).set({ lease_until: clock.now() + leaseMs });
      return (await beat.returning('id').executeTakeFirst()) !== undefined;
    },
    async progress(claim, done, total) {
      const said = held(db, claim).set({ done, total, lease_until: clock.now() + leaseMs });
      return (await said.returning('id').executeTakeFirst()) !== undefined;
    },
    async finish(claim, effect) {
      try {
        await transact(db, async tx => {
          const end = { status: 'done' as const, token: null, ended_at: clock.now(), error: null };
          if (!(await held(tx, claim).set(end).returning('id').executeTakeFirst())) throw new Undo();
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
        const now = clock.now();
        const over = last || claim.attempt >= claim.lastAttempt;
        const times = await held(tx, claim)
          .set(
            over ? { status: 'failed', token: null, ended_at: now, error } : { status: 'waiting', token: null, error },
          )
          .returning(['retry_ms', 'most_ms'])
          .executeTakeFirst();
        if (!times) return 'lost';
        if (over) {
          await ended?.(tx, changes);
          return 'failed';
        }
        const wait = backoffMs(claim.attempt, times.retry_ms, times.most_ms);
        await tx
          .updateTable('jobs')
          .set({ start_after: now + wait })
          .where('id', '=', claim.id)
          .execute();
        return 'waiting';
      }),
    handBack: claim =>
      transact(db, async tx => {
        const back = await held(tx, claim)
          .set(job => ({
            status: 'waiting' as const,
            token: null,
            start_after: clock.now(),
            last_attempt: job('last_attempt', '+', 1),
          }))
          .returning('id')
          .executeTakeFirst();
        if (back) await changes.tellIn(tx, topicOf(claim.kind));
        return back !== undefined;
      }),
    cancel: (id, ended) =>
      transact(db, async tx => {
        const cancelled = await tx
          .updateTable('jobs')
          .set({ status: 'cancelled', token: null, ended_at: clock.now() })
          .where('id', '=', id)
          .where('status', 'in', ['waiting', 'running'])
          .returning('id')
          .executeTakeFirst();
        if (cancelled) await ended?.(tx, changes);
        return cancelled !== undefined;
      }),
    retry: (id, attempts) =>
      transact(db, async tx => {
        const again = await tx
          .updateTable('jobs')
          .set(job => ({
            status: 'waiting' as const,
            start_after: clock.now(),
            ended_at: null,
            last_attempt: sql<number>`${job.ref('attempt')} + ${attempts}`,
          }))
          .where('id', '=', id)
          .where('status', 'in', ['failed', 'cancelled'])
          .where(job =>
            job.not(
              job.exists(
                job
                  .selectFrom('jobs as other')
                  .select('other.id')
                  .whereRef('other.kind', '=', 'jobs.kind')
                  .whereRef('other.key', '=', 'jobs.key')
                  .where('other.status', 'in', ['waiting', 'running']),
              ),
            ),
          )
          .returning('kind')
          .executeTakeFirst();
        if (again) await changes.tellIn(tx, topicOf(again.kind));
        return again !== undefined;
      }),
    async job(id) {
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toRow(row) : null;
    },
    async jobs({ kind, status, key, limit }) {
      let query = db.selectFrom('jobs').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (status !== undefined) query = query.where('status', '=', status);
      if (key !== undefined) query = query.where('key', '=', key);
      return (await query.execute()).map(toRow);
    },
    async tally() {
      const rows = await db
        .selectFrom('jobs')
        .select(['kind', 'status'])
        .select(row => [row.fn.countAll<number>().as('count'), row.fn.min('start_after').as('since')])
        .where('status', 'in', ['waiting', 'running', 'failed'])
        .groupBy(['kind', 'status'])
        .execute();
      return rows as JobTally[];
    },
    ...schedulesIn(db, enqueueIn),
    async maintain() {
      const old = db
        .selectFrom('jobs')
        .select('id')
        .where('status', 'in', ['done', 'failed', 'cancelled'])
        .where('ended_at', '<=', clock.now() - ENDED_KEPT_MS)
        .limit(FORGOTTEN);
      await db.deleteFrom('jobs').where('id', 'in', old).execute();
      await forgetTurns(db, clock.now());
    },
    close: async () => {},
  };
}
