import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ClientMetadata } from 'oidc-provider';
import { buildCatalog, type Catalog } from '../../datasets/catalog.ts';
import { defineDataset, type FieldSource } from '../../datasets/dataset.ts';
import { createAnswerCache } from '../../server/answer-cache.ts';
import { buildApp } from '../../server/app.ts';
import type { AppServices } from '../../server/app-services.ts';
import type { Backend } from '../../server/ask/backend.ts';
import { embeddedBackend } from '../../server/ask/embedded/backend.ts';
import { createGuestService } from '../../server/auth/guest.ts';
import { createSessionService, type SessionService } from '../../server/auth/session.ts';
import { createTokenService, type TokenService } from '../../server/auth/token.ts';
import type { Callbacks } from '../../server/callbacks.ts';
import { createChangesCursors } from '../../server/changes/cursor.ts';
import type { Ctx } from '../../server/context.ts';
import { createGeocoder, type Geocoder } from '../../server/geocoder/geocoder.ts';
import type { GeocodeTier } from '../../server/geocoder/tier.ts';
import type { Language } from '../../server/language/language.ts';
import { batchGate, Gate } from '../../server/lease/gate.ts';
import type { Limits } from '../../server/limits.ts';
import { createListCursors } from '../../server/listing/cursor.ts';
import { createMailLinks } from '../../server/mail/links.ts';
import type { Mailer } from '../../server/mail/mailer.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import { accessTokens } from '../../server/oauth/access-token.ts';
import { createFeatureCursors } from '../../server/ogc/cursor.ts';
import { configuredTerms } from '../../server/onboarding/configured.ts';
import type { Outliving } from '../../server/outliving.ts';
import type { Plan } from '../../server/plans.ts';
import { type EmbeddedProvider, embeddedProvider } from '../../server/provider/embedded.ts';
import { embeddedRouting } from '../../server/proximity/provider/embedded.ts';
import type { Routing } from '../../server/proximity/provider/provider.ts';
import { createReceiptKeys } from '../../server/receipts/keys.ts';
import { ReleaseChoice } from '../../server/release/choice.ts';
import { createCursorService } from '../../server/search/cursor.ts';
import type { Account } from '../../server/state/account.ts';
import { openSqlite } from '../../server/state/sqlite.ts';
import type { StateStore } from '../../server/state/store.ts';
import { Bill } from '../../server/state/usage/bill.ts';
import { createSafeClient, type SafeClient } from '../../server/upstream/safe-client.ts';

import { hear, heardLogger } from '../security/heard-logger.ts';
import { secret } from '../security/logged.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeEngine } from './fake-engine.ts';
import { FakeTier } from './fake-tier.ts';
import { languageHere } from './language/language-here.ts';

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

export interface Fixture extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly engine: FakeEngine;
  readonly clock: FakeClock;
  /** The geocoder unless a test brought its own. */
  readonly tier: FakeTier;
  readonly geocoder: Geocoder;
  readonly state: StateStore;
  readonly outliving: Outliving;
  readonly batches: Gate;
  readonly language: Language;
  readonly tokens: TokenService;
  readonly embedded: EmbeddedProvider;
  readonly account: Account;
  /** A valid token of the account. */
  readonly token: string;
  /** A browser session of an address, by default of the account. */
  session(email?: string): Promise<string>;
}

/** Where files lie while they are written. */
const HOME = join(tmpdir(), `plat-fixture-${process.pid}`);

/** Of the embedded provider. */
export const ISSUER = 'http://127.0.0.1:8080';

export const SECRET = 'a secret for tests that is long enough';

/** The tokens that a test makes are in no log of it. */
const remembering = (tokens: TokenService): TokenService => ({
  ...tokens,
  issue: async (account, by) => secret(await tokens.issue(account, by)),
  create: async (account, terms) => {
    const created = await tokens.create(account, terms);
    secret(created.token);
    return created;
  },
  reveal: row => secret(tokens.reveal(row)),
});

/** Builds an application over a fake engine, an in-memory store and the small catalog. */
export async function openFixture(
  options: {
    readonly limits?: Partial<Limits>;
    readonly cache?: boolean;
    /** False: no cursor secret is configured. */
    readonly cursors?: boolean;
    /** Off unless a test is about it. */
    readonly rateLimit?: boolean;
    /** Whether guests are let in. */
    readonly guests?: boolean;
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
    /** Instead of the embedded one. */
    readonly askBackend?: Backend;
    /** Instead of one in this thread. */
    readonly language?: Language;
    /** Questions at once. */
    readonly askGate?: number;
    /** Instead of the roads of the fake engine. */
    readonly routing?: Routing;
    /** Proximity requests at once. */
    readonly proximityGate?: number;
    readonly trustedProxies?: readonly string[];
    /** Instead of those of the embedded provider. */
    readonly sessions?: SessionService;
    /** Instead of one with people of its own. */
    readonly embedded?: EmbeddedProvider;
    /** Clients of the embedded provider beside Plat itself. */
    readonly clients?: readonly ClientMetadata[];
    /** Instead of one that drops messages. */
    readonly mailer?: Mailer;
    readonly metrics?: Metrics;
    /** Terms of the operator instead of Plat's own. */
    readonly termsFile?: string;
    /** Asks addresses of webhooks; by default only this machine may be called, and no name resolves. */
    readonly client?: SafeClient;
    /** Puts something between the application and its services. */
    readonly between?: (services: AppServices) => AppServices;
  } & Pick<AppServices, 'logger'> &
    Partial<Pick<AppServices, 'publicUrl' | 'corsOrigins' | 'memory' | 'security'>> = {},
): Promise<Fixture> {
  const clock = options.clock ?? new FakeClock();
  const engine = new FakeEngine(clock);
  const state = options.state ?? (await openSqlite(':memory:'));
  const outliving: Outliving = new Set();
  const batches = batchGate(2);
  const language = options.language ?? languageHere(options.catalog ?? smallCatalog);
  const tokens = remembering(createTokenService(secret(SECRET), state, clock));
  const client = options.client ?? createSafeClient({ networks: ['127.0.0.0/8'], nameServers: ['127.0.0.1:1'] });
  const logger = options.logger ? hear(options.logger) : heardLogger();
  const log = (error: Error) => logger.error({ err: error }, 'The embedded provider failed');
  const terms = { issuer: ISSUER, audience: '', clients: options.clients, client, log };
  const provider = embeddedProvider(terms, SECRET, state, clock);
  const embedded = { ...provider, issue: async (email: string) => secret(await provider.issue(email)) };
  const sessions = options.sessions ?? createSessionService(embedded.terms, state.identities, clock);
  const tier = new FakeTier();
  const geocoder = createGeocoder({
    tier: options.geocodeTier ?? tier,
    records: state.geocodes,
    clock,
    gate: new Gate(options.geocodeGate ?? 16),
    budget: options.geocodeBudget ?? null,
  });
  const account = await state.openAccount('someone@example.org', options.plan ?? 'build');
  const { between = (services: AppServices) => services } = options;
  const services: AppServices = {
    engine,
    catalog: options.catalog ?? smallCatalog,
    cache: options.cache === false ? null : createAnswerCache(clock),
    clock,
    geocoder,
    state,
    outliving,
    batches,
    language,
    home: HOME,
    tokens,
    metrics: options.metrics ?? null,
    lifecycle: { ending: false },
    trustedProxies: options.trustedProxies ?? [],
    sessions,
    embedded: options.embedded ?? embedded,
    guests: options.guests ? createGuestService(SECRET, clock) : null,
    accessTokens: accessTokens(options.embedded ?? embedded),
    corsOrigins: options.corsOrigins ?? [],
    security: options.security ?? { contacts: [], answerDays: 7, policy: '' },
    mailer: options.mailer ?? { leaves: false, send: async () => {}, close: () => {} },
    mailLinks: createMailLinks(SECRET, options.publicUrl ?? ISSUER),
    publicUrl: options.publicUrl ?? ISSUER,
    terms: await configuredTerms({ termsFile: options.termsFile ?? '' }, state, clock),
    rateLimit: options.rateLimit ?? false,
    memory: options.memory ?? null,
    lists: { cursors: createListCursors(SECRET, clock) },
    ogc: { cursors: createFeatureCursors(SECRET, clock) },
    receiptKeys: createReceiptKeys(state.receiptKeys, SECRET, clock),
    changes: { cursors: options.cursors === false ? null : createChangesCursors(SECRET, clock) },
    search: {
      cursors: options.cursors === false ? null : createCursorService(SECRET, clock),
      batch: 1000,
      maxCandidates: null,
      maxEvaluated: null,
      maxVertices: 10_000,
      maxSquareKm: 1_000_000,
    },
    lookup: { gate: new Gate(options.lookupGate ?? 16) },
    ask: {
      backend: options.askBackend ?? embeddedBackend(language),
      gate: new Gate(options.askGate ?? 16),
    },
    proximity: {
      routing: options.routing ?? embeddedRouting(engine),
      gate: new Gate(options.proximityGate ?? 16),
    },
    fieldRequests: { client },
    limits: {
      bodyLimit: 65_536,
      requestTimeout: 30_000,
      maxConnections: 100,
      answerBytes: 100_000_000,
      bodyBytes: 100_000_000,
      addressConnections: 0,
      accountRequests: 0,
      addressRequests: 0,
      ...options.limits,
    },
    logger,
  };
  const app = await buildApp(between(services));
  return {
    app,
    engine,
    clock,
    tier,
    geocoder,
    state,
    outliving,
    batches,
    language,
    tokens,
    embedded,
    account,
    token: await tokens.issue(account),
    session: (email = account.email) => embedded.issue(email),
    async [Symbol.asyncDispose]() {
      await app.close();
      await state.close();
    },
  };
}

/** Of jobs whose requesters hear nothing. */
export const NO_CALLBACKS: Callbacks = {
  client: createSafeClient({ nameServers: ['127.0.0.1:1'] }),
  mailer: { leaves: false, send: async () => {}, close: () => {} },
  mailLinks: createMailLinks(SECRET, ISSUER),
  secret: null,
  publicUrl: ISSUER,
};

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
    batches: fixture.batches,
    language: fixture.language,
    home: HOME,
    account: fixture.account,
    credential: { kind: 'session' },
    signal: new AbortController().signal,
    deadline: fixture.clock.time + 90_000,
    requestId: 'test',
    bill: new Bill(),
    release: new ReleaseChoice(more.engine ?? fixture.engine),
    log: { error: () => {} },
    ...more,
  };
}
