import { createHash } from 'node:crypto';
import type { Geometry } from '../../datasets/geometry.ts';
import type { MapLayerId } from '../../datasets/map-layers.ts';
import { type Accumulation, type AccumulationRequest, accumulate } from '../../query/accumulation/accumulation.ts';
import type { ChangesAnswer, ChangesRequest } from '../../query/engine/changes-task.ts';
import type { RejectedByCounty } from '../../query/engine/contents/counts-task.ts';
import type { Evidence, EvidenceRequest } from '../../query/engine/contents/evidence.ts';
import type { Engine, EngineStatus, RequestTerms } from '../../query/engine/engine-interface.ts';
import type { EnrichAnswer, EnrichRequest } from '../../query/engine/enrich-task.ts';
import type { FeatureAnswer } from '../../query/engine/map/features-task.ts';
import type { PlacesQuestion } from '../../query/engine/route/places-task.ts';
import type { RouteQuestion } from '../../query/engine/route/route-question.ts';
import type { SiteGround } from '../../query/engine/site/ground-task.ts';
import { readSite, type SiteCandidate, type SiteReading } from '../../query/engine/site/reading-task.ts';
import type { Answer, Point } from '../../query/evaluate/answer.ts';
import type { Geocoded } from '../../query/geocode/match.ts';
import type { ParcelCounts } from '../../query/parcel/parcel-counts.ts';
import type { ParcelVerdict } from '../../query/parcel/parcel-match.ts';
import type { AreaQuantiles } from '../../query/parcel/quantiles.ts';
import type { CountyScore } from '../../query/parcel/scorecard.ts';
import type { InstalledSource } from '../../query/release/installed.ts';
import type { OverlayProgress } from '../../query/release/overlay-progress.ts';
import { noMatches, pageText, type WrittenResult } from '../../query/search/page/written-page.ts';
import type { SearchRequest } from '../../query/search/request/request.ts';
import type { Suggestion } from '../../query/suggest/shortlist.ts';
import type { SuggestRequest } from '../../query/suggest/suggest.ts';
import { textOf } from '../query/search/page-text.ts';
import type { FakeClock } from './fake-clock.ts';
import { FakeSets } from './sets/fake-sets.ts';

/** An engine that answers what a test tells it to and remembers what it was asked. */
export class FakeEngine extends FakeSets implements Engine {
  readonly calls: { names: readonly string[]; point: Point; deadline: number; signal: AbortSignal | undefined }[] = [];
  readonly answers = new Map<string, Partial<Answer>>();
  readonly clock: FakeClock;
  version = 'v1';
  current: EngineStatus = {
    release: 'r1',
    datasets: { test_dem: { main: { rows: 7, vintages: ['2021', '2022'], sources: ['test_dem'] } } },
    workers: { size: 2, ready: 2 },
    waiting: 0,
    warm: { loaded: ['test_dem:main'], on_demand: [] },
    damage: [],
  };

  constructor(clock: FakeClock) {
    super();
    this.clock = clock;
  }

  /** Nothing asked, no answers of its own. */
  reset(): void {
    this.calls.length = 0;
    this.answers.clear();
    this.before = async () => {};
  }

  retrieved(): ReadonlyMap<string, string> {
    return new Map(this.sources.map(({ dataset, retrievedAt }) => [dataset, retrievedAt]));
  }

  /** Sums are those of real engines. */
  async accumulation(request: AccumulationRequest, { signal }: { signal?: AbortSignal }): Promise<Accumulation> {
    await this.before(signal);
    return accumulate(request, { stopped: () => false });
  }

  /** Features are read by real engines alone. */
  async features(): Promise<FeatureAnswer> {
    return { problem: 'this engine has no features' };
  }

  async fetch(
    names: readonly string[],
    point: Point,
    options: { deadline: number; signal?: AbortSignal },
  ): Promise<Record<string, Answer>> {
    this.calls.push({ names, point, ...options, signal: options.signal });
    await this.before(options.signal);
    const entry = (name: string): Answer => ({
      status: 'ok',
      value: 12.5,
      notes: null,
      confidence: 'high',
      source: 'test_dem',
      sourceUrl: 'https://example.org/dem',
      vintage: '2021',
      fetchedAt: new Date(this.clock.now()).toISOString(),
      ...this.answers.get(name),
    });
    return Object.fromEntries(names.map(name => [name, entry(name)]));
  }

  readonly suggestRequests: { request: SuggestRequest; account: string | undefined }[] = [];
  /** What the next suggestions are. */
  suggestions: readonly Suggestion[] = [];

  async suggest(
    request: SuggestRequest,
    { signal, account }: { deadline: number; signal?: AbortSignal; account?: string },
  ): Promise<readonly Suggestion[]> {
    this.suggestRequests.push({ request, account });
    await this.before(signal);
    return this.suggestions;
  }

  readonly searches: { request: SearchRequest; deadline: number; signal: AbortSignal | undefined }[] = [];
  /** What the next searches answer. */
  found: WrittenResult = { matches: noMatches(), status: 'complete', reason: 'exhausted', next: null };
  columns: ReadonlySet<string> = new Set(['apn', 'acreage', 'city', 'county', 'struct', 'saledate', 'updated_at']);

  async search(request: SearchRequest, options: { deadline: number; signal?: AbortSignal }): Promise<WrittenResult> {
    // Who asks takes the memory of areas back when it has the answer; a worker has its copy.
    this.searches.push({ request: structuredClone(request), ...options, signal: options.signal });
    await this.before(options.signal);
    if ('issues' in this.found) return this.found;
    const { matches, outline = { count: 0, first: '[]' }, ...page } = this.found;
    // Its memory is spent once it was sent.
    return { ...page, matches: pageText([textOf(matches)]), ...(request.outline ? { outline } : {}) };
  }

  /** What the next parcel matches answer. */
  parcel: ParcelVerdict = { status: 'no_match', reason: 'no parcel contains the point' };

  async matchParcel(
    _point: Point,
    _address: string | null,
    { signal }: { deadline: number; signal?: AbortSignal },
  ): Promise<ParcelVerdict> {
    await this.before(signal);
    return this.parcel;
  }

  readonly enrichments: { request: EnrichRequest; deadline: number; signal: AbortSignal | undefined }[] = [];
  /** What the next enrichments answer. */
  enriched: (request: EnrichRequest) => EnrichAnswer = () => ({ status: 'no_match', reason: 'no parcel' });

  async enrich(request: EnrichRequest, options: { deadline: number; signal?: AbortSignal }): Promise<EnrichAnswer> {
    this.enrichments.push({ request, ...options, signal: options.signal });
    await this.before(options.signal);
    return this.enriched(request);
  }

  /** What the next addresses are answered. */
  geocoded: Geocoded = { matches: [], city: null, uncovered: false };

  async geocode(_address: string, { signal }: { deadline: number; signal?: AbortSignal }): Promise<Geocoded> {
    await this.before(signal);
    return this.geocoded;
  }

  readonly comparisons: ChangesRequest[] = [];
  kept: readonly string[] = ['20260101-00000000', 'r1'];
  progress: OverlayProgress | null = null;

  overlayProgress(): OverlayProgress | null {
    return this.progress;
  }

  /** What the next comparisons find. */
  changed: ChangesAnswer = { layers: [], parcels: [], gaps: [], next: null };

  async changes(
    request: ChangesRequest,
    { signal }: { deadline: number; signal?: AbortSignal },
  ): Promise<ChangesAnswer> {
    this.comparisons.push(request);
    await this.before(signal);
    return this.changed;
  }

  keptReleases(): readonly string[] {
    return this.kept;
  }

  /** Those of `kept` by the day in their ids. */
  releaseBy(moment: string): string | null {
    const day = moment.slice(0, 10).replaceAll('-', '');
    return this.kept.filter(id => id.slice(0, 8) <= day).at(-1) ?? null;
  }

  readonly readings: SiteCandidate[] = [];

  /** Judged as a worker judges it. */
  readSite(asked: SiteCandidate): Promise<SiteReading> {
    this.readings.push(asked);
    return readSite(asked);
  }

  readonly screenings: Geometry[] = [];
  /** What the next screenings find. */
  ground: SiteGround = {
    release: 'r1',
    point: { lng: -68.77, lat: 44.8 },
    areas: {},
    parcels: {
      status: 'ok',
      count: 0,
      acres_on_site: 0,
      parcels: [],
      source: 'parcel_store',
      dataset_vintage: null,
      notes: [],
    },
  };

  async screenGround(geometry: Geometry, { signal }: { deadline: number; signal?: AbortSignal }): Promise<SiteGround> {
    this.screenings.push(geometry);
    await this.before(signal);
    return this.ground;
  }

  /** What the next questions about roads and places are answered. */
  routed: (question: RouteQuestion) => Awaited<ReturnType<Engine['route']>> = () => ({
    unavailable: 'this release has no road graph',
    regions: [],
  });
  near: (question: PlacesQuestion) => Awaited<ReturnType<Engine['places']>> = () => ({ unavailable: 'no such layer' });

  async route(question: RouteQuestion, { signal }: { deadline: number; signal?: AbortSignal }) {
    await this.before(signal);
    return this.routed(question);
  }

  async places(question: PlacesQuestion, { signal }: { deadline: number; signal?: AbortSignal }) {
    await this.before(signal);
    return this.near(question);
  }

  /** What the tiles of a layer hold, in gzip. */
  tiles: Partial<Record<MapLayerId, Uint8Array>> = {};

  async tile(layer: MapLayerId): Promise<Uint8Array | null> {
    await this.before(undefined);
    return this.tiles[layer] ?? null;
  }

  /** The tile of its terrain, if it has any. */
  terrainTile: Uint8Array | null = null;

  async terrain(): Promise<Uint8Array | null> {
    await this.before(undefined);
    return this.terrainTile;
  }

  mapLayers(): readonly MapLayerId[] {
    return ['roads', 'parcels'];
  }

  /** Files of every layer in a release. */
  filesOf: (release: string) => Evidence['layers'][number]['files'] = () => [];

  async evidence({ names }: EvidenceRequest, { release }: RequestTerms): Promise<Evidence> {
    const layers = new Set(names.map(name => (this.columns.has(name) ? 'parcel_store:main' : `test:${name}`)));
    return {
      release: release!,
      manifest_sha256: createHash('sha256').update(release!).digest('hex'),
      layers: [...layers].map(layer => ({ layer, version: this.version, files: this.filesOf(release!) })),
    };
  }

  parcelColumns(): ReadonlySet<string> {
    return this.columns;
  }

  /** Columns of earlier releases. */
  columnsBefore: Readonly<Record<string, ReadonlySet<string>>> = {};

  async parcelColumnsOf(release: string): Promise<ReadonlySet<string>> {
    return this.columnsBefore[release]!;
  }

  /** Of what is withheld and corrected. */
  mark: string | null = '';

  listsMark(): string | null {
    return this.mark;
  }

  versionOf(name: string): string {
    return `${this.version}/${name}`;
  }

  /** When an owner was last withheld. */
  withheld = Number.NEGATIVE_INFINITY;

  withheldSince(): number {
    return this.withheld;
  }

  /** What the open release holds, by file. */
  sources: readonly InstalledSource[] = [];

  installed(): readonly InstalledSource[] {
    return this.sources;
  }

  /** What is counted of the parcels. */
  counts: ParcelCounts | null = null;
  async parcelCounts() {
    return this.counts;
  }

  /** Quantiles of parcels by area. */
  scores: Readonly<Record<string, CountyScore>> = {};
  async scorecard(county: string): Promise<CountyScore | null> {
    return this.scores[county] ?? null;
  }
  counties(): readonly string[] {
    return Object.keys(this.scores);
  }
  areas: Readonly<Record<string, AreaQuantiles>> = {};
  async quantiles(area: string) {
    return this.areas[area] ?? null;
  }

  rejected: RejectedByCounty | null = {};
  async rejectedParcels() {
    return this.rejected;
  }

  /** Names that the open release cannot answer, each with why. */
  lacks: Readonly<Record<string, string>> = {};

  availability() {
    const lackOf = (name: string) => this.lacks[name] ?? null;
    const lack = (name: string) => {
      const reason = lackOf(name);
      return reason === null
        ? null
        : { reason, of: reason.startsWith('this copy') ? ('copy' as const) : ('release' as const) };
    };
    return { lack, lackOf, sourcesOf: () => this.sources };
  }

  status(): EngineStatus {
    return this.current;
  }

  shrinkCaches(): void {}

  async close(): Promise<void> {}
}
