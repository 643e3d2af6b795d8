import type { Unanswered } from '../../query/engine/count-task.ts';
import type { Engine, RequestTerms } from '../../query/engine/engine-interface.ts';
import type { Notice } from '../../query/search/page/notices.ts';
import { freeAreas } from '../../query/search/request/filter.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import type { SetRequest } from '../../query/sets/ground/set-ground.ts';
import { areasOf, type SetFilter } from '../../query/sets/set-filter.ts';
import { termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { noticeTexts } from '../search/notice-text.ts';
import { invalidSearch } from '../search/operation.ts';
import { lackOf, searchedRelease } from '../search/searched-release.ts';
import { type AreaCtx, areaOf, type SetServices } from './area-source.ts';
import { NearFilters } from './near.ts';
import { type SetJudgement, SetReader } from './set-reader.ts';

/** Said where a state, a county or some rows were not looked at. */
const UNREAD = 'Not all parcels of these states are in this release, could be read or were judged in time';

/** What every answer about a set says beside its own. */
interface Told {
  readonly notices: readonly Notice[];
  readonly unread: boolean;
  /** Fields without any value among the parcels. */
  readonly empty?: readonly string[];
}

/**
 * Asks the engine about a set, once the areas of its filters are made.
 * @param body as parsed. @param read reads it. @param ask does it.
 * @param told gets the filters, once the areas among them are made.
 * @throws ServiceError search_invalid_request, release_not_kept, search_unavailable, worker_stopped, and those of areaOf where a filter is `near`;
 * AbortError when the client has gone.
 */
export async function askSet<B extends object, A extends object>(
  { ctx, services, body }: { readonly ctx: AreaCtx; readonly services: SetServices; readonly body: unknown },
  read: (reader: SetReader, body: unknown) => SetJudgement<B>,
  ask: (engine: Engine, request: SetRequest & B, terms: RequestTerms) => Promise<A | Unanswered>,
  told: (filters: readonly SetFilter[]) => void = () => {},
): Promise<Exclude<A, { readonly issues: readonly Issue[] } | Unanswered>> {
  const { requestId } = ctx;
  const near = new NearFilters(body, services.maxVertices);
  const { release, refusal } = await searchedRelease(ctx, body);
  const judged = read(new SetReader(ctx.catalog, release, services.maxVertices), near.body);
  const wrong = 'issues' in judged ? [...near.issues.all, ...judged.issues] : near.issues.all;
  if ('issues' in judged || wrong.length) {
    const more = near.issues.more || ('more' in judged && judged.more);
    throw invalidSearch(wrong, requestId, more);
  }
  if (refusal) throw refusal;
  const { batch, maxCandidates, maxEvaluated, maxSquareKm } = services;
  const filters = await near.resolve(judged.body.filters, async question => {
    const { geometry } = await areaOf(ctx, services, question);
    return geometry;
  });
  told(filters);
  const request = { ...judged.body, filters, budget: { batch, maxCandidates, maxEvaluated, maxSquareKm } };
  const refused = (reason: string) => new ServiceError('search_unavailable', { reason });
  const answer = await ask(ctx.engine, request, termsOf(ctx))
    .catch((error: unknown) => {
      throw engineRefusal(error, () => refused('all workers are busy and their queue is full'));
    })
    .finally(() => freeAreas({ areas: areasOf(request.filters) }));
  if ('issues' in answer) throw invalidSearch(answer.issues as readonly Issue[], requestId);
  if ('uncounted' in answer) throw refused(String(answer.uncounted));
  return answer as Exclude<A, { readonly issues: readonly Issue[] } | Unanswered>;
}

/** How far the parcels of an answer were looked through, and which request it is of. */
export const endOf = (unread: boolean, requestId: string, late = false) => ({
  status: unread ? ('partial' as const) : ('complete' as const),
  completion_reason: late ? ('timeout' as const) : unread ? ('source_unavailable' as const) : ('exhausted' as const),
  request_id: requestId,
});

/** Reasons why something of a set could not be told, a sentence each. @param what the answer is called. */
export function warningsOf(
  ctx: Pick<AreaCtx, 'engine' | 'release'>,
  what: string,
  { notices, unread, empty = [] }: Told,
): string[] {
  const reasonOf = (name: string, county: string | null) => lackOf(ctx, name, county);
  const lacking = empty.map(name => {
    const why = reasonOf(name, null);
    return `No parcel that passes has a value of ${name}${why ? ` (${why})` : ''}: nothing was found out about it.`;
  });
  return [
    ...noticeTexts(notices, reasonOf),
    ...lacking,
    ...(unread ? [`${UNREAD}: the ${what} is of those that were.`] : []),
  ];
}
