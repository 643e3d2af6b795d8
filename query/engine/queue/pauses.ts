import { setImmediate } from 'node:timers/promises';

/** Milliseconds that work goes on before it looks whether something urgent has come: looking takes a hundredth of it. */
const EVERY_MS = 4;

/** Urgent work, done where other work pauses: it waits for a step of that and not for its end. */
export class Pauses {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #everyMs: number;
  #looked = performance.now();

  constructor(everyMs = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** Work to be done at the next pause, or by `drain`. @param work never rejects. */
  add<T>(work: () => Promise<T>): Promise<T> {
    return new Promise(resolve => {
      this.#waiting.push(async () => resolve(await work()));
    });
  }

  /** What other work says between its steps. @returns undefined when it may go on at once. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#looked < this.#everyMs ? undefined : this.#look();
  }

  /** Does all that waits. */
  async drain(): Promise<void> {
    for (let work = this.#waiting.shift(); work; work = this.#waiting.shift()) await work();
  }

  async #look(): Promise<void> {
    // One turn of the event loop may be past the point where messages of other threads are read; the next one is not.
    await setImmediate();
    await setImmediate();
    await this.drain();
    this.#looked = performance.now();
  }
}
