import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { FairQueue } from '../../../query/engine/queue/fair-queue.ts';

const current = new AsyncLocalStorage<string>();

/**
 * Runs work on the state store in someone's name.
 * @param owner account, or another one who is served in turn.
 */
export const inNameOf = <T>(owner: string, work: () => T): T => current.run(owner, work);

/** Milliseconds of statements before the event loop has a turn. */
const TURN_EVERY_MS = 4;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/**
 * Lends the one connection of SQLite to one transaction after the other, owner after owner. SQLite answers at once, so the
 * waiting ones would follow each other without a turn of the event loop, and another account's short request would wait for
 * all of them at each of its steps.
 */
export class ConnectionTurns {
  readonly #waiting = new FairQueue<Waiting>();
  #isLent = false;
  #turned = 0;

  /** Waits for the connection. Call `give` when done with it. */
  async take(): Promise<void> {
    if (this.#isLent) await new Promise<void>(enter => this.#waiting.push({ owner: current.getStore() ?? '', enter }));
    this.#isLent = true;
    if (performance.now() - this.#turned < TURN_EVERY_MS) return;
    await turn();
    this.#turned = performance.now();
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#isLent = false;
  }
}
