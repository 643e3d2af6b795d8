import type { FastifyInstance } from 'fastify';
import type { ClientMetadata } from 'oidc-provider';
import { buildCatalog, type Catalog } from '../../datasets/catalog.ts';
import { defineDataset, type FieldSource } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Engine, EngineStatus } from '../../query/engine/engine-interface.ts';
import type { EnrichAnswer, EnrichRequest } from '../../query/engine/enrich-task.ts';
import type { SiteGround } from '../../query/engine/site/ground-task.ts';
import { readSite, type SiteAsked, type SiteReading } from '../../query/engine/site/reading-task.ts';
import type { Answer, Point } from '../../query/evaluate/answer.ts';
import type { Geocoded } from '../../query/geocode/match.ts';
import type { ParcelVerdict } from '../../query/parcel/parcel-match.ts';
import { createCache } from '../../query/release/cache.ts';
import type { InstalledSource } from '../../query/release/installed.ts';
import { noMatches, pageText, textOf, type WrittenResult } from '../../query/search/page/written-page.ts';
import type { SearchRequest } from '../../query/search/request/request.ts';
import type { Account } from '../../server/account/account.ts';
import { buildApp } from '../../server/app.ts';
import type { AppServices, Limits } from '../../server/app-services.ts';
import { createSessionService, type SessionService } from '../../server/auth/session.ts';
import { createTokenService, type TokenService } from '../../server/auth/token.ts';
import type { Ctx } from '../../server/context.ts';
import { createAnswerCache } from '../../server/fetch/cache.ts';
import { createGate } from '../../server/geocode/gate.ts';
import { createGeocoder, type Geocoder } from '../../server/geocode/geocoder.ts';
import type { GeocodeTier, LocateTerms, TierAnswer, TierMatch } from '../../server/geocode/tier.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import type { Outliving } from '../../server/outliving.ts';
import type { Plan } from '../../server/plans.ts';
import { embeddedProvider } from '../../server/provider/embedded.ts';
import { createCursorService } from '../../server/search/cursor.ts';
import { openSqlite } from '../../server/state/sqlite.ts';
import type { StateStore } from '../../server/state/store.ts';

const field = (expression: string, more: Partial<FieldSource> = {}): FieldSource => ({
  layer: 'terrain',
  type: 'number',
  unit: 'm',
  title: 'A field',
  description: 'A field of the test catalog.',
  expression,
  confidence: 'const(high)',
  ttlSeconds: 3600,
  terms: [],
  hint: 'Higher is higher.',
  ...more,
});

/** A catalog of 63 fields: three named ones, one on the parcel, 59 to fill a request over its cap. */
export const smallCatalog: Catalog = buildCatalog([
  defineDataset({
    id: 'test_dem',
    title: 'Test elevation',
    publisher: 'Test Survey',
    url: 'https://example.org/dem',
    format: 'geotiff',
    licence: 'public domain',
    cadence: 'never',
    vintageRule: 'fixed',
    layers: { main: { kind: 'raster', bands: 1, sampling: 'nearest', partition: 'national' } },
    fields: {
      elevation: field('raster_sample(test_dem, 1)', { presets: { terrain: 2, flood_risk: 1 } }),
      slope_degrees: field('raster_sample(test_dem, 1)', { unit: 'degrees', presets: { terrain: 1 } }),
      flood_note: field('raster_sample(test_dem, 1)', { layer: 'hazards', type: 'string', unit: undefined }),
      ...Object.fromEntries(
        Array.from({ length: 59 }, (_, i) => [
          `filler_${i}`,
          field('raster_sample(test_dem, 1)', i < 50 ? { presets: { natural_hazard: i + 1 } } : {}),
        ]),
      ),
    },
  }),
  defineDataset({
    id: 'parcel_store',
    title: 'Parcels',
    publisher: 'County',
    url: 'https://example.org/parcels',
    format: 'shp',
    licence: 'public domain',
    cadence: 'never',
    vintageRule: 'fixed',
    layers: {
      main: {
        kind: 'vector',
        geometry: 'polygon',
        joinKey: null,
        columns: { apn: { type: 'string' } },
        partition: 'county',
      },
    },
    fields: { parcel_apn: field('parcel_attr(apn)', { layer: 'parcels', type: 'string', unit: undefined }) },
  }),
]);

/** The time of the tests: 2026-01-02T03:04:05.678Z until it is moved. */
export class FakeClock {
  time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  now(): number {
    return this.time;
  }
}

/** An engine that answers what a test tells it to and remembers what it was asked. */
export class FakeEngine implements Engine {
  readonly calls: { names: readonly string[]; point: Point; deadline: number; signal: AbortSignal | undefined }[] = [];
  readonly answers = new Map<string, Partial<Answer>>();
  readonly clock: FakeClock;
  version = 'v1';
  /** Runs before every answer; may wait or throw. */
  before: (signal: AbortSignal | undefined) => Promise<void> = async () => {};
  current: EngineStatus = {
    release: 'r1',
    datasets: { test_dem: { main: { rows: 7, vintages: ['2021', '2022'], sources: ['test_dem'] } } },
    workers: { size: 2, ready: 2 },
    waiting: 0,
    warm: { loaded: ['test_dem:main'], on_demand: [] },
    damage: [],
  };

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  /** Nothing asked, no answers of its own. */
  reset(): void {
    this.calls.length = 0;
    this.answers.clear();
    this.before = async () => {};
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

  readonly searches: { request: SearchRequest; deadline: number; signal: AbortSignal | undefined }[] = [];
  /** What the next searches answer. */
  found: WrittenResult = { matches: noMatches(), status: 'complete', reason: 'exhausted', next: null };
  columns: ReadonlySet<string> = new Set(['apn', 'acreage', 'city', 'county', 'struct', 'saledate', 'updated_at']);

  async search(request: SearchRequest, options: { deadline: number; signal?: AbortSignal }): Promise<WrittenResult> {
    this.searches.push({ request, ...options, signal: options.signal });
    await this.before(options.signal);
    // Its memory is spent once it was sent.
    return 'issues' in this.found ? this.found : { ...this.found, matches: pageText([textOf(this.found.matches)]) };
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

  readonly readings: SiteAsked[] = [];

  /** Judged as a worker judges it. */
  readSite(asked: SiteAsked): Promise<SiteReading> {
    this.readings.push(asked);
    return readSite(asked, { cache: createCache(8) });
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

  parcelColumns(): ReadonlySet<string> {
    return this.columns;
  }

  versionOf(name: string): string {
    return `${this.version}/${name}`;
  }

  /** What the open release holds, by file. */
  sources: readonly InstalledSource[] = [];

  installed(): readonly InstalledSource[] {
    return this.sources;
  }

  status(): EngineStatus {
    return this.current;
  }

  async close(): Promise<void> {}
}

/** A rooftop in Bangor. */
export const ROOFTOP: TierMatch = {
  lng: -68.7714,
  lat: 44.8017,
  similarity: 0.97,
  accuracyType: 'rooftop',
  matchType: 'address_point',
  normalizedAddress: '73 HARLOW ST, BANGOR, ME 04401',
  source: 'City of Bangor',
  city: 'BANGOR',
  state: 'ME',
};

/** A geocoder that knows what a test tells it, nothing else, and remembers what it was asked. */
export class FakeTier implements GeocodeTier {
  readonly asked: string[] = [];
  /** By address as typed. */
  readonly answers = new Map<string, Partial<TierAnswer> | Error>();
  release = 'r1';
  /** Runs before every answer; may wait or throw. */
  before: (terms: LocateTerms) => Promise<void> = async () => {};

  /** As it was made: nothing asked, nothing known. */
  reset(): void {
    this.asked.length = 0;
    this.answers.clear();
    this.before = async () => {};
  }

  /** Knows one match for an address. */
  knows(address: string, match: Partial<TierMatch> = {}, more: Partial<TierAnswer> = {}): void {
    this.answers.set(address, { matches: [{ ...ROOFTOP, ...match }], ...more });
  }

  version(): string {
    return this.release;
  }

  requireReady(): void {}

  async locate(address: string, terms: LocateTerms): Promise<TierAnswer> {
    this.asked.push(address);
    await this.before(terms);
    const answer = this.answers.get(address) ?? {};
    if (answer instanceof Error) throw answer;
    return { provider: 'other', matches: [], city: null, ...answer };
  }
}

export interface Fixture extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly engine: FakeEngine;
  readonly clock: FakeClock;
  /** The geocoder unless a test brought its own. */
  readonly tier: FakeTier;
  readonly geocoder: Geocoder;
  readonly state: StateStore;
  readonly outliving: Outliving;
  readonly tokens: TokenService;
  /** How often sites were to be screened in the background; nothing here does it. */
  readonly begun: { readonly count: number };
  readonly account: Account;
  /** A valid token of the account. */
  readonly token: string;
  /** A browser session of an address, by default of the account. */
  session(email?: string): Promise<string>;
}

/** Of the embedded provider. */
export const ISSUER = 'http://127.0.0.1:8080';

export const SECRET = 'a secret for tests that is long enough';

/** Builds an application over a fake engine, an in-memory store and the small catalog. */
export async function openFixture(
  options: {
    readonly limits?: Partial<Limits>;
    readonly cache?: boolean;
    /** False: no cursor secret is configured. */
    readonly cursors?: boolean;
    /** Off unless a test is about it. */
    readonly rateLimit?: boolean;
    readonly plan?: Plan;
    /** Instead of one in memory; closed with the fixture. */
    readonly state?: StateStore;
    readonly clock?: FakeClock;
    /** Instead of the fake one. */
    readonly geocodeTier?: GeocodeTier;
    readonly geocodeBudget?: number;
    /** Geocodes at once. */
    readonly geocodeGate?: number;
    /** Instead of the small one. */
    readonly catalog?: Catalog;
    /** Lookups at once. */
    readonly lookupGate?: number;
    readonly trustedProxies?: readonly string[];
    /** Instead of those of the embedded provider. */
    readonly sessions?: SessionService;
    /** Clients of the embedded provider beside Plat itself. */
    readonly clients?: readonly ClientMetadata[];
    readonly metrics?: Metrics;
  } & Pick<AppServices, 'logger'> = {},
): Promise<Fixture> {
  const clock = options.clock ?? new FakeClock();
  const engine = new FakeEngine(clock);
  const state = options.state ?? (await openSqlite(':memory:'));
  const outliving: Outliving = new Set();
  const tokens = createTokenService(SECRET, state, clock);
  const embedded = embeddedProvider({ issuer: ISSUER, audience: '', clients: options.clients }, SECRET, state, clock);
  const sessions = options.sessions ?? createSessionService(embedded.terms, state.identities, clock);
  const tier = new FakeTier();
  const geocoder = createGeocoder({
    tier: options.geocodeTier ?? tier,
    records: state.geocodes,
    clock,
    gate: createGate(options.geocodeGate ?? 16),
    budget: options.geocodeBudget ?? null,
  });
  const account = await state.openAccount('someone@example.org', options.plan ?? 'build');
  const begun = { count: 0 };
  const app = await buildApp({
    engine,
    catalog: options.catalog ?? smallCatalog,
    cache: options.cache === false ? null : createAnswerCache(clock),
    clock,
    geocoder,
    state,
    outliving,
    tokens,
    metrics: options.metrics ?? null,
    lifecycle: { ending: false },
    trustedProxies: options.trustedProxies ?? [],
    sessions,
    embedded: options.sessions ? null : embedded,
    rateLimit: options.rateLimit ?? false,
    search: {
      cursors: options.cursors === false ? null : createCursorService(SECRET, clock),
      batch: 1000,
      maxCandidates: null,
      maxEvaluated: null,
      maxVertices: 10_000,
      maxSquareKm: 1_000_000,
    },
    lookup: { gate: createGate(options.lookupGate ?? 16) },
    screener: {
      begin() {
        begun.count++;
      },
    },
    limits: { bodyLimit: 65_536, requestTimeout: 30_000, maxConnections: 100, ...options.limits },
    logger: options.logger,
  });
  return {
    app,
    engine,
    clock,
    tier,
    geocoder,
    state,
    outliving,
    tokens,
    begun,
    account,
    token: await tokens.issue(account),
    session: (email = account.email) => embedded.issue(email),
    async [Symbol.asyncDispose]() {
      await app.close();
      await state.close();
    },
  };
}

/** What a route would give an operation: the fixture's services and account. */
export function contextFor(fixture: Fixture, more: Partial<Ctx> = {}): Ctx {
  return {
    engine: fixture.engine,
    catalog: smallCatalog,
    cache: null,
    clock: fixture.clock,
    geocoder: fixture.geocoder,
    state: fixture.state,
    outliving: fixture.outliving,
    account: fixture.account,
    credential: { kind: 'session' },
    signal: new AbortController().signal,
    deadline: fixture.clock.time + 90_000,
    requestId: 'test',
    caller: {},
    log: { error: () => {} },
    ...more,
  };
}
