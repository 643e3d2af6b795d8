import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { catalog } from '../datasets/catalog.ts';
import type { Manifest } from '../datasets/release.ts';
import { dropCandidate, keepCandidate, keptManifests } from '../query/release/home/candidate.ts';
import { type Lock, takeLock } from '../query/release/home/lock.ts';
import { publish } from '../query/release/home/publish.ts';
import { currentId, readManifest } from '../query/release/home/releases.ts';
import { Store } from '../query/release/home/store.ts';
import { withChanges } from '../query/release/lists/sharded-manifest.ts';
import { manifestText } from '../query/release/manifest.ts';
import { releaseOf } from '../query/release/open-release.ts';
import { storageProblem } from '../query/release/storage.ts';
import { Ledger } from './ledger/ledger.ts';
import { overlayCatalog } from './overlay/attributes.ts';
import { dropStages, type OverlayReport, overlaid } from './overlay/overlay.ts';
import { carryOverlays } from './overlay/plan.ts';
import type { Machines } from './overlay/remote-crew.ts';
import { ingested, type PlaceReport, type PlaceRun } from './place-run.ts';
import type { Progress } from './progress.ts';
import { identified } from './release/manifest.ts';
import { withQuantiles } from './steps/quantiles/area-quantiles.ts';
import { type TilesReport, tiled } from './steps/tiles/tiled.ts';
import { Workforce } from './steps/workforce.ts';

/** What a run of several places made. */
export interface PlacesReport {
  /** Null if no place could be ingested and nothing was published before. */
  readonly release: string | null;
  readonly previous: string | null;
  /** False if the files were the same as last time; the current release then stays. */
  readonly changed: boolean;
  readonly seconds: number;
  /** Number of leftovers of killed runs that were removed first. */
  readonly cleaned: number;
  readonly tiles: TilesReport;
  /** Null if the run computed no overlays. */
  readonly overlay: OverlayReport | null;
  readonly places: readonly PlaceReport[];
  /** Places of which nothing could be ingested. */
  readonly failures: readonly { readonly place: string; readonly error: unknown }[];
}

/** The result of an ingest of one place. */
export interface RunReport extends Omit<PlacesReport, 'places' | 'failures' | 'release'>, PlaceReport {
  readonly release: string;
}

interface HomeOptions {
  /** PLAT_HOME. */
  readonly home: string;
  /** Called once the lock is held. */
  readonly began?: () => void;
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
  /** Computes the overlays of all parcels before publication. Without it, stale overlays are left out. */
  readonly overlay?: { readonly memoryMb: number; readonly machines?: Machines };
}

export interface RunOptions extends HomeOptions, PlaceRun {}

interface PlacesOptions extends HomeOptions {
  /** What the holder of the lock does. */
  readonly what: string;
  /** Places in the order in which they are ingested. */
  readonly places: Iterable<PlaceRun> | AsyncIterable<PlaceRun>;
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
 * Ingests one place into a new release.
 * If a layer fails, nothing is published and the current release stays in service.
 * @throws LockedError when another ingest runs; and as runPlaces and `ingested`.
 */
export async function run(options: RunOptions): Promise<RunReport> {
  const { place } = options;
  const { places, failures, ...report } = await runPlaces({
    ...options,
    what: `ingest of ${place.name}`,
    places: [options],
  });
  if (failures.length > 0) throw failures[0]!.error;
  return { ...report, ...places[0]!, release: report.release! };
}

const NO_TILES: TilesReport = { made: [], failed: [], kept: 0, bytes: 0 };

/**
 * Ingests places one after the other, each over what the one before left, into one release, which is published once. A place that fails
 * leaves what the release before has of it. Tiles and overlays are made of all of them together, so that no calculation mixes
 * editions.
 * @throws LockedError when another ingest runs; StorageError; the reason of the signal.
 */
export async function runPlaces(options: PlacesOptions): Promise<PlacesReport> {
  const { home, progress, signal, what, reuse = true, code } = options;
  const started = performance.now();
  const now = options.now ?? new Date();
  const store = new Store(home);
  let lock: Lock | undefined;
  let workforce: Workforce | undefined;
  let ledger: Ledger | undefined;
  let folder: string | undefined;
  let published = false;
  try {
    lock = takeLock(store.releases, what);
    options.began?.();
    workforce = new Workforce(Math.min(2, options.threads));
    const manifests = keptManifests(store.releases);
    const current = currentId(store.releases);
    const previous = current === null ? null : readManifest(store.releases, current);
    ledger = new Ledger(store.releases);
    const cleaned = await store.clean(manifests, ledger.pending());
    folder = await store.stage();
    const shared = { store, ledger, workforce, progress, signal, now, reuse, code };
    const done: Awaited<ReturnType<typeof ingested>>[] = [];
    const failures: { place: string; error: unknown }[] = [];
    let latest = previous;
    for await (const place of options.places) {
      try {
        const number = done.length + failures.length;
        const one = await ingested(place, { ...shared, folder: join(folder, String(number)) }, latest);
        latest = one.manifest;
        done.push(one);
      } catch (error) {
        if (signal?.aborted || storageProblem(error, store.releases) !== null) throw error;
        failures.push({ place: place.place.name, error });
      }
    }
    let [tiles, overlay]: [TilesReport, OverlayReport | null] = [NO_TILES, null];
    let manifest = previous;
    let changed = false;
    if (done.length > 0) {
      const composed = following(latest!, previous);
      const candidate =
        composed === previous
          ? withChanges(composed, { createdAt: now.toISOString(), previous: composed.id })
          : carryOverlays(overlayCatalog(), previous, releaseOf(home, composed));
      const drawn = await tiled(store, candidate, reuse ? previous : null, { home, workforce, progress, signal });
      tiles = drawn.report;
      let full = drawn.manifest;
      if (options.overlay) {
        // What its threads hold is memory that those of overlays take.
        await workforce.close();
        const { threads } = options;
        const computed = await overlaid(store, full, { ...options.overlay, home, threads, progress, signal, now });
        overlay = computed.report;
        full = computed.manifest;
      }
      full = await withQuantiles(store, full, reuse ? previous : null, { home, catalog, progress, signal });
      changed = composed !== previous || full !== candidate;
      manifest = changed ? full : composed;
      if (changed && options.publish === false) await keepCandidate(store.releases, manifest, manifestText(manifest));
      else if (changed) {
        await publish(store.releases, manifest);
        await dropCandidate(store.releases);
      }
      published = true;
      const keys = new Set(done.flatMap(one => [...one.keys]));
      for (const one of done) for (const key of await one.rekey(manifest)) keys.add(key);
      ledger.settle(keys);
      if (options.overlay) dropStages(store);
    }
    return {
      ...{ release: manifest?.id ?? null, previous: previous?.id ?? null, changed },
      ...{ seconds: (performance.now() - started) / 1000, cleaned, tiles, overlay },
      ...{ places: done.map(({ report }) => report), failures },
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

/** A manifest that several places were composed into, as the one that follows the current release. */
function following(latest: Manifest, previous: Manifest | null): Manifest {
  if (latest === previous || latest.previous === (previous?.id ?? null)) return latest;
  return identified(withChanges(latest, { previous: previous?.id ?? null }));
}
