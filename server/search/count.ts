import { filtersOf, freeAreas } from '../../query/search/request/filter.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import type { CountResponse } from './count-schema.ts';
import { noticeTexts } from './notice-text.ts';
import { invalidSearch, type SearchServices } from './operation.ts';
import { SearchReader } from './read.ts';

/** Said where a state, a county or some rows were not counted. */
const UNREAD =
  'Not all parcels of these states are in this release, could be read or were judged in time: the count is of those that were.';

/**
 * POST /v1/search/count: how many parcels pass every filter, to a bound.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, search_unavailable, worker_stopped; AbortError when the client has gone.
 */
export async function countMatches(ctx: Ctx, services: SearchServices, body: unknown): Promise<CountResponse> {
  const { requestId } = ctx;
  const judged = new SearchReader(ctx.catalog, ctx.engine, services.maxVertices).readCount(body);
  if (!judged.body) throw invalidSearch(judged.issues, requestId, judged.more);
  const { inOrder: filters, outputs, countyByFips, limit: bound } = judged.body;
  const { batch, maxCandidates, maxEvaluated, maxSquareKm } = services;
  const budget = { batch, maxCandidates, maxEvaluated, maxSquareKm };
  const refused = (reason: string) => new ServiceError('search_unavailable', { reason });
  const counted = await ctx.engine
    .count({ filters, outputs, countyByFips, bound, budget }, termsOf(ctx))
    .catch((error: unknown) => {
      throw engineRefusal(error, () => refused('all workers are busy and their queue is full'));
    })
    .finally(() => freeAreas(filtersOf(filters)));
  if ('issues' in counted) throw invalidSearch(counted.issues, requestId);
  if ('uncounted' in counted) throw refused(counted.uncounted);
  const { count, outlines, atLeast, unread, unknown, perFilter, preview, notices } = counted;
  const warnings = noticeTexts(notices, (name, county) => ctx.engine.availability(county).lackOf(name));
  return {
    count,
    outlines,
    at_least: atLeast,
    unknown,
    warnings: unread ? [...warnings, UNREAD] : warnings,
    per_filter: perFilter.map((each, index) => ({ index, ...each })),
    preview: JSON.parse(preview) as CountResponse['preview'],
  };
}
