import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { catalog } from '../datasets/catalog.ts';
import type { Place } from '../datasets/place/place.ts';
import type { Acceptance, IngestCount, Manifest } from '../datasets/release.ts';
import { dropCandidate, keepCandidate, keptManifests } from '../query/release/home/candidate.ts';
import { type Lock, takeLock } from '../query/release/home/lock.ts';
import { publish } from '../query/release/home/publish.ts';
import { currentId, readManifest } from '../query/release/home/releases.ts';
import { withShards } from '../query/release/home/shards.ts';
import { Store } from '../query/release/home/store.ts';
import { withChanges } from '../query/release/lists/sharded-manifest.ts';
import { manifestText } from '../query/release/manifest.ts';
import { releaseOf } from '../query/release/open-release.ts';
import { storageProblem } from '../query/release/storage.ts';
import { build, rekeyed } from './ledger/build.ts';
import { Ledger } from './ledger/ledger.ts';
import { overlayCatalog } from './overlay/attributes.ts';
import { dropStages, type OverlayReport, overlaid } from './overlay/overlay.ts';
import { carryOverlays } from './overlay/plan.ts';
import type { Machines } from './overlay/remote-crew.ts';
import type { Progress } from './progress.ts';
import { compose } from './release/manifest.ts';
import { acquire, type SourceFile } from './steps/acquire.ts';
import { chosenLayers, inOrder, isChosen, keptOf } from './steps/chosen.ts';
import { countyGrounds } from './steps/ground/county-ground.ts';
import { builtOf, jobsOf } from './steps/job.ts';
import { LayerError } from './steps/layer-job.ts';
import { QualityError, sorted } from './steps/quality/breach.ts';
import { breachesOf } from './steps/quality/expectations.ts';
import { withQuantiles } from './steps/quantiles/area-quantiles.ts';
import type { Reject } from './steps/rejected/reject.ts';
import { type TilesReport, tiled } from './steps/tiles/tiled.ts';
import { Workforce } from './steps/workforce.ts';

/** The result of an ingest. */
export interface RunReport {
  readonly release: string;
  readonly previous: string | null;
  /** False if the files were the same as last time; the current release then stays. */
  readonly changed: boolean;
  readonly place: string;
  readonly seconds: number;
  readonly sources: readonly SourceFile[];
  readonly counts: readonly IngestCount[];
  /** The first rows of each layer that were rejected or repaired; the release's rejects files hold all. */
  readonly samples: readonly Reject[];
  /** Expectations that were not met but accepted by a flag, and flags without a breach. */
  readonly accepted: readonly Acceptance[];
  readonly idleFlags: readonly string[];
  /** Number of leftovers of killed runs that were removed first. */
  readonly cleaned: number;
  /** Layers and counties of parcels that were not built again, because their inputs were those of an earlier run. */
  readonly reused: number;
  readonly tiles: TilesReport;
  /** Null if the run computed no overlays. */
  readonly overlay: OverlayReport | null;
}

export interface RunOptions {
  /** PLAT_HOME. */
  readonly home: string;
  /** Folder of published files. */
  readonly sources: string;
  /** A place that checkPlace accepts. */
  readonly place: Place;
  /** Called once the lock is held. */
  readonly began?: () => void;
  /** Called under the lock before anything is read; downloads new files. @returns the place with its vintages. */
  readonly prepare?: (signal: AbortSignal | undefined) => Promise<Place>;
  /** Datasets to build; the others stay unchanged. */
  readonly only?: readonly string[];
  readonly progress: Progress;
  /** Number of layers built at the same time, each in a thread; 0 builds in this thread. */
  readonly threads: number;
  readonly signal?: AbortSignal;
  readonly now?: Date;
  /** False: makes the release and leaves its publication to `plat ingest publish`. */
  readonly publish?: boolean;
  /** False: builds everything again, with the same result. */
  readonly reuse?: boolean;
  /** Replaces the version of this code; with another version everything is built anew. */
  readonly code?: string;
  /** True: the run removes the place, so missing layers are no breach. */
  readonly removes?: boolean;
  /** Keys of the breaches that this run accepts; see steps/quality/breach.ts. */
  readonly accept?: readonly string[];
  /** Computes the overlays of all parcels before publication. Without it, stale overlays are left out. */
  readonly overlay?: { readonly memoryMb: number; readonly machines?: Machines };
}

/** The releases folder cannot be written. */
class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** Returns the error, or a StorageError if the disk is at fault. */
async function explained(error: unknown, releases: string): Promise<unknown> {
  const problem = storageProblem(error, releases);
  if (problem === null) return error;
  let serving: string | null = null;
  try {
    serving = currentId(releases);
  } catch {}
  const stays = serving === null ? '' : `, release ${serving} stays the current one`;
  return new StorageError(`${problem}, then run this again. Nothing was published${stays}.`, { cause: error });
}

/** Cleans up after a failed run. Errors are ignored: the next run cleans again, and the failure must be reported. */
async function cleaned(store: Store, ledger: Ledger | undefined): Promise<void> {
  try {
    await store.clean(keptManifests(store.releases), ledger?.pending());
  } catch {}
}

/** Drops results that were kept for a later run, to free a full disk. */
function forget(ledger: Ledger | undefined): void {
  try {
    ledger?.forgetPending();
  } catch {}
}

/**
 * Ingests one place into a new release: acquire, read, normalise, project, validate, partition, write, verify counts,
 * publish. Layers of the place replace its former ones; all others of the current release stay.
 * If a layer fails, nothing is published and the current release stays in service.
 * @throws LockedError when another ingest runs; LayerError or ReadError naming file, row and cause; QualityError with every
 * expectation that is not met.
 */
export async function run(options: RunOptions): Promise<RunReport> {
  const { home, sources, progress, signal, only } = options;
  let { place } = options;
  const started = performance.now();
  const now = options.now ?? new Date();
  const store = new Store(home);
  let lock: Lock | undefined;
  let workforce: Workforce | undefined;
  let ledger: Ledger | undefined;
  let folder: string | undefined;
  let published = false;
  try {
    lock = takeLock(store.releases, `ingest of ${place.name}`);
    options.began?.();
    workforce = new Workforce(Math.min(2, options.threads));
    const manifests = keptManifests(store.releases);
    const current = currentId(store.releases);
    const previous = current === null ? null : readManifest(store.releases, current);
    ledger = new Ledger(store.releases);
    const hashes = ledger;
    const cleaned = await store.clean(manifests, ledger.pending());
    place = (await options.prepare?.(signal)) ?? place;
    const whole = place;
    place = chosenLayers(whole, only);
    const found = await acquire(place, sources, path => hashes.hashOf(path));
    const missing = found.filter(f => f.bytes === null);
    if (missing.length > 0)
      throw new LayerError(
        `${missing.length} of ${found.length} files are not in ${sources}: ${missing.map(f => f.file).join(', ')}`,
      );
    folder = await store.stage();
    const folders = { releases: store.releases, sources, folder, now };
    const counties = await countyGrounds(place, sources, now.toISOString().slice(0, 10));
    const jobsOver = (release: Manifest | null) =>
      jobsOf(place, release, folders, counties).filter(job => isChosen(job, only));
    const jobs = jobsOver(previous);
    const { reuse = true, code } = options;
    const { outputs, keys, reused } = await build(jobs, {
      store,
      ledger,
      workforce,
      progress,
      signal,
      now,
      reuse,
      code,
    });
    signal?.throwIfAborted();
    const built = builtOf(place, outputs);
    const breaches = options.removes ? [] : breachesOf(place, built, previous, only);
    const verdict = sorted(breaches, options.accept ?? []);
    if (verdict.standing.length > 0) throw new QualityError(place.name, verdict.standing, current);
    const on = now.toISOString().slice(0, 10);
    const accepted = verdict.accepted.map(({ key, what }): Acceptance => ({ place: place.name, key, what, on }));
    const kept = keptOf(previous, whole, only);
    const contributions = [...outputs.map(output => output.contribution), ...kept.contributions];
    const counts = inOrder([...built.map(({ count }) => count), ...kept.counts], whole);
    const next = compose(previous, place.name, contributions, counts, now, accepted);
    const composed = next === previous ? next : await withShards(store, next);
    const candidate =
      composed === previous
        ? withChanges(composed, { createdAt: now.toISOString(), previous: composed.id })
        : carryOverlays(overlayCatalog(), previous, releaseOf(home, composed));
    const { manifest: drawn, report: tiles } = await tiled(store, candidate, reuse ? previous : null, {
      ...{ home, workforce, progress, signal },
    });
    let full = drawn;
    let overlay: OverlayReport | null = null;
    if (options.overlay) {
      // What its threads hold is memory that those of overlays take.
      await workforce.close();
      const { threads } = options;
      const computed = await overlaid(store, drawn, { ...options.overlay, home, threads, progress, signal, now });
      overlay = computed.report;
      full = computed.manifest;
    }
    full = await withQuantiles(store, full, reuse ? previous : null, { home, catalog, progress, signal });
    const changed = composed !== previous || full !== candidate;
    const manifest = changed ? full : composed;
    if (changed && options.publish === false) await keepCandidate(store.releases, manifest, manifestText(manifest));
    else if (changed) {
      await publish(store.releases, manifest);
      await dropCandidate(store.releases);
    }
    published = true;
    const after = await rekeyed(jobsOver(manifest), jobs, outputs, ledger, { now, code });
    ledger.settle(new Set([...keys, ...after]));
    if (options.overlay) dropStages(store);
    return {
      release: manifest.id,
      previous: previous?.id ?? null,
      changed,
      place: place.name,
      seconds: (performance.now() - started) / 1000,
      sources: found,
      counts,
      samples: outputs.flatMap(output => output.samples),
      accepted,
      idleFlags: verdict.idle,
      cleaned,
      reused,
      tiles,
      overlay,
    };
  } catch (error) {
    const told = await explained(error, store.releases);
    if (told instanceof StorageError) forget(ledger);
    throw told;
  } finally {
    await workforce?.close();
    progress.close();
    if (folder && existsSync(folder)) await rm(folder, { recursive: true, force: true });
    // Files that were stored for a release that failed take space that may be needed.
    if (lock && !published) await cleaned(store, ledger);
    ledger?.close();
    lock?.release();
  }
}
