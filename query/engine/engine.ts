import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import { catalog as builtIn, type Catalog } from '../../datasets/catalog.ts';
import { LOCATION_LIMIT_MS } from '../evaluate/evaluate.ts';
import { failed } from '../evaluate/finding.ts';
import { requestedFields } from '../evaluate/requested-fields.ts';
import { readAnswers, type WrittenAnswers, writeAnswers } from '../evaluate/written-answers.ts';
import { loadGeos } from '../geometry/geos.ts';
import { Fault } from '../release/fault.ts';
import { summaryOfLayer } from '../release/lists/layer-lists.ts';
import { currentId, openPastRelease, openReleaseById, type Release, watchCurrent } from '../release/open-release.ts';
import { overlayProgress } from '../release/overlay-progress.ts';
import { keptReleases, releaseBy } from '../release/published.ts';
import { ServingLease } from '../release/serving-lease.ts';
import { INLINE_BYTES } from '../release/verified-file.ts';
import { withheldList } from '../release/withheld/withheld-list.ts';
import { noMatches, type WrittenResult } from '../search/page/written-page.ts';
import { columnsOf } from './contents/columns.ts';
import { CountedParcels } from './contents/counted-parcels.ts';
import { countiesWithRejected, type RejectedByCounty } from './contents/counts-task.ts';
import { FieldVersions } from './contents/field-versions.ts';
import { InstalledSources } from './contents/installed-sources.ts';
import { ListMarks } from './contents/list-marks.ts';
import { Quantiles } from './contents/quantiles.ts';
import { Scorecards } from './contents/scorecards.ts';
import { type Engine, type EngineStatus, SiteUnscreened } from './engine-interface.ts';
import { answered, type Failure } from './failure.ts';
import { FileChecker, threadFile } from './file-checker.ts';
import { IdleThread } from './idle-thread.ts';
import { collectGarbage } from './memory/collect.ts';
import { heapMbOf } from './memory/memory-shares.ts';
import { abortError, JobQueue, type Standing, type Terms } from './queue/job-queue.ts';
import { RoadGraphs } from './route/road-graphs.ts';
import { ServingThreadSearches } from './serving-thread-searches.ts';
import { questionsAbout } from './set/set-questions.ts';
import type { TaskName, Tasks } from './tasks.ts';
import { archivedLayers, Tiles } from './tiles.ts';
import { warmLayers, warmthOf } from './warmth.ts';
import type { Outcome, WorkerSetup, WorkerTask } from './worker-task.ts';

export interface EngineOptions {
  /** PLAT_HOME. */
  readonly home: string;
  /** Worker threads. */
  readonly workers: number;
  /** Requests that may wait for a worker. */
  readonly queue: number;
  /** What each worker may keep in memory. */
  readonly memoryMb: number;
  /** What the serving thread may keep of what workers hand over, and a quarter as much of matches as text; as a worker when missing. */
  readonly servingMb?: number;
  /** Processor cores that this process has for itself, 2 when missing. */
  readonly cores?: number;
  /** Instead of the catalog of this build. */
  readonly catalog?: Catalog;
  /** Files larger than this many bytes are hashed in the background instead of in the request that needs them first; infinite for commands. */
  readonly inlineBytes?: number;
  /** Told what an operator should know: the current release cannot be opened and the one before goes on answering. */
  readonly warn?: (message: string) => void;
}

/** What is said of a task that no worker answered. */
const unanswered = (failed: string, late: boolean): Failure => ({ failed, late });

const uncounted = (reason: string) => ({ uncounted: reason });

/** A page that says only that it could not be made. */
const unavailablePage = (after: Tasks['search']['input']['after'], timeout = false): WrittenResult => ({
  matches: noMatches(),
  status: 'partial',
  reason: timeout ? 'timeout' : 'source_unavailable',
  next: after,
});

/** What is said of the layers of a release, and when the newest file of each dataset was retrieved; no shard is read. */
function summaryOf(release: Release | null): Pick<EngineStatus, 'datasets'> & { retrieved: Map<string, string> } {
  const datasets: Record<string, Record<string, EngineStatus['datasets'][string][string]>> = {};
  const retrieved = new Map<string, string>();
  for (const [dataset, layers] of Object.entries(release?.manifest.datasets ?? {}))
    for (const [layer, version] of Object.entries(layers)) {
      const { rows, vintages, sources, retrievedAt } = summaryOfLayer(version);
      datasets[dataset] ??= {};
      datasets[dataset][layer] = { rows, vintages, sources };
      if (retrievedAt > (retrieved.get(dataset) ?? '')) retrieved.set(dataset, retrievedAt);
    }
  return { datasets, retrieved };
}

/**
 * Starts the workers and waits until they are warm. Without a release the engine runs and every field fails saying so;
 * a release published later is picked up within a second, while requests that came before finish on the old one.
 * @throws Error when the workers cannot be started or the current release cannot be opened.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { home, workers, queue, memoryMb, inlineBytes = INLINE_BYTES } = options;
  const catalog = options.catalog ?? builtIn;
  const open = (id: string | null) => (id === null ? null : openReleaseById(home, id));
  let release = open(currentId(home));
  let { datasets, retrieved } = summaryOf(release);
  const sources = new InstalledSources(catalog);
  let columns = columnsOf(release, catalog);
  let mapLayers = archivedLayers(release);
  const tiles = new Tiles();
  const quantiles = new Quantiles();
  const scorecards = new Scorecards();
  let versions = new FieldVersions(catalog, release);
  const marks = new ListMarks(home);
  const columnsBefore = new LRUCache<string, ReadonlySet<string>>({ max: 4 });

  let closed = false;
  const ready = new Int32Array(new SharedArrayBuffer(8));
  const flags = JobQueue.flagsFor(workers, queue);
  const started = warmLayers(release);
  const openLayers = new Int32Array(new SharedArrayBuffer(4 * started.length));
  const shrinkings = new Int32Array(new SharedArrayBuffer(4));
  const setup: WorkerSetup = {
    home,
    memoryMb,
    ready,
    openLayers,
    shrinkings,
    flags: flags.block,
    catalog: options.catalog ?? null,
    inlineBytes,
  };
  const pool = new Piscina<WorkerTask | null, Outcome>({
    ...threadFile('worker'),
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: JobQueue.deliveries,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: heapMbOf(memoryMb) },
    // Nobody asks the pool how long its tasks take.
    recordTiming: false,
    workerData: setup,
  });
  const threads = new WeakSet<object>();
  pool.on('workerCreate', () => {
    for (const thread of pool.threads) {
      if (threads.has(thread)) continue;
      threads.add(thread);
      let cause: string | null = null;
      thread.once('error', error => {
        cause = error.message;
      });
      thread.once('exit', code => {
        if (!closed) options.warn?.(`a worker ended and is replaced: ${cause ?? `exit code ${code}`}`);
      });
    }
  });
  // Kept for good: a worker that dies later is replaced by the pool, and must not take the process with it.
  const startError = new Promise<never>((_, reject) => pool.on('error', reject));
  startError.catch(() => {});
  await Promise.race([Promise.all([warmed(ready, workers), loadGeos()]), startError]);
  Atomics.store(ready, 1, 1);
  const jobs = new JobQueue(pool, workers, queue, flags);
  const idleThread = new IdleThread(() => jobs.idle, options.cores);
  const searches = new ServingThreadSearches(catalog, options.servingMb ?? memoryMb, () => idleThread.isAlone());

  const checker = new FileChecker(home, inlineBytes);
  checker.follow(release);
  const roads = new RoadGraphs();
  roads.follow(release);
  let problem: string | null = null;
  const warn = (error: unknown) => {
    const { message } = error as Error;
    if (message !== problem) options.warn?.(`${message} (release ${release?.id ?? 'none'} goes on answering)`);
    problem = message;
  };
  const follow = (id: string) => {
    if (id !== release?.id) {
      // A release that cannot be opened throws here, and the watch tries again: the last good one serves on.
      const next = open(id);
      columns = columnsOf(next, catalog);
      release = next;
      ({ datasets, retrieved } = summaryOf(next));
      mapLayers = archivedLayers(next);
      versions = new FieldVersions(catalog, next);
      checker.follow(next);
      roads.follow(next);
      lease.hold(next?.id ?? null);
    }
    problem = null;
  };
  const lease = new ServingLease(home);
  lease.hold(release?.id ?? null);
  const stopWatching = watchCurrent(home, follow, warn);

  const failedAll = (names: readonly string[], reason: string): WrittenAnswers => {
    const now = Date.now();
    const finding = failed(new Fault(reason, true));
    const found = { findings: names.map(() => finding), moments: names.map(() => now) };
    return writeAnswers(requestedFields(catalog, names), found);
  };

  const standing = ({ release: id = release?.id, asPublished = false }: Partial<Terms> = {}): Standing => {
    const past = id !== undefined && (asPublished || id !== release?.id);
    if (past) lease.use(id);
    return { release: id ?? null, past, judged: checker.judged };
  };
  const submit = <K extends TaskName>(
    kind: K,
    input: Tasks[K]['input'],
    terms: Terms,
    instead: (reason: string, late: boolean) => Tasks[K]['output'],
  ) => {
    idleThread.arrived();
    return jobs.submit(kind, input, standing(terms), terms, instead);
  };

  const counted = new CountedParcels(fips =>
    submit('parcelCounts', { fips }, { deadline: Date.now() + LOCATION_LIMIT_MS }, unanswered),
  );

  return {
    fetch(names, point, { deadline, ...more }) {
      for (const name of names)
        if (!catalog.fields.has(name)) return Promise.reject(new RangeError(`No field ${name} in the catalog`));
      const limit = Math.min(deadline, Date.now() + LOCATION_LIMIT_MS);
      return submit('fetch', { names, point }, { ...more, deadline: limit }, (reason, late) =>
        failedAll(names, late ? 'the time for this location was up' : reason),
      ).then(written => readAnswers(names, written));
    },
    matchParcel(point, address, { geometry = false, ...terms }) {
      return submit('matchParcel', { point, address, geometry }, terms, reason => ({
        status: 'unavailable',
        reason,
      }));
    },
    enrich(request, { deadline, ...more }) {
      const limit = Math.min(deadline, Date.now() + LOCATION_LIMIT_MS);
      return submit('enrich', request, { ...more, deadline: limit }, reason => ({ status: 'unavailable', reason }));
    },
    async geocode(address, terms) {
      return answered(await submit('geocode', { address }, terms, unanswered));
    },
    async pointTable(request, terms) {
      return answered(await submit('pointTable', request, terms, unanswered));
    },
    async suggest(request, terms) {
      return answered(await submit('suggest', request, terms, unanswered)).suggestions;
    },
    async search(request, terms) {
      if (terms.signal?.aborted) throw abortError();
      idleThread.arrived();
      const isCurrent = terms.release === undefined || terms.release === release?.id;
      const page = release && isCurrent && !closed ? await searches.page(request, release, terms) : 'heavy';
      if (typeof page !== 'string') return page;
      const whole = page === 'unknown' ? { ...request, handOver: true } : request;
      const result = await submit('search', whole, terms, (_, late) => unavailablePage(request.after, late));
      if ('columnsRead' in result && result.columnsRead) searches.take(result.columnsRead);
      return result;
    },
    ...questionsAbout(name => (request, terms) => submit(name, request, terms, uncounted)),
    accumulation: (request, terms) => submit('accumulation', request, terms, uncounted),
    area: (request, terms) => submit('area', request, terms, uncounted),
    features: async (question, terms) => answered(await submit('features', question, terms, unanswered)),
    changes(request, terms) {
      return submit('changes', request, terms, unanswered);
    },
    keptReleases: () => keptReleases(home),
    releaseBy: moment => releaseBy(home, moment),
    overlayProgress: () => overlayProgress(home),
    readSite(candidate, terms) {
      return submit('readSite', candidate, terms, reason => ({ unread: reason }));
    },
    async screenGround(geometry, { names = null, ...terms }) {
      const ground = await submit('site', { geometry, names }, terms, reason => ({ unscreened: reason }));
      if ('unscreened' in ground) throw new SiteUnscreened(ground.unscreened);
      return ground;
    },
    async route(question, terms) {
      // Another release may become current while the graphs of one are being read.
      const of = terms.release === undefined ? release : openPastRelease(home, terms.release);
      const graphs = await roads.of(of);
      return answered(await submit('route', { question, graphs }, { ...terms, release: of?.id }, unanswered));
    },
    async places(question, terms) {
      return answered(await submit('places', question, terms, unanswered));
    },
    tile: (layer, tile) => tiles.read(release, layer, tile),
    terrain: async (tile, terms) => answered(await submit('terrain', tile, terms, unanswered)).bytes,
    mapLayers: () => mapLayers,
    evidence: async (request, terms) => answered(await submit('evidence', request, terms, unanswered)),
    parcelColumns: () => columns,
    async parcelColumnsOf(id, terms) {
      let names = columnsBefore.get(id);
      if (!names) {
        names = new Set(answered(await submit('parcelColumns', null, { ...terms, release: id }, unanswered)).names);
        columnsBefore.set(id, names);
      }
      return names;
    },
    versionOf: field => versions.of(field),
    listsMark: () => marks.now(),
    withheldSince: () => withheldList(home).since,
    status: () => ({
      release: release?.id ?? null,
      datasets,
      workers: { size: workers, ready: Math.max(0, Math.min(workers, Atomics.load(ready, 0))) },
      waiting: jobs.waiting,
      // Going through all files of a release takes half a millisecond, which each lookup of an address would wait for.
      get warm() {
        return warmthOf(started, openLayers, workers, release);
      },
      damage: [...checker.damage, ...(problem === null ? [] : [{ file: 'current', layers: [], problem }])],
    }),
    retrieved: () => retrieved,
    availability: (county = null) => sources.availability(release, county),
    installed: () => sources.of(release),
    parcelCounts: (county, terms) => counted.of(release, county, terms),
    quantiles: area => quantiles.of(release, area),
    scorecard: county => scorecards.of(release, county),
    counties: () => scorecards.counties(release),
    async rejectedParcels(counties, terms) {
      const some = countiesWithRejected(release).flatMap(({ fips }) => (counties.includes(fips) ? [fips] : []));
      if (!some.length) return {};
      const told = await submit('rejectedParcels', { counties: some }, terms, unanswered).catch(() => null);
      return told === null || 'failed' in told ? null : (told as RejectedByCounty);
    },
    shrinkCaches() {
      if (closed) return;
      Atomics.add(shrinkings, 0, 1);
      searches.shrink();
      // Who has work looks before its next task; the others are woken.
      for (let i = 0; i < workers; i++) pool.run(null).catch(() => {});
      collectGarbage();
    },
    async close() {
      if (closed) return;
      closed = true;
      stopWatching();
      lease.close();
      await jobs.close();
      await checker.close();
      for (const held of [searches, tiles, quantiles, scorecards]) held.close();
    },
  };
}

/** Resolves once as many workers as wanted have said that they are warm. */
async function warmed(ready: Int32Array, wanted: number): Promise<void> {
  for (;;) {
    const now = Atomics.load(ready, 0);
    if (now >= wanted) return;
    const wait = Atomics.waitAsync(ready, 0, now, 1000);
    if (wait.async) await wait.value;
  }
}
