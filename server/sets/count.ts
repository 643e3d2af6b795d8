import { askSet, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import type { CountResponse } from './count-schema.ts';
import { DEFAULT_BOUND, MAX_BOUND } from './limits.ts';

/**
 * POST /v1/search/count: how many parcels pass every filter, to a bound.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, search_unavailable, worker_stopped, and those of areaOf; AbortError when the client has gone.
 */
export async function countMatches(ctx: AreaCtx, services: SetServices, body: unknown): Promise<CountResponse> {
  const counted = await askSet(
    { ctx, services, body },
    (reader, read) =>
      reader.readSet(read, ['bound'], own => ({
        bound: reader.readCount(own, 'bound', { usual: DEFAULT_BOUND, most: MAX_BOUND }),
      })),
    (engine, request, terms) => engine.count(request, terms),
  );
  const { count, outlines, atLeast, unknown, perFilter, preview } = counted;
  return {
    count,
    outlines,
    at_least: atLeast,
    unknown,
    warnings: warningsOf(ctx, 'count', counted),
    per_filter: perFilter.map((each, index) => ({ index, ...each })),
    preview: JSON.parse(preview) as CountResponse['preview'],
  };
}
