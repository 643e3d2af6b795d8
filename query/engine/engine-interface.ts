import type { Geometry } from '../../datasets/geometry.ts';
import type { MapLayerId } from '../../datasets/map-layers.ts';
import type { Accumulation, AccumulationRequest } from '../accumulation/accumulation.ts';
import type { Availability } from '../enrich/availability.ts';
import type { Answer, Point } from '../evaluate/answer.ts';
import type { Geocoded } from '../geocode/match.ts';
import type { ParcelCounts } from '../parcel/parcel-counts.ts';
import type { ParcelVerdict } from '../parcel/parcel-match.ts';
import type { AreaQuantiles } from '../parcel/quantiles.ts';
import type { CountyScore } from '../parcel/scorecard.ts';
import type { InstalledSource } from '../release/installed.ts';
import type { OverlayProgress } from '../release/overlay-progress.ts';
import type { WrittenResult } from '../search/page/written-page.ts';
import type { SearchRequest } from '../search/request/request.ts';
import type { AreaAnswer, AreaRequest } from '../sets/area.ts';
import type { Suggestion } from '../suggest/shortlist.ts';
import type { SuggestRequest } from '../suggest/suggest.ts';
import type { TileName } from '../tile/tile-grid.ts';
import type { ChangesAnswer, ChangesRequest } from './changes-task.ts';
import type { RejectedByCounty } from './contents/counts-task.ts';
import type { Evidence, EvidenceRequest } from './contents/evidence.ts';
import type { PointTable, PointTableRequest } from './contents/point-table.ts';
import type { Unanswered } from './count-task.ts';
import type { Damage } from './damage.ts';
import type { EnrichAnswer, EnrichRequest } from './enrich-task.ts';
import type { Failure } from './failure.ts';
import type { FeatureAnswer, FeatureQuestion } from './map/features-task.ts';
import type { TerrainRequest } from './map/terrain-task.ts';
import type { RequestTerms } from './queue/request-terms.ts';
import type { PlacesAnswer, PlacesQuestion } from './route/places-task.ts';
import type { RouteAnswer, RouteQuestion } from './route/route-question.ts';
import type { SetQuestions } from './set/set-questions.ts';
import type { SiteGround } from './site/ground-task.ts';
import type { SiteCandidate, SiteReading } from './site/reading-task.ts';
import type { Warmth } from './warmth.ts';

export type { RequestTerms } from './queue/request-terms.ts';

/** What readiness checks and the catalog show of the open release. */
export interface EngineStatus {
  readonly release: string | null;
  /** dataset id → layers installed, with rows and the vintages present. */
  readonly datasets: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly rows: number; readonly vintages: readonly string[]; readonly sources: readonly string[] }
        >
      >
    >
  >;
  readonly workers: { readonly size: number; readonly ready: number };
  /** Requests that wait for a worker. */
  readonly waiting: number;
  /** Layers that the workers have opened, and those that are opened when they are first asked for. */
  readonly warm: Warmth;
  /** What is wrong with the release: files that cannot be used, by layer, and why the next release cannot be opened. */
  readonly damage: readonly Damage[];
}

/**
 * The engine as the server sees it. What takes longer than a few milliseconds runs in its workers; whatever they are asked
 * rejects with WorkerStopped when the one that had begun with it ended.
 */
export interface Engine extends SetQuestions {
  /**
   * Answers every named field at one point. Never rejects for a data fault: those are `failed` answers.
   * @param deadline epoch milliseconds; what is unfinished then is `failed`, retryable.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full.
   */
  fetch(names: readonly string[], point: Point, options: RequestTerms): Promise<Record<string, Answer>>;
  /**
   * The parcel of a point, or of the address that was geocoded to it (docs/enrich.md). Never rejects for a data fault:
   * those are `unavailable` with the reason.
   * @param address in Publication 28 form when it was geocoded to a rooftop, null otherwise.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full.
   */
  matchParcel(
    point: Point,
    address: string | null,
    options: RequestTerms & { readonly geometry?: boolean },
  ): Promise<ParcelVerdict>;
  /**
   * Matches a place to a parcel as matchParcel does and answers fields of the enrich catalog for it at its stored
   * interior point. Never rejects for a data fault: those are `failed` records, or an `unavailable` parcel.
   * @param request names must be in the catalog's order, each once.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full.
   */
  enrich(request: EnrichRequest, options: RequestTerms): Promise<EnrichAnswer>;
  /**
   * Places that an address may mean, from the layers of the open release (docs/geocoding.md).
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full, TaskFailed when a file that is needed
   *   cannot be read or the deadline passes.
   */
  geocode(address: string, options: RequestTerms): Promise<Geocoded>;
  /**
   * What a text that is being typed may mean, the likeliest first: nothing without a release.
   * @throws as geocode.
   */
  suggest(request: SuggestRequest, options: RequestTerms): Promise<readonly Suggestion[]>;
  /**
   * Every named field at many points: some hundred milliseconds a thousand. What could not be found is a failed value.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full, TaskFailed when the deadline passes.
   */
  pointTable(request: PointTableRequest, options: RequestTerms): Promise<PointTable>;
  /**
   * One page of a parcel search. What cannot be read makes the page partial; it never rejects for a data fault.
   * @param progress shared memory whose element 0 counts the candidates judged, while the search runs.
   * @throws AbortError when the signal aborts (query and kernel then stop within 50 ms), EngineBusy when the queue is full.
   */
  search(request: SearchRequest, options: RequestTerms & { readonly progress?: Int32Array }): Promise<WrittenResult>;
  /** Sums of values within so many metres of each of some points. @throws as search. */
  accumulation(request: AccumulationRequest, options: RequestTerms): Promise<Accumulation | Unanswered>;
  /** The area about a shape that a search takes. @throws as search. */
  area(request: AreaRequest, options: RequestTerms): Promise<AreaAnswer | Unanswered>;
  /**
   * Features of a layer of the open release as GeoJSON text, a page of them or one (docs/ogc.md).
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full, TaskFailed when a file cannot be read or the
   *   deadline passes before anything was found.
   */
  features(question: FeatureQuestion, options: RequestTerms): Promise<FeatureAnswer>;
  /**
   * One page of what differs between two releases that are kept. Never rejects for a data fault: what cannot be compared is
   * told as a gap, or the answer says why there is none.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full.
   */
  changes(request: ChangesRequest, options: RequestTerms): Promise<ChangesAnswer>;
  /** Ids of the releases that were published and not pruned, the one that became current last at the end. */
  keptReleases(): readonly string[];
  /**
   * The kept release that became current last by a moment; null where none had. Reads a file.
   * @param moment UTC with milliseconds and Z.
   */
  releaseBy(moment: string): string | null;
  /** How far the calculations have come that are being made for the next release; null where none are. Reads a file. */
  overlayProgress(): OverlayProgress | null;
  /**
   * A polygon in its canonical form, judged as search judges areas; or what is wrong with it.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full.
   */
  readSite(candidate: SiteCandidate, options: RequestTerms): Promise<SiteReading>;
  /**
   * What area forms and parcels say of a site's ground: seconds of work, in one worker, which answers others between.
   * @param geometry valid polygons, lng,lat. @param options with the fields whose area forms are asked; all without `names`.
   * @throws AbortError when the signal aborts (the work then ends within a field's step), EngineBusy when the queue is full,
   *   SiteUnscreened when nothing could be said: no release, files that go on changing, or the deadline.
   */
  screenGround(geometry: Geometry, options: RequestTerms & { readonly names?: readonly string[] }): Promise<SiteGround>;
  /**
   * What the road graphs of the open release say (docs/proximity.md): of the graph that covers most of the places.
   * @throws AbortError when the signal aborts, EngineBusy when the queue is full, TaskFailed when files go on changing or the
   *   deadline passes.
   */
  route(question: RouteQuestion, options: RequestTerms): Promise<Exclude<RouteAnswer, Failure>>;
  /**
   * Places that are driven to, from the layers of the open release: sets, tracts by where their people live, and sums over
   * these. @throws as route.
   */
  places(question: PlacesQuestion, options: RequestTerms): Promise<Exclude<PlacesAnswer, Failure>>;
  /**
   * A vector tile of a map layer of the open release, in gzip as its archive holds it; null where nothing lies in it.
   * @param layer one of mapLayers. @throws TileFailed when the archive cannot be read.
   */
  tile(layer: MapLayerId, tile: TileName): Promise<Uint8Array | null>;
  /**
   * A tile of the open release's own terrain: heights as a picture, or contours; null where nothing is known of the ground.
   * @throws as geocode.
   */
  terrain(tile: TerrainRequest, options: RequestTerms): Promise<Uint8Array | null>;
  /** Map layers that the open release has tiles of: the same list as long as it is open. */
  mapLayers(): readonly MapLayerId[];
  /** The hashes of what an answer was made of. @throws as geocode. */
  evidence(request: EvidenceRequest, options: RequestTerms): Promise<Evidence>;
  /** Columns of the parcel layer in the open release: names that a search can use. Empty when there is none. */
  parcelColumns(): ReadonlySet<string>;
  /** The same of a kept release, which a worker opens. @throws as geocode. */
  parcelColumnsOf(release: string, terms: RequestTerms): Promise<ReadonlySet<string>>;
  /** Changes exactly when any layer the field reads (directly or through inputs) has changed: what caches are keyed by. */
  versionOf(field: string): string;
  /** What is withheld and corrected, as a mark; null while it changed so lately that a thread may still answer as before. */
  listsMark(): string | null;
  /** When the operator last withheld an owner: epoch milliseconds; what was answered before may tell one. -Infinity while nothing is. */
  withheldSince(): number;
  status(): EngineStatus;
  /** When the newest file of each dataset of the open release was retrieved: UTC with milliseconds and Z. */
  retrieved(): ReadonlyMap<string, string>;
  /**
   * Every source of the open release: the same list as long as it is open, made when it is first asked for. While a shard of its
   * manifest is damaged, which `status().damage` tells, it lacks the sources there.
   */
  installed(): readonly InstalledSource[];
  /**
   * What the open release can answer: the same as long as `installed` is.
   * @param county five digits: there; null: anywhere.
   */
  availability(county?: string | null): Pick<Availability, 'lack' | 'lackOf' | 'sourcesOf'>;
  /**
   * How many parcels of a county, or of the open release, have a value, by name; null where it cannot be told, or not by the
   * deadline: it is counted once a release.
   */
  parcelCounts(county: string | null, terms: RequestTerms): Promise<ParcelCounts | null>;
  /**
   * The quantiles of an area's parcels in the open release; null where it has none, as that of an earlier build.
   * @param area FIPS code of a county, letters of a state, `US` for all.
   * @throws Fault when their file is missing or damaged.
   */
  quantiles(area: string): Promise<AreaQuantiles | null>;
  /**
   * How right the calculations of a county's parcels were found to be; null where that was not found out for what the open release
   * has now.
   * @param county five digits.
   * @throws Fault when its file is missing or damaged.
   */
  scorecard(county: string): Promise<CountyScore | null>;
  /** Counties of the open release with parcels, FIPS codes in stored order. */
  counties(): readonly string[];
  /**
   * What was left out of the parcels of some counties at ingest, and why; counties without any are not named. Null where it cannot
   * be told, or not by the deadline.
   */
  rejectedParcels(counties: readonly string[], options: RequestTerms): Promise<RejectedByCounty | null>;
  /** Has the serving thread and the workers let go of half of what they keep, and give its memory back. */
  shrinkCaches(): void;
  close(): Promise<void>;
}

/** Nothing could be said of a site. */
export class SiteUnscreened extends Error {
  override readonly name = 'SiteUnscreened';
}

/** The worker that had begun with a request ended before it answered: another one takes its place, and asking again helps. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped';
}

/** The worker queue is full: answer 429 and let the client come back. */
export class EngineBusy extends Error {
  override readonly name = 'EngineBusy';
}
