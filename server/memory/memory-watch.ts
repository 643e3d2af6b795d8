/** How much of its memory the process has left. */
export type Spare = 'ample' | 'short' | 'full';

/** Bytes of a megabyte, for log lines. */
const MB = 2 ** 20;
/**
 * Shares of the allowance: at the first, caches are emptied by half; at the second, large answers are made one at a
 * time. Full caches take four fifths of the allowance, which must not empty them.
 */
const [SHORT, FULL] = [0.9, 1];
/** Milliseconds between looks, between two times that caches are emptied, and between log lines. */
const [LOOK_MS, EMPTY_MS, LINE_MS] = [100, 5_000, 60_000];

/** What a watch reads and acts on. */
export interface Watched {
  /** Resident bytes of the process. */
  readonly resident: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Frees half of what caches keep. */
  readonly shrinkCaches: () => void;
  readonly warn: (message: string) => void;
}

/**
 * Keeps the whole process within an allowance beyond its idle size: threads, heaps, DuckDB, and memory that the
 * allocator keeps. Its parts have limits of their own, but those are estimates; this watches their real sum. When
 * memory is short, caches are emptied by half. When it is full, large answers are made one at a time. Small ones go on:
 * they hold little, and refusing them would free nothing.
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

  /** Most bytes that the process may take. */
  get most(): number {
    return this.#idle + this.#allowance;
  }

  /** Calls back each time memory stops being full. */
  whenEased(listener: () => void): void {
    this.#eased.push(listener);
  }

  /** Looks ten times a second. @returns a function that stops it. */
  start(): () => void {
    const timer = setInterval(() => this.look(), LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Looks once and acts. */
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
