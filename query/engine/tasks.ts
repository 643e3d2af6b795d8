import { type Accumulation, type AccumulationRequest, accumulate } from '../accumulation/accumulation.ts';
import type { Point } from '../evaluate/answer.ts';
import type { TaskEnvironment } from '../evaluate/environment.ts';
import { findAt } from '../evaluate/evaluate.ts';
import { requestedFields } from '../evaluate/requested-fields.ts';
import { type WrittenAnswers, writeAnswers } from '../evaluate/written-answers.ts';
import type { Geocoded } from '../geocode/match.ts';
import type { ParcelCounts } from '../parcel/parcel-counts.ts';
import type { ParcelVerdict } from '../parcel/parcel-match.ts';
import { Interrupted } from '../release/fault.ts';
import type { WrittenResult } from '../search/page/written-page.ts';
import { freeAreas } from '../search/request/filter.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { type AreaAnswer, type AreaRequest, areaAbout } from '../sets/area.ts';
import type { SuggestRequest } from '../suggest/suggest.ts';
import { type ChangesAnswer, type ChangesRequest, changesTask } from './changes-task.ts';
import { columnsOf } from './contents/columns.ts';
import { parcelCountsTask, type RejectedByCounty, rejectedParcelsTask } from './contents/counts-task.ts';
import { type Evidence, type EvidenceRequest, evidenceTask } from './contents/evidence.ts';
import { type PointTable, type PointTableRequest, pointTable } from './contents/point-table.ts';
import type { Unanswered } from './count-task.ts';
import { type EnrichAnswer, type EnrichRequest, enrich } from './enrich-task.ts';
import type { Failure } from './failure.ts';
import { geocodeTask } from './geocode-task.ts';
import { type FeatureAnswer, type FeatureQuestion, featureTask } from './map/features-task.ts';
import { type TerrainRequest, type TerrainTile, terrainTask } from './map/terrain-task.ts';
import { type MatchRequest, matchParcel } from './match-task.ts';
import { type PlacesAnswer, type PlacesQuestion, placesTask } from './route/places-task.ts';
import type { RouteAnswer, RouteTask } from './route/route-question.ts';
import { routeTask } from './route/route-task.ts';
import { search } from './search-task.ts';
import { SET_TASKS, type SetTasks } from './set/set-tasks.ts';
import { type GroundRequest, type SiteGround, screenGround } from './site/ground-task.ts';
import { readSite, type SiteCandidate, type SiteReading } from './site/reading-task.ts';
import { type Suggestions, suggestTask } from './suggest-task.ts';

/** What workers can be asked, by name, beside questions about sets: input and output are plain data that cross between threads. */
export interface Tasks extends SetTasks {
  readonly fetch: {
    readonly input: { readonly names: readonly string[]; readonly point: Point };
    readonly output: WrittenAnswers;
  };
  readonly accumulation: { readonly input: AccumulationRequest; readonly output: Accumulation | Unanswered };
  readonly area: { readonly input: AreaRequest; readonly output: AreaAnswer | Unanswered };
  readonly changes: { readonly input: ChangesRequest; readonly output: ChangesAnswer };
  readonly evidence: { readonly input: EvidenceRequest; readonly output: Evidence | Failure };
  readonly enrich: { readonly input: EnrichRequest; readonly output: EnrichAnswer };
  readonly features: { readonly input: FeatureQuestion; readonly output: FeatureAnswer | Failure };
  readonly geocode: { readonly input: { readonly address: string }; readonly output: Geocoded | Failure };
  readonly matchParcel: { readonly input: MatchRequest; readonly output: ParcelVerdict };
  readonly parcelColumns: { readonly input: null; readonly output: { readonly names: readonly string[] } | Failure };
  readonly parcelCounts: { readonly input: { readonly fips: string }; readonly output: ParcelCounts | Failure };
  readonly rejectedParcels: {
    readonly input: { readonly counties: readonly string[] };
    readonly output: RejectedByCounty | Failure;
  };
  readonly route: { readonly input: RouteTask; readonly output: RouteAnswer };
  readonly places: { readonly input: PlacesQuestion; readonly output: PlacesAnswer };
  readonly search: { readonly input: SearchRequest; readonly output: WrittenResult };
  readonly readSite: { readonly input: SiteCandidate; readonly output: SiteReading };
  readonly pointTable: { readonly input: PointTableRequest; readonly output: PointTable | Failure };
  readonly suggest: { readonly input: SuggestRequest; readonly output: Suggestions | Failure };
  readonly terrain: { readonly input: TerrainRequest; readonly output: TerrainTile | Failure };
  readonly site: { readonly input: GroundRequest; readonly output: SiteGround | { readonly unscreened: string } };
}

export type TaskName = keyof Tasks;

/** How each task is carried out. May throw Interrupted once `stopped` says so. */
export const TASKS: {
  readonly [K in TaskName]: (input: Tasks[K]['input'], environment: TaskEnvironment) => Promise<Tasks[K]['output']>;
} = {
  ...SET_TASKS,
  fetch: async ({ names, point }, environment) => {
    const requested = requestedFields(environment.catalog, names);
    return writeAnswers(requested, await findAt(requested, point, environment));
  },
  accumulation: accumulate,
  area: areaAbout,
  changes: changesTask,
  evidence: evidenceTask,
  enrich,
  features: featureTask,
  geocode: geocodeTask,
  matchParcel,
  parcelColumns: async (_, { release, catalog }) => ({ names: [...columnsOf(release, catalog)] }),
  parcelCounts: parcelCountsTask,
  places: placesTask,
  readSite,
  rejectedParcels: rejectedParcelsTask,
  route: routeTask,
  site: (request, environment) =>
    screenGround(request, environment).catch(error => {
      if (error instanceof Interrupted) throw error;
      return { unscreened: (error as Error).message };
    }),
  search: (request, { onProgress, ...environment }) =>
    search(request, { ...environment, onJudged: onProgress }).finally(() => freeAreas(request.filters)),
  pointTable,
  suggest: suggestTask,
  terrain: terrainTask,
};
