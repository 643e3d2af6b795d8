import { setTimeout as sleep } from 'node:timers/promises';
import type { PointTable, PointTableRequest } from '../../query/engine/contents/point-table.ts';
import { EngineBusy } from '../../query/engine/engine-interface.ts';
import type { SetPlace } from '../../query/sets/part/set-part.ts';
import { type Ctx, termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { askSet } from '../sets/answer.ts';
import type { AreaCtx } from '../sets/area-source.ts';
import { PARTS } from '../state/exports/pieces.ts';
import type { ExportCounts } from '../state/exports/records.ts';
import { unpacked } from '../state/packed-text.ts';
import { H3_RESOLUTION, PART_ROWS } from './limits.ts';
import { packedPart } from './part.ts';
import type { PlaceRow } from './place-row.ts';
import type { ExportThreads } from './threads.ts';
import { placesOfRows } from './upload-part.ts';
import type { ExportWork } from './work.ts';

/** Milliseconds before a part is asked for again that the engine had no room for, and how often it is. */
const BUSY_MS = 500;
const MOST_TRIES = 20;
/** Said once where something between could not be read. */
const UNREAD = 'Not all parcels could be read: the export is of those that were.';

/** Where an export stands: the place in its set, or only that the upload has come to its end. */
export interface ExportPlace {
  readonly next: SetPlace | null;
  readonly ended: boolean;
}

/** A part that was made. */
export interface NewPart {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly place: ExportPlace;
  readonly counts: ExportCounts;
  /** What is charged: as PointTable has it, and credits of addresses. */
  readonly billed: PointTable['billed'] & { readonly addresses: number };
  readonly warnings: readonly string[];
}

/** Asks again for a while where the engine has no room: nobody waits for a single part. */
async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask();
    } catch (error) {
      const busy =
        error instanceof EngineBusy || (error instanceof ServiceError && error.code === 'search_unavailable');
      if (!busy || attempt === MOST_TRIES) throw error;
      await sleep(BUSY_MS, undefined, { signal });
    }
}

const NOTHING = { columns: '{}', counts: { ok: 0, absent: 0, failed: 0 }, billed: { fields: 0, parcels: 0 } };

/** The computed fields at some points. */
const computed = async (
  ctx: AreaCtx,
  names: readonly string[],
  points: PointTableRequest['points'],
): Promise<PointTable> =>
  names.length > 0 && points.length > 0
    ? patiently(ctx.signal, () => ctx.engine.pointTable({ names, points }, termsOf(ctx)))
    : NOTHING;

/** Makes the next part of an export of parcels. @param place after the part before; null before the first. @param counts before it. */
export async function parcelPart(
  ctx: AreaCtx,
  { format, fields }: Pick<ExportWork, 'format' | 'fields'>,
  { filters, limits }: Extract<ExportWork['source'], { of: 'search' }>,
  place: ExportPlace | null,
  counts: ExportCounts,
): Promise<NewPart> {
  const stored = () => Promise.reject(new Error('an export makes no areas and no maps'));
  const body = { filters, fields: fields.columns.filter(name => name !== 'geometry') };
  const located = fields.computed.length > 0;
  // Formats of maps have the boundary of every parcel.
  const shown = { resolution: H3_RESOLUTION, shapes: format !== 'csv' };
  const part = await patiently(ctx.signal, () =>
    askSet(
      {
        ctx,
        services: {
          ...limits,
          cursors: null,
          drive: stored,
          siteShape: stored,
          sitingTemplate: stored,
          keepMap: stored,
          upload: stored,
        },
        body,
      },
      (reader, read) => reader.readSet(read, ['fields'], () => ({})),
      (engine, request, terms) =>
        engine.setPart({ ...request, after: place?.next ?? null, limit: PART_ROWS, located, table: shown }, terms),
    ),
  );
  if (part.late) throw new Error('the time for a part of an export was up');
  const points = part.places.map(({ county, row, lng, lat }) => ({ county, row, lng, lat }));
  const table = await computed(ctx, fields.computed, points);
  return {
    bytes: await packedPart({ of: 'matches', table: part.table! }, table.columns),
    rows: part.count,
    place: { next: part.next, ended: part.next === null },
    counts: sumOf(counts, part.count, 0, table.counts),
    billed: { ...table.billed, addresses: 0 },
    warnings: part.unread ? [UNREAD] : [],
  };
}

const sumOf = (
  before: ExportCounts,
  rows: number,
  failedRows: number,
  counts: typeof NOTHING.counts,
): ExportCounts => ({
  rows_ok: before.rows_ok + rows - failedRows,
  rows_failed: before.rows_failed + failedRows,
  values_ok: before.values_ok + counts.ok,
  values_absent: before.values_absent + counts.absent,
  values_failed: before.values_failed + counts.failed,
});

/** Makes the parts of an export one after another. */
export class PartMaker {
  readonly #ctx: Ctx;
  readonly #work: ExportWork;
  readonly #threads: ExportThreads;

  /** @param ctx of its account; the release is the one that it was submitted for. */
  constructor(ctx: Ctx, work: ExportWork, threads: ExportThreads) {
    this.#ctx = ctx;
    this.#work = work;
    this.#threads = threads;
  }

  /**
   * Makes a part.
   * @param number of the part. @param place after the part before; null before the first. @param counts before it.
   * @throws ServiceError where the export cannot go on.
   */
  next(number: number, place: ExportPlace | null, counts: ExportCounts): Promise<NewPart> {
    const { source } = this.#work;
    return source.of === 'search'
      ? parcelPart(this.#ctx, this.#work, source, place, counts)
      : this.#rows(source, number, counts);
  }

  async #rows(
    { upload, parts }: Extract<ExportWork['source'], { of: 'upload' }>,
    number: number,
    counts: ExportCounts,
  ): Promise<NewPart> {
    const ctx = this.#ctx;
    const piece = await ctx.state.pieces.piece(upload, PARTS, number);
    if (!piece) throw new ServiceError('upload_not_found');
    const sent = JSON.parse(await unpacked(piece)) as PlaceRow[];
    const { rows, credits } = await placesOfRows(ctx, this.#threads, sent, number * PART_ROWS + 1);
    const points = rows.flatMap(({ point }) => (point ? [{ lng: point[0], lat: point[1] }] : []));
    const table = await computed(ctx, this.#work.fields.computed, points);
    return {
      bytes: await packedPart({ of: 'rows', rows }, table.columns),
      rows: rows.length,
      place: { next: null, ended: number + 1 === parts },
      counts: sumOf(counts, rows.length, rows.length - points.length, table.counts),
      billed: { ...table.billed, addresses: credits },
      warnings: [],
    };
  }
}
