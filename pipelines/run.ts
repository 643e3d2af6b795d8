import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Place } from '../datasets/place/place.ts';
import type { Acceptance, IngestCount, Manifest } from '../datasets/release.ts';
import { releaseOf } from '../query/release/opened-release.ts';
import { storageProblem } from '../query/release/storage.ts';
import { overlayCatalog } from './overlay/attributes.ts';
import { dropStages, type OverlayReport, overlaid } from './overlay/overlay.ts';
import { carryOverlays } from './overlay/plan.ts';
import type { Progress } from './progress.ts';
import { type Lock, takeLock } from './release/lock.ts';
import { type Contribution, compose, currentId, readManifest, releaseIds } from './release/manifest.ts';
import { publish } from './release/publish.ts';
import { Store } from './release/store.ts';
import { acquire, type SourceFile } from './steps/acquire.ts';
import { countyGrounds } from './steps/ground/county-ground.ts';
import { adopt, builtOf, jobsOf } from './steps/job.ts';
import { LayerError } from './steps/layer-job.ts';
import { QualityError, sorted } from './steps/quality/breach.ts';
import { breachesOf } from './steps/quality/expectations.ts';
import type { Reject } from './steps/rejected/reject.ts';
import { Workforce } from './steps/workforce.ts';

/** What an ingest did. */
export interface RunReport {
  readonly release: string;
  readonly previous: string | null;
  /** False when the files were the same as last time: the current release stays. */
  readonly changed: boolean;
  readonly place: string;
  readonly seconds: number;
  readonly sources: readonly SourceFile[];
  readonly counts: readonly IngestCount[];
  /** The first rows of each layer that were rejected or repaired; the release's rejects files hold all. */
  readonly samples: readonly Reject[];
  /** Expectations that were not met and accepted by this run's flags; flags that no breach answers to. */
  readonly accepted: readonly Acceptance[];
  readonly idleFlags: readonly string[];
  /** Leftovers of killed runs that were removed first. */
  readonly cleaned: number;
  /** Null when overlays were not asked for. */
  readonly overlay: OverlayReport | null;
}

export interface RunOptions {
  /** PLAT_HOME. */
  readonly home: string;
  /** Folder of published files. */
  readonly sources: string;
  /** Valid against place-schema. */
  readonly place: Place;
  readonly progress: Progress;
  /** Layers built at the same time, each in a thread; 0 builds in this thread. */
  readonly threads: number;
  readonly signal?: AbortSignal;
  readonly now?: Date;
  /** Breaches that this run accepts, as quality/breach.ts names them. */
  readonly accept?: readonly string[];
  /** Computes the overlays of all parcels before the release is published; without it stale ones are left out. */
  readonly overlay?: { readonly memoryMb: number };
}

/** The releases folder cannot be written to. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The error, or what it means where the disk is at fault. */
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

/** Manifests of every release that reads; a damaged one must not lose its files to the cleaning, so it stops the run. */
function allManifests(releases: string): Manifest[] {
  return releaseIds(releases).map(id => readManifest(releases, id));
}

/** Cleans up after a failed run as far as that goes: the next run does it again, and the failure is what counts. */
async function cleaned(store: Store): Promise<void> {
  try {
    await store.clean(allManifests(store.releases));
  } catch {}
}

/**
 * Ingests one place into a new release: acquire, read, normalise, project, validate, partition, write, verify counts,
 * publish. Layers of the place replace those it brought before; all others of the current release stay.
 * When any layer fails nothing is published and the current release goes on serving.
 * @throws LockedError when another ingest runs; LayerError or ReadError naming file, row and cause; QualityError with every
 * expectation that is not met.
 */
export async function run(options: RunOptions): Promise<RunReport> {
  const { home, place, sources, progress, signal } = options;
  const started = performance.now();
  const now = options.now ?? new Date();
  const store = new Store(home);
  let lock: Lock | undefined;
  let workforce: Workforce | undefined;
  let folder: string | undefined;
  let published = false;
  try {
    lock = takeLock(store.releases, `ingest of ${place.name}`);
    workforce = new Workforce(Math.min(2, options.threads));
    const manifests = allManifests(store.releases);
    const current = currentId(store.releases);
    const previous = current === null ? null : readManifest(store.releases, current);
    const cleaned = await store.clean(manifests);
    const found = await acquire(place, sources, true);
    const missing = found.filter(f => f.bytes === null);
    if (missing.length > 0)
      throw new LayerError(
        `${missing.length} of ${found.length} files are not in ${sources}: ${missing.map(f => f.file).join(', ')}`,
      );
    folder = await store.stage();
    const jobs = jobsOf(
      place,
      previous,
      { releases: store.releases, sources, folder, now },
      await countyGrounds(place, sources, now.toISOString().slice(0, 10)),
    );
    const results = await workforce.build(jobs, progress, signal);
    signal?.throwIfAborted();
    const built = builtOf(place, results);
    const verdict = sorted(breachesOf(place, built, previous), options.accept ?? []);
    if (verdict.standing.length > 0) throw new QualityError(place.name, verdict.standing, current);
    const on = now.toISOString().slice(0, 10);
    const accepted = verdict.accepted.map(({ key, what }): Acceptance => ({ place: place.name, key, what, on }));
    const contributions: Contribution[] = [];
    for (const [i, result] of results.entries()) contributions.push(await adopt(store, result, jobs[i]!, now));
    const counts = built.map(({ count }) => count);
    const composed = compose(previous, place.name, contributions, counts, now, accepted);
    let manifest = composed;
    if (composed !== previous) manifest = carryOverlays(overlayCatalog(), previous, releaseOf(home, composed));
    let overlay: OverlayReport | null = null;
    if (options.overlay) {
      const candidate =
        composed === previous ? { ...composed, createdAt: now.toISOString(), previous: composed.id } : manifest;
      const computed = await overlaid(store, candidate, {
        ...options.overlay,
        home,
        threads: options.threads,
        progress,
        signal,
        now,
      });
      overlay = computed.report;
      if (computed.manifest !== candidate || manifest !== previous) manifest = computed.manifest;
    }
    const changed = manifest !== previous;
    if (changed) await publish(store.releases, manifest);
    published = true;
    if (options.overlay) dropStages(store);
    return {
      release: manifest.id,
      previous: previous?.id ?? null,
      changed,
      place: place.name,
      seconds: (performance.now() - started) / 1000,
      sources: found,
      counts,
      samples: results.flatMap(r => r.samples),
      accepted,
      idleFlags: verdict.idle,
      cleaned,
      overlay,
    };
  } catch (error) {
    throw await explained(error, store.releases);
  } finally {
    await workforce?.close();
    progress.close();
    if (folder && existsSync(folder)) await rm(folder, { recursive: true, force: true });
    // What was taken into the store for a release that came to nothing takes room that may be wanted.
    if (lock && !published) await cleaned(store);
    lock?.release();
  }
}
