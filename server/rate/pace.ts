import { setTimeout as sleep } from 'node:timers/promises';

/** Refusals of one owner in a second that are sent at once: who comes a little too often is told so without delay. */
const AT_ONCE = 20;
const SECOND_MS = 1_000;

/**
 * Holds refusals back of whom they do not slow down. A client that asks again at once, over hundreds of connections,
 * would otherwise keep the server busy with refusing it.
 */
export class Pace {
  #second = 0;
  #refused = new Map<string, number>();
  readonly #atOnce: number;

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Whether an owner was refused so often this second that the next refusal would be held back. */
  isOver(owner: string): boolean {
    return (
      (this.#refused.get(owner) ?? 0) >= this.#atOnce && Math.floor(performance.now() / SECOND_MS) === this.#second
    );
  }

  /** Counts a refusal. @returns undefined when it may be sent now, otherwise what to wait for. */
  hold(owner: string): Promise<void> | undefined {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      this.#refused = new Map();
    }
    const count = (this.#refused.get(owner) ?? 0) + 1;
    this.#refused.set(owner, count);
    return count > this.#atOnce ? sleep(SECOND_MS) : undefined;
  }
}
