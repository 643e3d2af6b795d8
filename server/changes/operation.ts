import { comparableNames } from '../../query/changes/names.ts';
import type { Gap, LayerChange } from '../../query/changes/page.ts';
import type { ParcelChange } from '../../query/changes/parcel-changes.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { fieldsUnknown, MAX_FIELDS } from '../fetch/selection.ts';
import { requireKept } from '../release/choice.ts';
import type { ChangesCursors, Continuation } from './cursor.ts';

/** Milliseconds for one page. Most of them are for a single piece of work of the largest size. */
export const CHANGES_LIMIT_MS = 60_000;
/** Milliseconds after which a page ends at the next possible place. */
const SOFT_MS = 5_000;
/** Rows of both releases after which a page ends as well. */
const PAGE_ROWS = 200_000;
/** Parcels of a page by default. */
const DEFAULT_LIMIT = 100;

/** The query of GET /v1/changes. */
export interface ChangesQuery {
  readonly since: string;
  readonly state?: string;
  /** Field names, separated by commas. */
  readonly fields?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

/** The services for changes, beside those of every request. */
export interface ChangesServices {
  /** Null when no cursor secret is configured. */
  readonly cursors: ChangesCursors | null;
}

interface ChangesResponse {
  readonly since: string;
  readonly release: string;
  readonly layers: readonly LayerChange[];
  readonly parcels: readonly ParcelChange[];
  readonly gaps: readonly Gap[];
  readonly next_cursor: string | null;
}

function fieldsOf({ catalog }: Ctx, text: string | undefined): string[] {
  const fields = [...new Set(text === undefined ? [] : text.split(','))];
  const comparable = comparableNames(catalog);
  const unknown = fields.filter(name => !comparable.has(name));
  if (unknown.length > 0) throw fieldsUnknown(catalog, unknown, comparable);
  const requested = fields.length;
  if (requested > MAX_FIELDS)
    throw new ServiceError('fields_too_many', { requested, max: MAX_FIELDS }, { max: MAX_FIELDS, requested });
  return fields;
}

/**
 * GET /v1/changes: the differences between a kept release and the current one. Free.
 * @throws ServiceError fields_unknown, fields_too_many, release_not_kept, changes_cursor_invalid, changes_unavailable,
 * worker_stopped; AbortError when the client has gone.
 */
export async function changesSince(
  ctx: Ctx,
  { cursors }: ChangesServices,
  query: ChangesQuery,
): Promise<ChangesResponse> {
  const fields = fieldsOf(ctx, query.fields);
  const { since, state = null, limit } = query;
  if (!cursors) throw new ServiceError('changes_unavailable', { reason: 'no cursor signing secret is configured' });
  const terms = { account: accountOf(ctx).id, since, state, fields };
  let going: Continuation | null = null;
  if (query.cursor !== undefined) {
    const verdict = cursors.judge(terms, query.cursor);
    if (typeof verdict === 'string') throw new ServiceError('changes_cursor_invalid', { reason: verdict });
    going = verdict;
  }
  const to = going?.to ?? ctx.engine.status().release;
  for (const release of [since, ...(to === null ? [] : [to])]) requireKept(ctx.engine, release);
  const question = { state, fields, from: going?.from ?? null, limit: Number(limit ?? DEFAULT_LIMIT) };
  const answer = await ctx.engine
    .changes({ since, to: to!, ...question, rows: PAGE_ROWS, softMs: SOFT_MS }, termsOf(ctx))
    .catch((error: unknown) => {
      const reason = 'all workers are busy and their queue is full';
      throw engineRefusal(error, () => new ServiceError('changes_unavailable', { reason }));
    });
  if ('failed' in answer) throw new ServiceError('changes_unavailable', { reason: answer.failed });
  const { next, ...page } = answer;
  return { since, release: to!, ...page, next_cursor: next && cursors.issue(terms, { to: to!, from: next }) };
}
