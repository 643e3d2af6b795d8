import { join } from 'node:path';
import { catalog } from '../datasets/catalog.ts';
import type { Manifest } from '../datasets/release.ts';
import { dropCandidate, keepCandidate } from '../query/release/home/candidate.ts';
import { type Lock, takePlace, takeTurn } from '../query/release/home/lock.ts';
import { publish } from '../query/release/home/publish.ts';
import { currentId, readManifest } from '../query/release/home/releases.ts';
import { withShards } from '../query/release/home/shards.ts';
import type { Store } from '../query/release/home/store.ts';
import { withChanges } from '../query/release/lists/sharded-manifest.ts';
import { manifestText } from '../query/release/manifest.ts';
import { releaseOf } from '../query/release/open-release.ts';
import { storageProblem } from '../query/release/storage.ts';
import type { Ahead } from './ledger/build.ts';
import type { Ledger } from './ledger/ledger.ts';
import { overlayCatalog } from './overlay/attributes.ts';
import { type OverlayReport, overlaid } from './overlay/overlay.ts';
import { carryOverlays } from './overlay/plan.ts';
import { ingestAhead, ingested, type PlaceReport, type PlaceRun } from './place-run.ts';
import type { Progress } from './progress.ts';
import { identified } from './release/manifest.ts';
import { RemoteWorkforce } from './remote/remote-workforce.ts';
import { withQuantiles } from './steps/quantiles/area-quantiles.ts';
import { type TilesReport, tiled } from './steps/tiles/tiled.ts';
import { type Builders, Workforce } from './steps/workforce.ts';
import type { Machines } from './tasks/machines.ts';

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

/** How a run works in a home. */
export interface HomeOptions {
  /** PLAT_HOME. */
  readonly home: string;
  /** Called once the home and its places are held. @param places those of `names` that no other process ingests. */
  readonly began?: (places: ReadonlySet<string>) => void;
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
  readonly overlay?: { readonly memoryMb: number };
  /** Workers that build layers and compute overlays, which must have the same build; without them this process does. */
  readonly machines?: Machines | undefined;
}

export interface PlacesOptions extends HomeOptions {
  /** What the holder of the locks does. */
  readonly what: string;
  /** Places that are taken before anything is asked for of the others; what is not named is taken when it comes. */
  readonly names?: readonly string[];
  /** Places in the order in which they are ingested. */
  readonly places: Iterable<PlaceRun> | AsyncIterable<PlaceRun>;
}

/** Locks of places, by their names. */
export class Places {
  readonly #releases: string;
  readonly #what: string;
  readonly #locks = new Map<string, Lock>();

  constructor(releases: string, what: string) {
    this.#releases = releases;
    this.#what = what;
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#locks.keys());
  }

  /** @throws LockedError while another process ingests the place. */
  take(name: string): void {
    if (!this.#locks.has(name)) this.#locks.set(name, takePlace(this.#releases, name, this.#what));
  }

  release(): void {
    for (const lock of this.#locks.values()) lock.release();
    this.#locks.clear();
  }
}

const NO_TILES: TilesReport = { made: [], failed: [], kept: 0, bytes: 0 };
/** Rounds after which a run keeps others from publishing until it has: the others may be many and small. */
const PATIENCE = 3;

/** Places whose layers other machines build while one waits for its last. */
const AHEAD = 8;

type Done = Awaited<ReturnType<typeof ingested>>;
type Failure = PlacesReport['failures'][number];

/** A run of places in a home that others may ingest too: each of other places. */
export class PlacesRun {
  readonly #options: PlacesOptions;
  readonly #store: Store;
  readonly #ledger: Ledger;
  readonly #folder: string;
  readonly #now: Date;
  /** Places after the first round: their publishers are asked once. */
  #again: PlaceRun[] = [];
  #failures: Failure[];
  /** What earlier rounds made, and could not publish because another release had come. */
  readonly #drafts: Manifest[] = [];
  /** Ends what servers are told of calculations that are not published yet. */
  #stopTelling: () => void = () => undefined;

  constructor(options: PlacesOptions, store: Store, ledger: Ledger, folder: string, failures: readonly Failure[]) {
    this.#options = options;
    this.#store = store;
    this.#ledger = ledger;
    this.#folder = folder;
    this.#now = options.now ?? new Date();
    this.#failures = [...failures];
  }

  #current(): Manifest | null {
    const current = currentId(this.#store.releases);
    return current === null ? null : readManifest(this.#store.releases, current);
  }

  /**
   * Makes a release over the current one and publishes it. Where another one was published meanwhile it is made again over that: what was
   * built and computed is in the ledger and the store, and only what the other release changed is built again.
   */
  async publish(places: Places): Promise<
    Pick<PlacesReport, 'release' | 'previous' | 'changed' | 'tiles' | 'overlay' | 'places' | 'failures'> & {
      /** Undefined where no place could be ingested. */
      readonly keys: ReadonlySet<string> | undefined;
    }
  > {
    const { releases } = this.#store;
    const { signal } = this.#options;
    let turn: Lock | null = null;
    try {
      for (let round = 1; ; round++) {
        if (round > PATIENCE) turn = await takeTurn(releases, 'publish', signal);
        const previous = this.#current();
        const done = await this.#ingested(round, previous, places);
        const draft = done.length > 0 ? await this.#draft(done, previous) : null;
        turn ??= await takeTurn(releases, 'publish', signal);
        if (draft && currentId(releases) !== (previous?.id ?? null)) {
          this.#drafts.push(draft.manifest);
          turn.release();
          turn = null;
          continue;
        }
        if (draft?.changed && this.#options.publish === false)
          await keepCandidate(releases, draft.manifest, manifestText(draft.manifest));
        else if (draft?.changed) {
          await publish(releases, draft.manifest);
          await dropCandidate(releases);
        }
        let keys: Set<string> | undefined;
        if (draft) {
          keys = new Set(done.flatMap(one => [...one.keys]));
          for (const one of done) for (const key of await one.rekey(draft.manifest)) keys.add(key);
        }
        return {
          ...{ release: (draft?.manifest ?? previous)?.id ?? null, previous: previous?.id ?? null, keys },
          ...{ changed: draft?.changed ?? false, tiles: draft?.tiles ?? NO_TILES, overlay: draft?.overlay ?? null },
          ...{ places: done.map(({ report }) => report), failures: this.#failures },
        };
      }
    } finally {
      this.#stopTelling();
      turn?.release();
    }
  }

  /** Ingests the places over a release. */
  async #ingested(round: number, previous: Manifest | null, places: Places): Promise<Done[]> {
    const { signal, progress, reuse = true, code, threads, machines } = this.#options;
    const [store, ledger, now] = [this.#store, this.#ledger, this.#now];
    const hashOf = (path: string) => ledger.hashOf(path);
    const workforce: Builders = machines
      ? new RemoteWorkforce({ machines, hashOf, signal })
      : new Workforce(Math.min(2, threads));
    const ahead: Ahead | undefined = machines ? new Map() : undefined;
    const early: Promise<void>[] = [];
    // What an earlier round built is not built twice.
    const shared = { store, ledger, workforce, progress, signal, now, reuse: reuse || round > 1, code, ahead };
    const done: Done[] = [];
    const again: PlaceRun[] = [];
    let latest = previous;
    let number = 0;
    const coming = round === 1 ? this.#options.places : this.#again;
    const begin = async (place: PlaceRun): Promise<PlaceRun> => {
      if (!ahead) return place;
      const folder = join(this.#folder, `${round}-ahead-${number++}`);
      try {
        places.take(place.place.name);
        const prepared = (await place.prepare?.(signal)) ?? { place: place.place, failures: new Map() };
        early.push(ingestAhead(place, prepared, { ...shared, ahead, folder }, previous));
        return { ...place, prepare: async () => prepared };
      } catch (error) {
        // It is told in the place's turn.
        return { ...place, prepare: () => Promise.reject(error) };
      }
    };
    try {
      for await (const place of readAhead(coming, machines ? AHEAD : 0, begin))
        try {
          places.take(place.place.name);
          const one = await ingested(place, { ...shared, folder: join(this.#folder, `${round}-${number++}`) }, latest);
          latest = one.manifest;
          done.push(one);
          again.push({ ...place, prepare: async () => one.prepared });
        } catch (error) {
          if (signal?.aborted || storageProblem(error, store.releases) !== null) throw error;
          this.#failures.push({ place: place.place.name, error });
        }
    } finally {
      await workforce.close();
      await Promise.all(early);
    }
    this.#again = again;
    return done;
  }

  /** Makes of places that were ingested what a release has of all of them together: tiles, calculations, quantiles. */
  async #draft(done: readonly Done[], previous: Manifest | null) {
    const { home, progress, signal, threads, reuse = true } = this.#options;
    const [store, now, drafts] = [this.#store, this.#now, this.#drafts];
    const composed = following(done.at(-1)!.manifest, previous);
    const candidate =
      composed === previous
        ? withChanges(composed, { createdAt: now.toISOString(), previous: composed.id })
        : carryOverlays(overlayCatalog(), previous ? [previous, ...drafts] : drafts, releaseOf(home, composed));
    const before = reuse ? previous : null;
    const workforce = new Workforce(Math.min(2, threads));
    const drawn = await tiled(store, candidate, before, { home, workforce, progress, signal, drafts }).finally(() =>
      workforce.close(),
    );
    let full = drawn.manifest;
    let overlay: OverlayReport | null = null;
    if (this.#options.overlay) {
      const turn = await takeTurn(store.releases, 'overlay', signal);
      try {
        const computed = await overlaid(store, full, {
          ...this.#options.overlay,
          machines: this.#options.machines,
          home,
          threads,
          progress,
          signal,
          now,
        });
        [overlay, full] = [computed.report, computed.manifest];
        this.#stopTelling();
        this.#stopTelling = computed.stopTelling;
      } finally {
        turn.release();
      }
    }
    full = await withQuantiles(store, full, before, { home, catalog, progress, signal });
    const changed = composed !== previous || full !== candidate;
    return { manifest: changed ? await withShards(store, full) : composed, changed, overlay, tiles: drawn.report };
  }
}

/** Items in their order, of which so many are begun before the first of them is asked for. */
async function* readAhead<T>(
  items: Iterable<T> | AsyncIterable<T>,
  most: number,
  begin: (item: T) => Promise<T>,
): AsyncGenerator<T> {
  const queue: T[] = [];
  for await (const item of items) {
    queue.push(await begin(item));
    if (queue.length > most) yield queue.shift()!;
  }
  yield* queue;
}

/** A manifest that several places were composed into, as the one that follows the current release. */
function following(latest: Manifest, previous: Manifest | null): Manifest {
  if (latest === previous || latest.previous === (previous?.id ?? null)) return latest;
  return identified(withChanges(latest, { previous: previous?.id ?? null }));
}
