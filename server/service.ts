import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalog as builtIn, type Catalog } from '../datasets/catalog.ts';
import { createEngine, type EngineOptions } from '../query/engine/engine.ts';
import type { Engine } from '../query/engine/engine-interface.ts';
import { memoryShares } from '../query/engine/memory/memory-shares.ts';
import { lowerV8Helpers } from '../query/engine/queue/thread-priority.ts';
import type { Settings } from '../query/engine/settings.ts';
import { placeStates } from '../query/release/home/place-states.ts';
import { createAnswerCache } from './answer-cache.ts';
import { buildApp } from './app.ts';
import { configuredAsk } from './ask/configured.ts';
import { createGuestService } from './auth/guest.ts';
import { keptSecret } from './auth/secret.ts';
import { createTokenService, type TokenService } from './auth/token.ts';
import { keepNoting } from './auth/token-uses.ts';
import { createChangesCursors } from './changes/cursor.ts';
import type { Services } from './context.ts';
import { keepCorrections } from './corrections/overlay.ts';
import { logDamage } from './damage-log.ts';
import { exportThreads } from './exports/threads.ts';
import { configuredGeocoder } from './geocoder/configured.ts';
import { JOB_KINDS } from './job-kinds.ts';
import { type JobWorker, workOnJobs } from './jobs/worker.ts';
import { type LanguageThreads, startLanguage } from './language/threads.ts';
import { accountGate, batchGate } from './lease/gate.ts';
import { createListCursors } from './listing/cursor.ts';
import { configuredMailer } from './mail/configured.ts';
import { createMailLinks } from './mail/links.ts';
import { OUTBOX } from './mail/outbox.ts';
import { MemoryWatch } from './memory/memory-watch.ts';
import { exposeMetrics, type MetricsListener } from './metrics/listener.ts';
import { Metrics } from './metrics/metrics.ts';
import { accessTokens } from './oauth/access-token.ts';
import { createFeatureCursors } from './ogc/cursor.ts';
import { configuredTerms } from './onboarding/configured.ts';
import { type Outliving, outlived } from './outliving.ts';
import { isKept } from './processes.ts';
import { configuredSessions } from './provider/configured-sessions.ts';
import { configuredProximity } from './proximity/configured.ts';
import { publicUrlOf } from './public-url.ts';
import { createReceiptKeys } from './receipts/keys.ts';
import { followKeeper, startReplica } from './replica/replica.ts';
import type { Replica } from './replica/replica-state.ts';
import { createCursorService } from './search/cursor.ts';
import { serverLog } from './server-log.ts';
import { recordSettings } from './settings-trail.ts';
import { keepTidy } from './state/housekeeping.ts';
import { openState, requireSecrets } from './state/open.ts';
import { StateUnavailable } from './state/outage/unavailable.ts';
import type { StateStore } from './state/store.ts';
import { imageryOf } from './tiles/imagery.ts';
import { configuredTracer } from './trace/configured.ts';
import { createSafeClient } from './upstream/safe-client.ts';

const MEGABYTE = 1024 * 1024;
/** Milliseconds that the steps of an end may take behind the last request. */
const LAST_STEPS_MS = 10_000;

/** A running server and everything it owns. */
export interface Service {
  /** `http://host:port` as a client on this machine would write it. */
  readonly address: string;
  readonly engine: Engine;
  readonly state: StateStore;
  readonly tokens: TokenService;
  readonly metrics: Metrics | null;
  /**
   * Reports that it is not ready, stops accepting, lets running requests finish, then closes engine and state.
   * @param ms after which open connections are cut.
   * @param delayMs between reporting that it is not ready and the stop of accepting.
   */
  drain(ms: number, delayMs?: number): Promise<void>;
}

function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Opens state, engine and HTTP, in that order, and listens.
 * @param openEngine opens the engine in another way: the search bench puts another engine in its place.
 * @throws RangeError when the state store is shared and its secrets are not set; Error when the port is taken, the
 * state store cannot be opened, or a setting names something that does not exist.
 */
export async function startServer(
  settings: Settings,
  catalog: Catalog,
  openEngine: (options: EngineOptions) => Promise<Engine> = createEngine,
): Promise<Service> {
  lowerV8Helpers();
  const logger = serverLog(settings);
  requireSecrets(settings, ['tokenSecret', 'cursorSecret']);
  const shares = memoryShares(settings.memory, settings.workers);
  const metrics = settings.metricsPort > 0 ? new Metrics() : null;
  const tracer = await configuredTracer(process.env, (detail, message) => logger.warn(detail, message));
  const store = await openState(settings.home, settings.stateUrl, logger);
  const state = metrics ? metrics.watch(store) : store;
  await recordSettings(state, settings);
  const stopTidying = keepTidy(state, Date, error => {
    // Outages are logged elsewhere.
    if (!(error instanceof StateUnavailable)) logger.error({ err: error }, 'the state store could not be tidied');
  });
  let engine: Engine | undefined;
  let threads: LanguageThreads | undefined;
  let stopNoting: (() => Promise<void>) | undefined;
  let stopCorrecting: (() => Promise<void>) | undefined;
  let stopLogging = () => {};
  let stopWatching = () => {};
  let listener: MetricsListener | undefined;
  let jobs: JobWorker | undefined;
  let replica: Replica | null = null;
  try {
    if (settings.releases !== '') replica = isKept ? followKeeper() : await startReplica(settings, logger);
    const pulled = replica;
    const secret = settings.tokenSecret ?? keptSecret(settings.home, 'token');
    const cursorSecret = settings.cursorSecret ?? keptSecret(settings.home, 'cursor');
    const tokens = createTokenService(secret, state, Date);
    const log = (message: string) => logger.error(message);
    const client = createSafeClient({ networks: settings.outgoingNetworks });
    const terms = await configuredTerms(settings, state, Date);
    const mailer = configuredMailer(settings, Date);
    if (!mailer.leaves) logger.warn({ folder: join(settings.home, OUTBOX) }, 'mail is not sent but written to files');
    const { sessions, embedded } = configuredSessions(settings, { state, secret, clock: Date, log, client });
    stopNoting = keepNoting([tokens, embedded.grants], error => {
      if (!(error instanceof StateUnavailable)) logger.error({ err: error }, 'uses of tokens could not be noted');
    });
    stopCorrecting = await keepCorrections(state, settings.home, error => {
      if (!(error instanceof StateUnavailable)) logger.error({ err: error }, 'corrections could not be brought here');
    });
    engine = await openEngine({
      home: settings.home,
      workers: settings.workers,
      queue: settings.queue,
      memoryMb: shares.workerMb,
      servingMb: shares.servingMb,
      cores: availableParallelism() / settings.processes,
      warn: message => logger.error(message),
    });
    const ownEngine = engine;
    const ownThreads = startLanguage(catalog === builtIn ? null : catalog, log);
    threads = ownThreads;
    const { language } = ownThreads;
    stopLogging = logDamage(ownEngine, logger);
    const outliving: Outliving = new Set();
    const lifecycle = { ending: false };
    const memory = new MemoryWatch(settings.memory * MEGABYTE, {
      resident: process.memoryUsage.rss,
      now: () => performance.now(),
      shrinkCaches: () => ownEngine.shrinkCaches(),
      warn: message => logger.warn(message),
    });
    stopWatching = memory.start();
    const cache = settings.fetchCache === 'on' ? createAnswerCache(Date, shares.responsesMb * MEGABYTE) : null;
    const places = () => placeStates(settings.home);
    metrics?.read({ engine: ownEngine, cache, state, home: settings.home, replica, places, now: Date.now });
    const geocoder = configuredGeocoder(settings, ownEngine, state.geocodes);
    const publicUrl = publicUrlOf(settings);
    const mailLinks = createMailLinks(secret, publicUrl);
    const callbacks = { client, mailer, mailLinks, secret: settings.webhookSecret, publicUrl };
    const services: Services = {
      engine: ownEngine,
      catalog,
      cache,
      clock: Date,
      geocoder,
      state,
      outliving,
      language,
      home: settings.home,
      batches: batchGate(settings.workers),
    };
    jobs = workOnJobs({ ...services, callbacks, log: logger, tracer }, settings.jobs === 'on' ? JOB_KINDS : []);
    const working = jobs;
    const app = await buildApp({
      ...services,
      tokens,
      lifecycle,
      replica,
      places,
      metrics,
      tracer,
      trustedProxies: settings.trustedProxies,
      sessions,
      embedded,
      guests: settings.guests === 'on' ? createGuestService(secret, Date) : null,
      accessTokens: accessTokens(embedded),
      mailer,
      mailLinks,
      memory,
      publicUrl,
      imagery: imageryOf(settings),
      terms,
      security: {
        contacts: settings.securityContact,
        answerDays: settings.securityAnswerDays,
        policy: settings.securityPolicy,
      },
      corsOrigins: settings.corsOrigins,
      rateLimit: settings.rateLimit === 'on',
      changes: { cursors: createChangesCursors(cursorSecret, Date) },
      receiptKeys: createReceiptKeys(state.receiptKeys, secret, Date),
      ogc: { cursors: createFeatureCursors(cursorSecret, Date) },
      lists: { cursors: createListCursors(cursorSecret, Date) },
      search: {
        cursors: createCursorService(cursorSecret, Date),
        batch: settings.searchBatch,
        maxCandidates: settings.searchMaxCandidates || null,
        maxEvaluated: settings.searchMaxEvaluated || null,
        maxVertices: settings.searchMaxVertices,
        maxSquareKm: settings.searchMaxKm2,
      },
      lookup: { gate: accountGate(settings.lookupConcurrency) },
      ask: await configuredAsk(settings, catalog, language, logger),
      proximity: configuredProximity(settings, ownEngine, state),
      fieldRequests: { client },
      limits: {
        bodyLimit: settings.bodyLimit,
        requestTimeout: settings.requestTimeout,
        maxConnections: settings.maxConnections,
        answerBytes: shares.answersMb * MEGABYTE,
        bodyBytes: shares.bodiesMb * MEGABYTE,
        addressConnections: settings.addressConnections,
        accountRequests: settings.accountRequests,
        addressRequests: settings.addressRequests,
      },
      logger,
    });
    // With several processes, the keeper asks for the metrics.
    if (metrics && !isKept) {
      const exposed = { contentType: metrics.registry.contentType, metrics: () => metrics.registry.metrics() };
      listener = await exposeMetrics(exposed, settings.metricsHost, settings.metricsPort);
    }
    await app.listen({
      host: settings.host,
      port: settings.port,
      listenTextResolver: address => `listening ${address}`,
    });
    const bound = app.server.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : settings.port;
    return {
      address: addressOf(settings.host, port),
      engine: ownEngine,
      state,
      tokens,
      metrics,
      async drain(ms, delayMs = 0) {
        lifecycle.ending = true;
        if (delayMs > 0) await sleep(delayMs);
        const end = Date.now() + ms;
        const cut = setTimeout(() => app.server.closeAllConnections(), ms);
        // Timers and threads that hold no process open may be what the end waits for: the process would end there, with code 13.
        const awake = setTimeout(() => {}, ms + LAST_STEPS_MS);
        // Followers of a run still see it end.
        const worked = working.stop(ms);
        await app.close();
        clearTimeout(cut);
        await outlived(outliving, Math.max(0, end - Date.now()));
        await worked;
        await tracer.close();
        await listener?.close();
        await pulled?.close();
        mailer.close();
        stopLogging();
        stopWatching();
        await exportThreads(catalog).close();
        await ownThreads.close();
        await ownEngine.close();
        await stopTidying();
        await stopCorrecting?.();
        await stopNoting?.();
        await state.close();
        logger.flush();
        clearTimeout(awake);
      },
    };
  } catch (error) {
    await jobs?.stop();
    await listener?.close();
    await replica?.close();
    stopLogging();
    stopWatching();
    await threads?.close();
    await engine?.close();
    await stopTidying();
    await stopCorrecting?.();
    await stopNoting?.();
    await state.close();
    throw error;
  }
}
