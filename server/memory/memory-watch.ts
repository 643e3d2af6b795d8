/** What is left of what the process may take. */
export type Spare = 'ample' | 'short' | 'full';

/** Megabytes for log lines. */
const MB = 2 ** 20;
/**
 * Shares of the allowance from which on caches are emptied by half, and large answers are made one at a time. Caches that are
 * full take four fifths of it, and are to stay so.
 */
const [SHORT, FULL] = [0.9, 1];
/** Milliseconds between looks; between two times that caches are emptied; between lines. */
const [LOOK_MS, EMPTY_MS, LINE_MS] = [100, 5_000, 60_000];

/** What a watch looks at and acts on. */
export interface Watched {
  /** Resident bytes of the process. */
  readonly resident: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Lets go of half of what caches keep. */
  readonly shrinkCaches: () => void;
  readonly warn: (message: string) => void;
}

/**
 * Holds a whole process to what it may take beyond what it takes idle: threads, heaps, DuckDB and what the allocator keeps.
 * The parts have shares of their own, which are estimates; this looks at what all of it has become. When it grows short,
 * caches are emptied by half. When it is full, large answers are made one at a time, until it is not: small ones hold little,
 * and refusing them would free nothing.
 */
export class MemoryWatch {
  readonly #watched: Watched;
  readonly #allowance: number;
  readonly #idle: number;
  readonly #eased: (() => void)[] = [];
  #spare: Spare = 'ample';
  #emptied = Number.NEGATIVE_INFINITY;
  #said = Number.NEGATIVE_INFINITY;

  /** @param allowance bytes beyond what the process takes now. */
  constructor(allowance: number, watched: Watched) {
    this.#watched = watched;
    this.#allowance = allowance;
    this.#idle = watched.resident();
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
    const { resident, now, shrinkCaches } = this.#watched;
    const [bytes, at] = [resident(), now()];
    const share = (bytes - this.#idle) / this.#allowance;
    const before = this.#spare;
    this.#spare = share >= FULL ? 'full' : share >= SHORT ? 'short' : 'ample';
    if (this.#spare !== 'ample') {
      this.#say(bytes, at);
      if (at - this.#emptied >= EMPTY_MS) {
        this.#emptied = at;
        shrinkCaches();
      }
    }
    if (before === 'full' && this.#spare !== 'full') for (const listener of this.#eased) listener();
  }

  #say(bytes: number, at: number): void {
    if (at - this.#said < LINE_MS) return;
    this.#said = at;
    this.#watched.warn(
      `memory is ${this.#spare}: the process takes ${Math.round(bytes / MB)} of ${Math.round(this.most / MB)} MB`,
    );
  }
}
