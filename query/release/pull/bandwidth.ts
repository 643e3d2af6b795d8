import { setTimeout as pause } from 'node:timers/promises';

/** One limit for all downloads together: each chunk takes the time that it would take on a line of that speed. */
export class Bandwidth {
  readonly #bytesPerMs: number;
  /** When the line is free again, of `performance.now()`. */
  #freeAt = 0;

  /** @param megabytes a second (of 1,000,000 bytes); 0 is no limit. */
  constructor(megabytes: number) {
    this.#bytesPerMs = megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1000;
  }

  /** Resolves when bytes that have come may be followed by more. @throws AbortError when the signal aborts. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / this.#bytesPerMs;
    const wait = this.#freeAt - now;
    // Timers wait for whole milliseconds.
    if (wait >= 1) await pause(wait, undefined, { signal });
  }
}
