import { setTimeout as sleep } from 'node:timers/promises';

/** Refusals of one owner in a second that are sent at once: who comes a little too often is told so without delay. */
const AT_ONCE = 20;
/** Requests without a token of one address in a second: what is the same for everybody is cheap, but not for nothing. */
const EACH_SECOND = 100;
const SECOND_MS = 1_000;
/** Between two refusals of one owner that are held back: hundreds that came together would leave together otherwise. */
const APART_MS = 10;
const MOST_HELD_MS = 5_000;

/** Counts by owner and second. */
class SecondCounts {
  #second = 0;
  #counts = new Map<string, number>();

  /** What was counted in this second. */
  of(owner: string): number {
    return Math.floor(performance.now() / SECOND_MS) === this.#second ? (this.#counts.get(owner) ?? 0) : 0;
  }

  /** Counts one. @returns how many that makes in this second. */
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
 * Holds refusals back of whom they do not slow down. A client that asks again at once, over hundreds of connections,
 * would otherwise keep the server busy with refusing it.
 */
export class Pace {
  readonly #refused = new SecondCounts();
  readonly #requests = new SecondCounts();
  readonly #atOnce: number;
  /** When the last of those that an owner waits for is sent. */
  readonly #last = new Map<string, number>();

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Counts a request without a token. @returns whether its address has asked too often this second. */
  isTooFast(owner: string): boolean {
    return this.#requests.add(owner) > EACH_SECOND;
  }

  /** Whether an owner was refused so often this second that the next refusal would be held back. */
  isOver(owner: string): boolean {
    return this.#refused.of(owner) >= this.#atOnce;
  }

  /** Counts a refusal. @returns undefined when it may be sent now, otherwise what to wait for. */
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
