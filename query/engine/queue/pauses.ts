import { setImmediate } from 'node:timers/promises';

/** Milliseconds that work goes on before it looks whether something urgent has come: looking takes a hundredth of it. */
const EVERY_MS = 4;

/**
 * Urgent work, begun as soon as it comes: while other work waits for a file or for DuckDB, which may take seconds, or at its
 * next pause, where it waits for what is urgent instead.
 */
export class Pauses {
  readonly #running = new Set<Promise<unknown>>();
  readonly #everyMs: number;
  #looked = performance.now();

  constructor(everyMs = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** Lets others wait for work that has begun. @param work never rejects. @returns the same. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
    return work;
  }

  /** What other work says between its steps. @returns undefined when it may go on at once. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#looked < this.#everyMs ? undefined : this.#look();
  }

  async #look(): Promise<void> {
    // One turn of the event loop may be past the point where messages of other threads are read; the next one is not.
    await setImmediate();
    await setImmediate();
    while (this.#running.size > 0) await Promise.all(this.#running);
    this.#looked = performance.now();
  }
}
