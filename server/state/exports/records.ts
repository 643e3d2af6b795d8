import type { Kysely, Selectable } from 'kysely';
import type { Changes } from '../changes/changes.ts';
import { type Claim, requireClaimIn } from '../idempotency.ts';
import type { JobQueue, NewJob } from '../jobs/queue.ts';
import type { Reservation } from '../ledger.ts';
import type { ListPart } from '../lists/list-place.ts';
import { packed, unpacked } from '../packed-text.ts';
import type { RunError } from '../runs/records.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { dropOrphans, PARTS } from './pieces.ts';

/** How rows and values of an export stand. */
export interface ExportCounts {
  readonly rows_ok: number;
  readonly rows_failed: number;
  readonly values_ok: number;
  readonly values_absent: number;
  readonly values_failed: number;
}

export const NO_COUNTS: ExportCounts = {
  rows_ok: 0,
  rows_failed: 0,
  values_ok: 0,
  values_absent: 0,
  values_failed: 0,
};

/** A file of an export. */
export interface ExportFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** An export as callers see it. Times are epoch milliseconds. */
export interface ExportRow {
  readonly id: string;
  readonly accountId: string;
  readonly status: Tables['exports']['status'];
  readonly done: number;
  readonly total: number;
  readonly counts: ExportCounts;
  readonly warnings: readonly string[];
  readonly files: readonly ExportFile[];
  readonly release: string | null;
  readonly error: RunError | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
}

interface NewExport {
  readonly id: string;
  readonly accountId: string;
  /** JSON texts. */
  readonly request: string;
  readonly work: string;
  readonly reservation: Reservation | null;
  /** Of the request that files it; null without a key. */
  readonly claim: Claim | null;
  readonly total: number;
  readonly warnings: readonly string[];
  readonly release: string | null;
  /** Day since the epoch in whose rows it counts, and rows that the account may have in it. */
  readonly day: number;
  readonly mostRows: number;
  readonly now: number;
  readonly expiresAt: number;
}

/** An account has had the rows of its day. */
export class RowsOfDaySpent extends Error {
  override readonly name = 'RowsOfDaySpent';
  readonly rows: number;

  /** @param rows that the day has already. */
  constructor(rows: number) {
    super(`the day has ${rows} rows already`);
    this.rows = rows;
  }
}

/** What the job of an export goes on with. */
export interface ExportWork {
  readonly accountId: string;
  /** JSON text. */
  readonly work: string;
  readonly reservation: Reservation | null;
  readonly release: string | null;
  readonly done: number;
  readonly parts: number;
  readonly total: number;
  /** As JSON parsed it; null before the first part. */
  readonly place: unknown;
  readonly counts: ExportCounts;
  readonly warnings: readonly string[];
  readonly cost: number;
}

/** A part that was made. */
export interface ExportPart {
  /** Its number: what was stored before it. */
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** What `place` and `counts` and `cost` are after it. */
  readonly place: unknown;
  readonly counts: ExportCounts;
  readonly warnings: readonly string[];
  readonly cost: number;
}

/** The topic that followers of an export listen to. */
export const exportTopic = (id: string): string => `exports/${id}`;

/** Exports: tables of many places that are made in the background, part by part. */
export interface ExportRecords {
  /**
   * Stores an export with its job, in one transaction. A second call with the same id changes nothing.
   * @throws RowsOfDaySpent when the account has too many rows that day; TakenOver.
   */
  submit(row: NewExport, job: NewJob): Promise<void>;
  export(accountId: string, id: string, now: number): Promise<ExportRow | null>;
  /** The JSON text of the body. */
  request(accountId: string, id: string, now: number): Promise<string | null>;
  list(accountId: string, part: ListPart, now: number): Promise<ExportRow[]>;
  /** Rows of the account's exports of a day. */
  rowsOf(accountId: string, day: number): Promise<number>;
  /** Marks an export as running and returns what is left of it; null when it has ended or is gone. */
  begin(id: string, now: number): Promise<ExportWork | null>;
  /** Stores a part once. @returns false where it is there already or the export has ended. */
  addPart(id: string, part: ExportPart, now: number): Promise<boolean>;
  /** Deletes what has expired. @returns how many. */
  prune(now: number): Promise<number>;
}

/** Exports that are deleted at once, with all their files. */
const PRUNED = 3;

const COLUMNS = [
  'id',
  'account_id',
  'status',
  'done',
  'total',
  'counts',
  'warnings',
  'files',
  'release',
  'error',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

const toExport = (row: Pick<Selectable<Tables['exports']>, (typeof COLUMNS)[number]>): ExportRow => ({
  id: row.id,
  accountId: row.account_id,
  status: row.status,
  done: row.done,
  total: row.total,
  counts: JSON.parse(row.counts) as ExportCounts,
  warnings: JSON.parse(row.warnings) as string[],
  files: row.files === null ? [] : (JSON.parse(row.files) as ExportFile[]),
  release: row.release,
  error: row.error === null ? null : (JSON.parse(row.error) as RunError),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  expiresAt: row.expires_at,
});

const sumOf = async (db: Kysely<Tables>, accountId: string, day: number): Promise<number> => {
  const { rows } = await db
    .selectFrom('exports')
    .select(({ fn }) => fn.sum<number | null>('total').as('rows'))
    .where('account_id', '=', accountId)
    .where('day', '=', day)
    .where('status', '!=', 'failed')
    .executeTakeFirstOrThrow();
  return Number(rows ?? 0);
};

/** Exports over any Kysely database. */
export function exportsIn(db: Kysely<Tables>, jobs: JobQueue, changes: Changes): ExportRecords {
  return {
    async submit(row, job) {
      const [request, work] = [await packed(row.request), await packed(row.work)];
      await transact(db, async tx => {
        if (row.claim) await requireClaimIn(tx, row.claim);
        // Two that are submitted at once would not see each other's rows.
        await tx
          .updateTable('accounts')
          .set(account => ({ plan: account.ref('plan') }))
          .where('id', '=', row.accountId)
          .execute();
        const there = await tx.selectFrom('exports').select('id').where('id', '=', row.id).executeTakeFirst();
        if (there) return;
        const before = await sumOf(tx, row.accountId, row.day);
        if (before + row.total > row.mostRows) throw new RowsOfDaySpent(before);
        await tx
          .insertInto('exports')
          .values({
            id: row.id,
            account_id: row.accountId,
            status: 'queued',
            request,
            work,
            reservation: row.reservation && JSON.stringify(row.reservation),
            done: 0,
            total: row.total,
            parts: 0,
            place: null,
            counts: JSON.stringify(NO_COUNTS),
            warnings: JSON.stringify(row.warnings),
            cost: 0,
            files: null,
            release: row.release,
            error: null,
            day: row.day,
            created_at: row.now,
            updated_at: row.now,
            expires_at: row.expiresAt,
          })
          .execute();
        await jobs.enqueueIn(tx, job);
      });
    },
    async export(accountId, id, now) {
      const row = await db
        .selectFrom('exports')
        .select(COLUMNS)
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? toExport(row) : null;
    },
    async request(accountId, id, now) {
      const row = await db
        .selectFrom('exports')
        .select('request')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? unpacked(row.request) : null;
    },
    async list(accountId, { after, limit }, now) {
      let listed = db
        .selectFrom('exports')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after)
        listed = listed.where(eb => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)));
      return (await listed.execute()).map(toExport);
    },
    rowsOf: (accountId, day) => sumOf(db, accountId, day),
    async begin(id, now) {
      const row = await transact(db, async tx => {
        const started = await tx
          .updateTable('exports')
          .set({ status: 'running', updated_at: now })
          .where('id', '=', id)
          .where('status', 'in', ['queued', 'running'])
          .returningAll()
          .executeTakeFirst();
        if (started) await changes.tellIn(tx, exportTopic(id));
        return started;
      });
      if (!row) return null;
      return {
        accountId: row.account_id,
        work: await unpacked(row.work),
        reservation: row.reservation === null ? null : (JSON.parse(row.reservation) as Reservation),
        release: row.release,
        done: row.done,
        parts: row.parts,
        total: row.total,
        place: row.place === null ? null : (JSON.parse(row.place) as unknown),
        counts: JSON.parse(row.counts) as ExportCounts,
        warnings: JSON.parse(row.warnings) as string[],
        cost: row.cost,
      };
    },
    addPart: (id, { number, bytes, rows, place, counts, warnings, cost }, now) =>
      transact(db, async tx => {
        const moved = await tx
          .updateTable('exports')
          .set(row => ({
            parts: number + 1,
            done: row('done', '+', rows),
            place: JSON.stringify(place),
            counts: JSON.stringify(counts),
            warnings: JSON.stringify(warnings),
            cost,
            updated_at: now,
          }))
          .where('id', '=', id)
          .where('status', '=', 'running')
          .where('parts', '=', number)
          .returning('account_id')
          .executeTakeFirst();
        if (!moved) return false;
        const { account_id } = moved;
        await tx.insertInto('stored_pieces').values({ account_id, owner_id: id, name: PARTS, number, bytes }).execute();
        await changes.tellIn(tx, exportTopic(id));
        return true;
      }),
    async prune(now) {
      const old = await db.selectFrom('exports').select('id').where('expires_at', '<=', now).limit(PRUNED).execute();
      const ids = old.map(({ id }) => id);
      await dropOrphans(db, ids);
      if (ids.length > 0) await db.deleteFrom('exports').where('id', 'in', ids).execute();
      return ids.length;
    },
  };
}
