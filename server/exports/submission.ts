import { toGeoJson } from '../../query/search/page/geojson.ts';
import { isArea, type SetFilter } from '../../query/sets/set-filter.ts';
import { accountOf, type Ctx } from '../context.ts';
import { reserveCredits } from '../credits/charge.ts';
import { priceOf } from '../credits/price.ts';
import { ServiceError } from '../errors/registry.ts';
import { GEOCODE_CREDITS } from '../geocode/resolver.ts';
import { fileWork, idOfCharge, submitOnce } from '../idempotency/submission.ts';
import { jobOf } from '../jobs/job-kind.ts';
import { waitingRefusal, withWaitingLimit } from '../jobs/waiting-limit.ts';
import { PLANS } from '../plans.ts';
import { chooseRelease } from '../release/choice.ts';
import { isObject } from '../search/body-reader.ts';
import { askSet, warningsOf } from '../sets/answer.ts';
import type { AreaCtx, SetServices } from '../sets/area-source.ts';
import { RowsOfDaySpent } from '../state/exports/records.ts';
import type { Claim } from '../state/idempotency.ts';
import type { Reservation } from '../state/ledger.ts';
import { exportJob } from './export-job.ts';
import { EXPORT_KEPT_MS, MOST_COUNTED, PART_ROWS } from './limits.ts';
import type { ExportAccepted, ExportBody } from './schema.ts';
import { exportFields } from './selection.ts';
import { uploadOf } from './upload.ts';
import type { ExportWork } from './work.ts';

const ENDPOINT = 'exports';
const ONE_SOURCE = 'Expected either `search` or `upload_id`';
const DAY_MS = 24 * 60 * 60 * 1000;

/** An export that was judged: what its job does, and what it may cost. */
interface Judged {
  readonly work: ExportWork;
  readonly rows: number;
  /** Credits, if no field fails. */
  readonly cost: number;
  /** Credits of addresses among them. */
  readonly addresses: number;
  readonly warnings: readonly string[];
}

/** Filters as JSON whose areas are made. */
export const withAreas = (filters: readonly unknown[], all: readonly SetFilter[]): unknown[] =>
  filters.map((filter, i) => {
    const area = all[i];
    if (!isObject(filter) || !Object.hasOwn(filter, 'near') || !area || !isArea(area)) return filter;
    return { field: 'geometry', op: 'intersects', value: toGeoJson(area.geometry) };
  });

/** Judges the filters of an export and counts its parcels. @throws ServiceError as askSet. */
export async function judgeSearch(ctx: AreaCtx, services: SetServices, body: ExportBody) {
  const { filters } = body.search!;
  let stored: unknown = filters;
  const counted = await askSet(
    { ctx, services, body: { filters, ...(body.release == null ? {} : { release: body.release }) } },
    (reader, read) => reader.readSet(read, [], () => ({ bound: MOST_COUNTED })),
    (engine, request, terms) => engine.count(request, terms),
    all => {
      stored = withAreas(filters as unknown[], all);
    },
  );
  const {
    cursors: _,
    drive: __,
    siteShape: ___,
    sitingTemplate: ______,
    keepMap: ____,
    upload: _____,
    ...limits
  } = services;
  const source = { of: 'search' as const, filters: stored, limits };
  return { source, rows: counted.count, addresses: 0, warnings: warningsOf(ctx, 'export', counted) };
}

async function judgeUpload(ctx: Ctx, body: ExportBody) {
  chooseRelease(ctx, body);
  const { id, kind, rows } = await uploadOf(ctx, body.upload_id!);
  const source = { of: 'upload' as const, upload: id, kind, parts: Math.ceil(rows / PART_ROWS) };
  return { source, rows, addresses: kind === 'address' ? rows * GEOCODE_CREDITS : 0, warnings: [] };
}

/** The columns that parcels have in the release that a body names. */
export async function columnsOf(ctx: AreaCtx, body: ExportBody): Promise<ReadonlySet<string>> {
  chooseRelease(ctx, body);
  const { engine, release, deadline, signal } = ctx;
  return release.isPast ? engine.parcelColumnsOf(release.id!, { deadline, signal }) : engine.parcelColumns();
}

/**
 * Judges an export and counts its rows.
 * @throws ServiceError invalid_request, no_fields_requested, fields_unknown, fields_too_many, release_not_kept, upload_not_found,
 * and those of askSet.
 */
export async function judgeExport(ctx: Ctx, services: SetServices, body: ExportBody): Promise<Judged> {
  if ((body.search === undefined) === (body.upload_id === undefined))
    throw new ServiceError(
      'invalid_request',
      { count: '1 fault', first: ONE_SOURCE },
      { errors: [{ loc: ['body'], msg: ONE_SOURCE, type: 'value_error' }] },
    );
  const fields = exportFields(ctx.catalog, await columnsOf(ctx, body), body);
  const { source, rows, addresses, warnings } = body.search
    ? await judgeSearch(ctx, services, body)
    : await judgeUpload(ctx, body);
  const { total } = priceOf(ctx.catalog, accountOf(ctx).plan, fields.computed);
  return { work: { format: body.format, fields, source }, rows, cost: total * rows + addresses, addresses, warnings };
}

/** The refusal of an export whose rows pass those of the day. */
function rowsRefusal(ctx: Ctx, rows: number, used: number): ServiceError {
  const { plan } = accountOf(ctx);
  const most = PLANS[plan].exportRows;
  const resets = new Date((Math.floor(ctx.clock.now() / DAY_MS) + 1) * DAY_MS);
  return new ServiceError(
    'credits_exhausted',
    {
      what: 'Rows of exports',
      required: rows,
      remaining: Math.max(0, most - used),
      limit: most,
      whose: `for today on plan ${plan}`,
      resets: resets.toISOString(),
    },
    { plan, rows_required: rows, rows_a_day: most, rows_used: used, resets_at: resets.toISOString() },
    resets,
  );
}

async function file(
  ctx: Ctx,
  body: ExportBody,
  judged: Judged,
  filed: { readonly id: string; readonly reservation: Reservation | null; readonly claim: Claim | null },
) {
  const now = ctx.clock.now();
  const { id: accountId, plan } = accountOf(ctx);
  const { source } = judged.work;
  if (source.of === 'upload') await ctx.state.uploads.keepUntil(source.upload, now + DAY_MS);
  await ctx.state.exports.submit(
    {
      ...filed,
      accountId,
      request: JSON.stringify(body),
      work: JSON.stringify(judged.work),
      total: judged.rows,
      warnings: judged.warnings,
      release: ctx.release.id,
      day: Math.floor(now / DAY_MS),
      mostRows: PLANS[plan].exportRows,
      now,
      expiresAt: now + EXPORT_KEPT_MS,
    },
    withWaitingLimit(ctx, jobOf(exportJob, filed.id, { export_id: filed.id }, accountId)),
  );
}

/**
 * POST /v1/exports: a table of many places that is made in the background. It is judged, counted and its credits are reserved
 * before it is accepted. With a key it is submitted once in 24 hours.
 * @param body already of the right shape.
 * @throws ServiceError as judgeExport; credits_exhausted for credits or rows of the day; rate_limited when too many exports of the
 * account wait; those of an idempotency key.
 */
export async function submitExport(
  ctx: Ctx,
  services: SetServices,
  body: ExportBody,
  idempotencyKey: string | null = null,
): Promise<ExportAccepted> {
  const submit = async (chargeId: string, claim: Claim | null): Promise<ExportAccepted> => {
    const id = idOfCharge('exp', chargeId);
    const isThere = async () => (await ctx.state.exports.export(accountOf(ctx).id, id, ctx.clock.now())) !== null;
    if (!claim?.isTakeover || !(await isThere())) {
      const judged = await judgeExport(ctx, services, body);
      const held: Ctx = { ...ctx, deadline: ctx.clock.now() + DAY_MS };
      const reservation = judged.cost > 0 ? await reserveCredits(held, chargeId, ENDPOINT, [judged.cost]) : null;
      await fileWork({
        reservation,
        file: () => file(ctx, body, judged, { id, reservation, claim }),
        isThere,
        refusalOf: error =>
          error instanceof RowsOfDaySpent
            ? rowsRefusal(ctx, judged.rows, error.rows)
            : waitingRefusal(error, 'exports of this account wait to be started'),
      });
    }
    return { export_id: id, status: 'queued', poll: `/v1/exports/${id}`, events: `/v1/exports/${id}/events` };
  };
  return submitOnce(ctx, { endpoint: ENDPOINT, key: idempotencyKey, body }, submit);
}
