import { mkdirSync, readFileSync } from 'node:fs';
import { LockedError, takeLock } from '../home/lock.ts';
import { placeStatesPath } from '../home/place-states.ts';
import { writeWhole } from '../home/publish.ts';
import { Store } from '../home/store.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { entryAt, lastNumber, PLACES_KEY } from '../store/store-entry.ts';
import { StoreProblem } from '../store/store-problem.ts';
import { Bandwidth } from './bandwidth.ts';
import { noteNumber, ownReleases, readRecord, unrecorded } from './pull-record.ts';
import { pullRelease } from './pull-release.ts';
import { hasOutdated, pruneOutdated } from './retention.ts';

/** A number that could not be pulled is tried again at the next poll, then after 5, 15, 35 … seconds, at last every 5 minutes. */
const [RETRY_MS, RETRY_MOST_MS] = [5_000, 300_000];

/** How often it is looked how the places of the publisher stand. */
const PLACES_MS = 60_000;

/** How a puller works. */
export interface PullOptions {
  /** Megabytes a second that all downloads take together; 0 is no limit. */
  readonly rate: number;
  /** How many earlier releases stay however old they are. */
  readonly keep: number;
}

/** Keeps the releases of a home as those of a store. One at a time may change a home: it takes its lock. */
export class Puller {
  readonly #from: ObjectStore;
  readonly #store: Store;
  readonly #options: PullOptions;
  readonly #bandwidth: Bandwidth;
  #failed: { readonly number: number; readonly times: number; readonly until: number; readonly why: unknown } | null =
    null;
  #bytes = 0;
  readonly #home: string;
  #placesAt = Number.NEGATIVE_INFINITY;
  #pulling: { readonly number: number; readonly from: number; readonly total: number } | null = null;

  /** @param home PLAT_HOME. */
  constructor(from: ObjectStore, home: string, options: PullOptions) {
    this.#from = from;
    this.#home = home;
    this.#store = new Store(home);
    this.#options = options;
    this.#bandwidth = new Bandwidth(options.rate);
  }

  /** The number in the store of the release that was pulled last; 0 where none was. */
  get number(): number {
    const record = readRecord(this.#store.releases);
    return record?.store === this.#from.name ? record.number : 0;
  }

  /** Bytes downloaded so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How far the pull that runs has come; null where none does. */
  get progress(): { readonly bytes: number; readonly of: number } | null {
    return this.#pulling && { bytes: this.#bytes - this.#pulling.from, of: this.#pulling.total };
  }

  /**
   * Looks once whether the store has a later release, pulls the last one and removes outdated ones.
   * @throws LockedError while another process changes the home; StoreProblem or Error where the release cannot be had: the home
   *   stays as it was.
   */
  async poll(signal: AbortSignal): Promise<void> {
    const { number } = this;
    const last = await lastNumber(this.#from, Math.max(0, number - 1));
    if (last < number)
      throw new StoreProblem(
        `the store has no number ${number} any more, which was pulled: it was emptied; remove the folder releases of this home ` +
          'to take what the store has now',
      );
    await this.#copyPlaces();
    const { releases } = this.#store;
    if (last > number) await this.#pull(last, signal);
    else if (hasOutdated(releases, this.#options.keep))
      await this.#locked('prune', () => pruneOutdated(this.#store, this.#options.keep));
  }

  /** Copies how the places of the publisher stand, for operators of this home. Without it the home serves all the same. */
  async #copyPlaces(): Promise<void> {
    if (performance.now() - this.#placesAt < PLACES_MS) return;
    this.#placesAt = performance.now();
    const path = placeStatesPath(this.#home);
    const text = (await this.#from.read(PLACES_KEY).catch(() => null))?.toString() ?? null;
    if (text === null || !isJson(text) || text === textOf(path)) return;
    mkdirSync(this.#home, { recursive: true });
    await writeWhole(path, text);
  }

  async #pull(number: number, signal: AbortSignal): Promise<void> {
    if (this.#failed?.number === number && performance.now() < this.#failed.until) throw this.#failed.why;
    try {
      await this.#locked(`pull of number ${number} of ${this.#from.name}`, () => this.#take(number, signal));
      this.#failed = null;
    } catch (why) {
      if (why instanceof LockedError) throw why;
      const times = this.#failed?.number === number ? this.#failed.times + 1 : 1;
      const wait = Math.min(RETRY_MOST_MS, RETRY_MS * (2 ** (times - 1) - 1));
      this.#failed = { number, times, until: performance.now() + wait, why };
      throw why;
    } finally {
      this.#pulling = null;
    }
  }

  async #take(number: number, signal: AbortSignal): Promise<void> {
    const { releases } = this.#store;
    const entry = await entryAt(this.#from, number);
    if (!entry) throw new StoreProblem(`the store lists number ${number} and does not have it`);
    const own = await ownReleases(this.#from, releases);
    if (own.length > 0) throw new StoreProblem(notOfStore(own));
    const onBytes = (bytes: number) => {
      this.#bytes += bytes;
      return this.#bandwidth.take(bytes, signal);
    };
    const downloading = { store: this.#from, signal, onBytes };
    await pullRelease(this.#store, entry, downloading, total => {
      this.#pulling = { number, from: this.#bytes, total };
    });
    await noteNumber(releases, this.#from.name, number);
    await pruneOutdated(this.#store, this.#options.keep);
  }

  async #locked(what: string, work: () => Promise<void>): Promise<void> {
    const lock = takeLock(this.#store.releases, what);
    try {
      await work();
    } finally {
      lock.release();
    }
  }
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** The text of a file; null where none is there. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** What is wrong with a home that has releases which its store never had. */
const notOfStore = (own: readonly string[]): string =>
  `this home has releases that the store never had (${own.slice(0, 3).join(', ')}${own.length > 3 ? ', …' : ''}), and pulling ` +
  'would hide them: push them with plat release push, or give the replica a PLAT_HOME of its own';

/** @throws StoreProblem where a home has releases which its store never had. @param open opens it, where that must be asked. */
export async function requireReplicaHome(releases: string, open: () => Promise<ObjectStore>): Promise<void> {
  if (unrecorded(releases).length === 0) return;
  const own = await ownReleases(await open(), releases);
  if (own.length > 0) throw new StoreProblem(notOfStore(own));
}
