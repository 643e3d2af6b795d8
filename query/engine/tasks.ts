import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../evaluate/answer.ts';
import type { TaskEnvironment } from '../evaluate/environment.ts';
import { findAt } from '../evaluate/evaluate.ts';
import { requestedFields } from '../evaluate/requested-fields.ts';
import { type WrittenAnswers, writeAnswers } from '../evaluate/written-answers.ts';
import type { Geocoded } from '../geocode/match.ts';
import type { ParcelCounts } from '../parcel/parcel-counts.ts';
import type { ParcelVerdict } from '../parcel/parcel-match.ts';
import { Interrupted } from '../release/fault.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import type { WrittenResult } from '../search/page/written-page.ts';
import { freeAreas } from '../search/request/filter.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { type AggregateAnswer, type AggregateRequest, writeAggregate } from '../sets/aggregate.ts';
import { type AreaAnswer, type AreaRequest, areaAbout } from '../sets/area.ts';
import { type ExplainRequest, type Explanation, explainFilters } from '../sets/explain.ts';
import { type ParcelPlace, type ParcelPlaceRequest, placeOfParcel } from '../sets/parcel-by-id.ts';
import { type RankAnswer, type RankRequest, rankParcels } from '../sets/rank.ts';
import { areasOf } from '../sets/set-filter.ts';
import type { SetRequest } from '../sets/set-ground.ts';
import { type SimilarAnswer, type SimilarRequest, similarParcels } from '../sets/similar.ts';
import {
  findOwnerParcels,
  findOwners,
  type OwnerParcelsAnswer,
  type OwnerParcelsRequest,
  type OwnersAnswer,
  type OwnersRequest,
} from '../suggest/owners.ts';
import type { SuggestRequest } from '../suggest/suggest.ts';
import { type ChangesAnswer, type ChangesRequest, changesTask } from './changes-task.ts';
import { columnsOf } from './contents/columns.ts';
import { parcelCountsTask, type RejectedByCounty, rejectedParcelsTask } from './contents/counts-task.ts';
import { type CountAnswer, type CountRequest, countParcels, type Unanswered } from './count-task.ts';
import { type EnrichAnswer, type EnrichRequest, enrich } from './enrich-task.ts';
import type { Failure } from './failure.ts';
import { geocodeTask } from './geocode-task.ts';
import { type MatchRequest, matchParcel } from './match-task.ts';
import { type PlacesAnswer, type PlacesQuestion, placesTask } from './route/places-task.ts';
import type { RouteAnswer, RouteTask } from './route/route-question.ts';
import { routeTask } from './route/route-task.ts';
import { search } from './search-task.ts';
import { type SiteGround, screenGround } from './site/ground-task.ts';
import { readSite, type SiteCandidate, type SiteReading } from './site/reading-task.ts';
import { type Suggestions, suggestTask } from './suggest-task.ts';

/** What workers can be asked, by name: input and output are plain data that cross between threads. */
export interface Tasks {
  readonly fetch: {
    readonly input: { readonly names: readonly string[]; readonly point: Point };
    readonly output: WrittenAnswers;
  };
  readonly aggregate: { readonly input: AggregateRequest; readonly output: AggregateAnswer | Unanswered };
  readonly area: { readonly input: AreaRequest; readonly output: AreaAnswer | Unanswered };
  readonly changes: { readonly input: ChangesRequest; readonly output: ChangesAnswer };
  readonly count: { readonly input: CountRequest; readonly output: CountAnswer };
  readonly enrich: { readonly input: EnrichRequest; readonly output: EnrichAnswer };
  readonly explain: { readonly input: ExplainRequest; readonly output: Explanation | Unanswered };
  readonly geocode: { readonly input: { readonly address: string }; readonly output: Geocoded | Failure };
  readonly matchParcel: { readonly input: MatchRequest; readonly output: ParcelVerdict };
  readonly ownerParcels: { readonly input: OwnerParcelsRequest; readonly output: OwnerParcelsAnswer | Unanswered };
  readonly owners: { readonly input: OwnersRequest; readonly output: OwnersAnswer | Unanswered };
  readonly parcelColumns: { readonly input: null; readonly output: { readonly names: readonly string[] } | Failure };
  readonly parcelCounts: { readonly input: { readonly fips: string }; readonly output: ParcelCounts | Failure };
  readonly rejectedParcels: {
    readonly input: { readonly counties: readonly string[] };
    readonly output: RejectedByCounty | Failure;
  };
  readonly parcelPlace: { readonly input: ParcelPlaceRequest; readonly output: ParcelPlace | Unanswered };
  readonly rank: { readonly input: RankRequest; readonly output: RankAnswer | Unanswered };
  readonly route: { readonly input: RouteTask; readonly output: RouteAnswer };
  readonly places: { readonly input: PlacesQuestion; readonly output: PlacesAnswer };
  readonly search: { readonly input: SearchRequest; readonly output: WrittenResult };
  readonly readSite: { readonly input: SiteCandidate; readonly output: SiteReading };
  readonly similar: { readonly input: SimilarRequest; readonly output: SimilarAnswer | Unanswered };
  readonly suggest: { readonly input: SuggestRequest; readonly output: Suggestions | Failure };
  readonly site: { readonly input: Geometry; readonly output: SiteGround | { readonly unscreened: string } };
}

export type TaskName = keyof Tasks;

/** A question about a set of parcels, as workers are asked it. */
const setTask =
  <R extends SetRequest, A>(answer: (request: R, environment: SearchEnvironment) => Promise<A>) =>
  (request: R, { onProgress, ...environment }: TaskEnvironment): Promise<A> =>
    answer(request, { ...environment, onJudged: onProgress }).finally(() =>
      freeAreas({ areas: areasOf(request.filters) }),
    );

/** How each task is carried out. May throw Interrupted once `stopped` says so. */
export const TASKS: {
  readonly [K in TaskName]: (input: Tasks[K]['input'], environment: TaskEnvironment) => Promise<Tasks[K]['output']>;
} = {
  fetch: async ({ names, point }, environment) => {
    const requested = requestedFields(environment.catalog, names);
    return writeAnswers(requested, await findAt(requested, point, environment));
  },
  aggregate: setTask(writeAggregate),
  area: areaAbout,
  changes: changesTask,
  count: setTask(countParcels),
  enrich,
  explain: setTask(explainFilters),
  geocode: geocodeTask,
  matchParcel,
  ownerParcels: setTask(findOwnerParcels),
  owners: setTask(findOwners),
  parcelColumns: async (_, { release, catalog }) => ({ names: [...columnsOf(release, catalog)] }),
  parcelCounts: parcelCountsTask,
  parcelPlace: setTask(placeOfParcel),
  places: placesTask,
  readSite,
  rank: setTask(rankParcels),
  rejectedParcels: rejectedParcelsTask,
  route: routeTask,
  site: (geometry, environment) =>
    screenGround(geometry, environment).catch(error => {
      if (error instanceof Interrupted) throw error;
      return { unscreened: (error as Error).message };
    }),
  search: (request, { onProgress, ...environment }) =>
    search(request, { ...environment, onJudged: onProgress }).finally(() => freeAreas(request.filters)),
  similar: setTask(similarParcels),
  suggest: suggestTask,
};
