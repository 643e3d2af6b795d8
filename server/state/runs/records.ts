import type { Kysely, Selectable } from 'kysely';
import type { Changes } from '../changes/changes.ts';
import { type Claim, requireClaimIn } from '../idempotency.ts';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import { type Reservation, settleIn } from '../ledger.ts';
import type { ListPart } from '../lists/list-place.ts';
import { packed, unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** A run without its result. Times are epoch milliseconds. */
export interface RunRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly status: Tables['runs']['status'];
  readonly done: number;
  readonly total: number;
  readonly error: RunError | null;
  /** The release that its result came from; null before there is one, or where it read none. */
  readonly release: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
}

export interface RunError {
  readonly error: string;
  readonly message: string;
  readonly retryable: boolean;
}

interface NewRun {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  /** JSON text, like the next. */
  readonly request: string;
  readonly refusals: string;
  readonly reservation: Reservation | null;
  /** Of the request that files it; null without a key. */
  readonly claim: Claim | null;
  readonly done: number;
  readonly total: number;
  readonly now: number;
  readonly expiresAt: number;
}

/** The input of a run. Texts are JSON. */
interface RunWork {
  readonly accountId: string;
  readonly request: string;
  readonly refusals: string;
  readonly reservation: Reservation | null;
}

/** The topic that followers of a run listen to. */
export const runTopic = (id: string): string => `runs/${id}`;

/** Runs: batches that are answered in the background. */
export interface RunRecords {
  /** Stores a run with its job, in one transaction. A second call with the same id changes nothing. @throws TakenOver. */
  submit(run: NewRun, job: NewJob): Promise<void>;
  /** A run of the account; null when it belongs to another account, is unknown or has expired. */
  run(accountId: string, id: string, now: number): Promise<RunRow | null>;
  /** Runs of the account that have not expired, newest first. */
  list(accountId: string, part: ListPart, now: number): Promise<RunRow[]>;
  /** JSON texts of a run's request and, once it is done, of its result. */
  texts(
    accountId: string,
    id: string,
    now: number,
  ): Promise<{ readonly request: string; readonly result: string | null } | null>;
  /** Credits that an ended run was charged; null where its charge is open or was forgotten. */
  credits(accountId: string, id: string): Promise<number | null>;
  /** Marks a run as running and returns its work; null when it has ended or is gone. */
  begin(id: string, now: number): Promise<RunWork | null>;
  /** Sets how many locations are done. */
  advance(id: string, done: number, now: number): Promise<void>;
  /** Deletes what has expired. @returns how many, at most 100. */
  prune(now: number): Promise<number>;
}

const COLUMNS = [
  'id',
  'account_id',
  'kind',
  'status',
  'done',
  'total',
  'error',
  'release',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

const toRun = (row: Pick<Selectable<Tables['runs']>, (typeof COLUMNS)[number]>): RunRow => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  status: row.status,
  done: row.done,
  total: row.total,
  release: row.release,
  error: row.error === null ? null : (JSON.parse(row.error) as RunError),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  expiresAt: row.expires_at,
});

/** Runs over any Kysely database. */
export function runsIn(db: Kysely<Tables>, jobs: JobQueue, changes: Changes): RunRecords {
  return {
    async submit(run, job) {
      const request = await packed(run.request);
      await transact(db, async tx => {
        if (run.claim) await requireClaimIn(tx, run.claim);
        const added = await tx
          .insertInto('runs')
          .values({
            id: run.id,
            account_id: run.accountId,
            kind: run.kind,
            status: 'queued',
            request,
            refusals: run.refusals,
            reservation: run.reservation && JSON.stringify(run.reservation),
            done: run.done,
            total: run.total,
            result: null,
            release: null,
            error: null,
            created_at: run.now,
            updated_at: run.now,
            expires_at: run.expiresAt,
          })
          .onConflict(conflict => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (added) await jobs.enqueueIn(tx, job);
      });
    },
    async run(accountId, id, now) {
      const row = await db
        .selectFrom('runs')
        .select(COLUMNS)
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? toRun(row) : null;
    },
    async list(accountId, { after, limit }, now) {
      let listed = db
        .selectFrom('runs')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after)
        listed = listed.where(eb => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)));
      return (await listed.execute()).map(toRun);
    },
    async texts(accountId, id, now) {
      const row = await db
        .selectFrom('runs')
        .select(['request', 'result'])
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return null;
      return { request: await unpacked(row.request), result: row.result && (await unpacked(row.result)) };
    },
    async credits(accountId, id) {
      const run = await db
        .selectFrom('runs')
        .select('reservation')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (!run) return null;
      if (run.reservation === null) return 0;
      const { id: chargeId } = JSON.parse(run.reservation) as Reservation;
      const charge = await db
        .selectFrom('charges')
        .select(['state', 'spent'])
        .where('id', '=', chargeId)
        .executeTakeFirst();
      return !charge || charge.state === 'open' ? null : charge.spent;
    },
    async begin(id, now) {
      const row = await transact(db, async tx => {
        const started = await tx
          .updateTable('runs')
          .set({ status: 'running', updated_at: now })
          .where('id', '=', id)
          .where('status', 'in', ['queued', 'running'])
          .returning(['account_id', 'request', 'refusals', 'reservation'])
          .executeTakeFirst();
        if (started) await changes.tellIn(tx, runTopic(id));
        return started;
      });
      if (!row) return null;
      const { account_id: accountId, refusals, reservation } = row;
      const held = reservation === null ? null : (JSON.parse(reservation) as Reservation);
      return { accountId, request: await unpacked(row.request), refusals, reservation: held };
    },
    advance: (id, done, now) =>
      transact(db, async tx => {
        const moved = await tx
          .updateTable('runs')
          .set({ done, updated_at: now })
          .where('id', '=', id)
          .where('status', '=', 'running')
          .where('done', '<', done)
          .returning('id')
          .executeTakeFirst();
        if (moved) await changes.tellIn(tx, runTopic(id));
      }),
    async prune(now) {
      const old = db.selectFrom('runs').select('id').where('expires_at', '<=', now).limit(100);
      const { numDeletedRows } = await db.deleteFrom('runs').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Effect: a run has failed, and its reservation is released. */
export const runFailed =
  (id: string, error: RunError, now: number): Effect =>
  async (tx, changes) => {
    const row = await tx
      .updateTable('runs')
      .set({ status: 'failed', error: JSON.stringify(error), updated_at: now })
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning('reservation')
      .executeTakeFirst();
    if (!row) return;
    if (row.reservation !== null) await settleIn(tx, JSON.parse(row.reservation) as Reservation, 0, now);
    await changes.tellIn(tx, runTopic(id));
  };

/**
 * Effect: a run is done. Its result is stored and its locations are charged, in one transaction.
 * @param result JSON text, and the release it came from. @param cost credits.
 * @param unaffordable the error of the run when its reservation had expired and the credits are gone.
 */
export async function runDone(
  id: string,
  { result, release }: { readonly result: string; readonly release: string | null },
  cost: number,
  now: number,
  unaffordable: RunError,
): Promise<Effect> {
  const bytes = await packed(result);
  return async (tx, changes) => {
    const row = await tx
      .updateTable('runs')
      .set(run => ({ status: 'done' as const, result: bytes, release, done: run.ref('total'), updated_at: now }))
      .where('id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .returning('reservation')
      .executeTakeFirst();
    if (!row) return;
    const held = row.reservation === null ? null : (JSON.parse(row.reservation) as Reservation);
    if (held && !(await settleIn(tx, held, Math.min(cost, held.reserved), now)))
      await tx
        .updateTable('runs')
        .set({ status: 'failed', result: null, release: null, error: JSON.stringify(unaffordable) })
        .where('id', '=', id)
        .execute();
    await changes.tellIn(tx, runTopic(id));
  };
}
