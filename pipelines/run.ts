import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { keptManifests } from '../query/release/home/candidate.ts';
import { type Lock, LockedError, shareHome, takeTurn, tryTurn } from '../query/release/home/lock.ts';
import { currentId } from '../query/release/home/releases.ts';
import { Store } from '../query/release/home/store.ts';
import { storageProblem } from '../query/release/storage.ts';
import { Ledger } from './ledger/ledger.ts';
import { dropStages } from './overlay/overlay.ts';
import type { PlaceReport, PlaceRun } from './place-run.ts';
import { type HomeOptions, Places, type PlacesOptions, type PlacesReport, PlacesRun } from './places-run.ts';

/** The result of an ingest of one place. */
export interface RunReport extends Omit<PlacesReport, 'places' | 'failures' | 'release'>, PlaceReport {
  readonly release: string;
}

export interface RunOptions extends HomeOptions, PlaceRun {}

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

/** Removes what no release names, if no other ingest has files that no release names yet. @returns the number of leftovers. */
async function cleaned(store: Store, ledger: Ledger): Promise<number> {
  const alone = tryTurn(store.releases, 'work');
  if (!alone) return 0;
  try {
    return await store.clean(keptManifests(store.releases), ledger.pending());
  } finally {
    alone.release();
  }
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
    names: [place.name],
    places: [options],
  });
  if (failures.length > 0) throw failures[0]!.error;
  return { ...report, ...places[0]!, release: report.release! };
}

/**
 * Ingests places one after the other, each over what the one before left, into one release, which is published once. A place that fails
 * leaves what the release before has of it. Tiles and overlays are made of all of them together, so that no calculation mixes
 * editions. Other processes may ingest other places of the home meanwhile; each publishes over what the others did.
 * @throws LockedError when somebody has the home alone, or another process ingests all of `names`; StorageError; the reason of the
 * signal.
 */
export async function runPlaces(options: PlacesOptions): Promise<PlacesReport> {
  const { home, progress, signal, what, names = [] } = options;
  const started = performance.now();
  const store = new Store(home);
  const { releases } = store;
  const places = new Places(releases, what);
  let lock: Lock | undefined;
  let work: Lock | undefined;
  let ledger: Ledger | undefined;
  let folder: string | undefined;
  let keys: ReadonlySet<string> | undefined;
  try {
    lock = shareHome(releases, what);
    const failures: { place: string; error: unknown }[] = [];
    for (const place of names)
      try {
        places.take(place);
      } catch (error) {
        if (!(error instanceof LockedError)) throw error;
        failures.push({ place, error });
      }
    if (names.length > 0 && failures.length === names.length) throw failures[0]!.error;
    options.began?.(places.names);
    ledger = new Ledger(releases);
    const removed = await cleaned(store, ledger);
    work = await takeTurn(releases, 'work', signal, 'shared');
    folder = await store.stage();
    const { keys: used, ...report } = await new PlacesRun(options, store, ledger, folder, failures).publish(places);
    keys = used;
    return { ...report, seconds: (performance.now() - started) / 1000, cleaned: removed };
  } catch (error) {
    const told = await explained(error, releases);
    if (told instanceof StorageError) forget(ledger);
    throw told;
  } finally {
    progress.close();
    if (folder && existsSync(folder)) await rm(folder, { recursive: true, force: true });
    work?.release();
    if (ledger && work) await settled(store, ledger, keys, options.overlay !== undefined);
    ledger?.close();
    places.release();
    lock?.release();
  }
}

/**
 * Tidies up after a run: what was used is kept, and what nobody needs is removed where no other ingest may need it. Errors are ignored: the
 * next run cleans again, and a failure must be reported.
 * @param keys of the results that were published; undefined where nothing was.
 */
async function settled(
  store: Store,
  ledger: Ledger,
  keys: ReadonlySet<string> | undefined,
  overlay: boolean,
): Promise<void> {
  try {
    const alone = tryTurn(store.releases, 'work');
    try {
      if (keys) ledger.settle(keys, alone !== null);
      if (keys && overlay && alone) dropStages(store);
    } finally {
      alone?.release();
    }
    // Files that were stored for a release that failed take space that may be needed.
    if (!keys) await cleaned(store, ledger);
  } catch {}
}
