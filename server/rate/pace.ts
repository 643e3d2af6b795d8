import { setTimeout as sleep } from 'node:timers/promises';

/** Refusals of one owner in a second that are sent at once. */
const AT_ONCE = 20;
/** Requests without a token that one address may send in a second. Their answers are cheap, but not free. */
export const EACH_SECOND = 100;
const SECOND_MS = 1_000;
/** Milliseconds between two delayed refusals of one owner, so that they do not leave all together. */
const APART_MS = 10;
const MOST_HELD_MS = 5_000;

/** Counts by owner and second. */
class SecondCounts {
  #second = 0;
  #counts = new Map<string, number>();

  /** The count of the current second. */
  of(owner: string): number {
    return Math.floor(performance.now() / SECOND_MS) === this.#second ? (this.#counts.get(owner) ?? 0) : 0;
  }

  /** Counts one. @returns the count of the current second. */
  add(owner: string): number {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(owner) ?? 0) + 1;
    this.#counts.set(owner, count);
    return count;
  }
}

/**
 * Delays refusals of clients that ignore them. A client that repeats refused requests at once, over hundreds of
 * connections, would otherwise keep the server busy with refusals.
 */
export class Pace {
  readonly #refused = new SecondCounts();
  readonly #requests = new SecondCounts();
  readonly #atOnce: number;
  /** When the last delayed refusal of each owner will be sent. */
  readonly #last = new Map<string, number>();

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Counts a request without a token. @returns how many its address sent in this second. */
  count(owner: string): number {
    return this.#requests.add(owner);
  }

  /** Whether an owner had so many refusals in this second that the next one would be delayed. */
  isOver(owner: string): boolean {
    return this.#refused.of(owner) >= this.#atOnce;
  }

  /** Counts a refusal. @returns undefined when it may be sent now, otherwise a promise to wait for. */
  hold(owner: string): Promise<void> | undefined {
    if (this.#refused.add(owner) <= this.#atOnce) return undefined;
    const now = performance.now();
    const at = Math.min(Math.max(now + SECOND_MS, (this.#last.get(owner) ?? 0) + APART_MS), now + MOST_HELD_MS);
    this.#last.set(owner, at);
    return sleep(at - now).then(() => {
      if (this.#last.get(owner) === at) this.#last.delete(owner);
    });
  }
}
