/** What is left of what the process may take. */
export type Spare = 'ample' | 'short' | 'full';

/** Megabytes for log lines. */
const MB = 2 ** 20;
/** Shares of the allowance from which on caches are emptied by half, and large answers are made one at a time. */
const [SHORT, FULL] = [0.75, 1];
/** Share of the allowance that a process at rest may hold before what nothing refers to is collected. */
const RESTING = 0.125;
/** Milliseconds between looks; between two times that caches are emptied; of rest before garbage is collected; between lines. */
const [LOOK_MS, EMPTY_MS, REST_MS, LINE_MS] = [100, 5_000, 2_000, 60_000];
/** Share of a core below which a process is at rest. */
const BUSY = 0.05;

/** What a watch looks at and acts on. */
export interface Watched {
  /** Resident bytes of the process. */
  readonly resident: () => number;
  /** Milliseconds that its threads have computed so far. */
  readonly computed: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Gives memory back. @param cached also half of what caches keep. */
  readonly giveBack: (cached: boolean) => void;
  readonly warn: (message: string) => void;
}

const computed = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** What a watch looks at in this process. */
export const THIS_PROCESS = { resident: process.memoryUsage.rss, computed, now: () => performance.now() } as const;

/**
 * Holds a whole process to what it may take beyond what it takes idle: threads, heaps, DuckDB and what the allocator keeps.
 * The parts have shares of their own, which are estimates; this looks at what all of it has become. When it grows short,
 * caches are emptied by half. When it is full, large answers are made one at a time, until it is not: small ones hold little,
 * and refusing them would free nothing. At rest, what nothing refers to is collected, so that memory comes back.
 */
export class MemoryWatch {
  readonly #watched: Watched;
  readonly #allowance: number;
  readonly #idle: number;
  readonly #eased: (() => void)[] = [];
  #spare: Spare = 'ample';
  #emptied = Number.NEGATIVE_INFINITY;
  #said = Number.NEGATIVE_INFINITY;
  /** When the process computed something last, and whether garbage was collected since. */
  #worked: number;
  #isCollected = false;
  #before: { readonly at: number; readonly computed: number };

  /** @param allowance bytes beyond what the process takes now. */
  constructor(allowance: number, watched: Watched) {
    this.#watched = watched;
    this.#allowance = allowance;
    this.#idle = watched.resident();
    this.#worked = watched.now();
    this.#before = { at: this.#worked, computed: watched.computed() };
  }

  get spare(): Spare {
    return this.#spare;
  }

  /** Bytes that the process may take in all. */
  get most(): number {
    return this.#idle + this.#allowance;
  }

  /** Calls back whenever it is not full any more. */
  whenEased(listener: () => void): void {
    this.#eased.push(listener);
  }

  /** Looks ten times a second. @returns what to call when it is to end. */
  start(): () => void {
    const timer = setInterval(() => this.look(), LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Looks once, and does what is needed. */
  look(): void {
    const { resident, now, giveBack } = this.#watched;
    const [bytes, at] = [resident(), now()];
    const share = (bytes - this.#idle) / this.#allowance;
    const before = this.#spare;
    this.#spare = share >= FULL ? 'full' : share >= SHORT ? 'short' : 'ample';
    if (this.#spare !== 'ample') {
      this.#say(bytes, at);
      if (at - this.#emptied >= EMPTY_MS) {
        this.#emptied = at;
        giveBack(true);
      }
    }
    if (before === 'full' && this.#spare !== 'full') for (const listener of this.#eased) listener();
    this.#rest(share, at);
  }

  #rest(share: number, at: number): void {
    const { at: then, computed: was } = this.#before;
    const now = this.#watched.computed();
    if (at > then && (now - was) / (at - then) >= BUSY) {
      this.#worked = at;
      this.#isCollected = false;
    }
    this.#before = { at, computed: now };
    if (this.#isCollected || share < RESTING || at - this.#worked < REST_MS) return;
    this.#watched.giveBack(false);
    // Collecting is work: it must not be the reason to collect again.
    this.#isCollected = true;
    this.#before = { at: this.#watched.now(), computed: this.#watched.computed() + REST_MS };
  }

  #say(bytes: number, at: number): void {
    if (at - this.#said < LINE_MS) return;
    this.#said = at;
    this.#watched.warn(
      `memory is ${this.#spare}: the process takes ${Math.round(bytes / MB)} of ${Math.round(this.most / MB)} MB`,
    );
  }
}
