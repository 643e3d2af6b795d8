import { framed, type PageOutline, type PageText } from '../../query/search/page/written-page.ts';
import { freeAreas } from '../../query/search/request/filter.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { sentOnce } from '../http/sending.ts';
import { requireKept } from '../release/choice.ts';
import type { CursorService } from './cursor.ts';
import { MAX_LIMIT } from './limit.ts';
import { noticeTexts } from './notice-text.ts';
import { SearchReader } from './read.ts';
import { lackOf, searchedRelease } from './searched-release.ts';

/** Milliseconds one page may take (a limit of the interface). */
export const SEARCH_LIMIT_MS = 180_000;
const DOCS_URL = '/v1/docs';

/** Estimated bytes of one match with enrichment, and of one without. The real length of a page replaces them. */
const ENRICHED_BYTES = 320_000;
const MATCH_BYTES = 4_000;

/** Estimates the bytes of a page from a body that is not yet checked. */
export function pageBytes(body: unknown): number {
  const { limit, enrich } = (body ?? {}) as { readonly limit?: unknown; readonly enrich?: unknown };
  const matches = typeof limit === 'number' ? Math.max(1, Math.min(MAX_LIMIT, limit)) : MAX_LIMIT;
  return matches * (enrich === true ? ENRICHED_BYTES : MATCH_BYTES);
}

/** The services that a search needs beside those of every request. */
export interface SearchServices {
  /** Null when no cursor secret is configured. */
  readonly cursors: CursorService | null;
  readonly batch: number;
  /** Most candidates that are read; null is no limit. */
  readonly maxCandidates: number | null;
  readonly maxEvaluated: number | null;
  readonly maxVertices: number;
  readonly maxSquareKm: number;
}

/** The body of a 200; see responseText. */
interface SearchResponse {
  /** JSON text of the array of matches, which is copied into the response. */
  readonly matches: PageText;
  readonly status: 'complete' | 'limited' | 'partial';
  readonly completion_reason: string;
  readonly request_id: string;
  readonly next_cursor: string | null;
  /** No part of the body; only where it was asked for. */
  readonly outline?: PageOutline;
  /** No part of the body: what the filters could not tell, a sentence each. */
  readonly notices: readonly string[];
}

/** The response as JSON text in UTF-8, to be sent once. It reuses the memory of its matches. */
export const responseText = ({ matches, outline: _, notices: __, ...rest }: SearchResponse): Buffer<ArrayBuffer> =>
  sentOnce(framed(matches, '{"matches":', `,${JSON.stringify(rest).slice(1)}`), matches.memory);

/** Makes the refusal of a body that has issues. @param more whether there are more than are listed. */
export function invalidSearch(issues: readonly Issue[], requestId: string, more = false): ServiceError {
  const { length } = issues;
  const count = length === 1 ? 'one thing is' : `${more ? `at least ${length}` : length} things are`;
  return new ServiceError('search_invalid_request', { count }, { issues, docs_url: DOCS_URL, request_id: requestId });
}

/**
 * POST /v1/search: one page of parcels that pass every filter, in stored order.
 * @param body as parsed, not yet checked.
 * @param outline whether an outline of the page is wanted beside it.
 * @throws ServiceError search_invalid_request, search_limit_exceeded, release_not_kept, search_unavailable, worker_stopped; AbortError
 * when the client has gone.
 */
export async function searchParcels(
  ctx: Ctx,
  services: SearchServices,
  body: unknown,
  outline = false,
): Promise<SearchResponse> {
  const { requestId } = ctx;
  const account = ctx.account?.id ?? '';
  const { release, refusal } = await searchedRelease(ctx, body);
  const judged = new SearchReader(ctx.catalog, release, services.maxVertices).read(body);
  if (judged.overLimit)
    throw new ServiceError(
      'search_limit_exceeded',
      { max: MAX_LIMIT },
      { issues: judged.issues, docs_url: DOCS_URL, request_id: requestId },
    );
  if (!judged.body) throw invalidSearch(judged.issues, requestId, judged.more);
  if (refusal) throw refusal;
  const search = judged.body;
  const { cursors } = services;
  if (!cursors) throw new ServiceError('search_unavailable', { reason: 'no cursor signing secret is configured' });
  let after = null;
  if (search.cursor !== null) {
    const verdict = cursors.judge(account, search, search.cursor);
    if ('refusal' in verdict) {
      const hint = 'Restart the search without `cursor`.';
      const description = `The cursor cannot be used: ${verdict.refusal}.`;
      throw invalidSearch([{ path: 'cursor', description, hint }], requestId);
    }
    after = verdict.position;
    if (verdict.release !== null) {
      requireKept(ctx.engine, verdict.release);
      ctx.release.choose(verdict.release);
    }
  }
  const { batch, maxCandidates, maxEvaluated, maxSquareKm } = services;
  const { filters, outputs, countyByFips, enrich, limit } = search;
  const result = await ctx.engine
    .search(
      {
        filters,
        outputs,
        countyByFips,
        enrich,
        limit,
        after,
        budget: { batch, maxCandidates, maxEvaluated, maxSquareKm },
        ...(outline ? { outline } : {}),
      },
      termsOf(ctx),
    )
    .catch((error: unknown) => {
      throw engineRefusal(
        error,
        () => new ServiceError('search_unavailable', { reason: 'all workers are busy and their queue is full' }),
      );
    })
    .finally(() => freeAreas(filters));
  if ('issues' in result) throw invalidSearch(result.issues, requestId);
  return {
    matches: result.matches,
    status: result.status,
    completion_reason: result.reason,
    request_id: requestId,
    next_cursor: result.next === null ? null : cursors.issue(account, search, result.next, ctx.release.source),
    notices: noticeTexts(result.notices ?? [], (name, county) => lackOf(ctx, name, county)),
    ...(result.outline ? { outline: result.outline } : {}),
  };
}
