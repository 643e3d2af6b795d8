import { setImmediate as turn } from 'node:timers/promises';
import { FairQueue } from '../query/engine/queue/fair-queue.ts';

/** Milliseconds of work before the event loop has a turn. */
const TURN_EVERY_MS = 4;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/**
 * Lets one piece of work after the other have the serving thread, owner after owner. Those that are ready at the same moment
 * would follow each other without a turn of the event loop, and another account's short request would wait for all of them
 * at each of its steps.
 */
export class Turns {
  readonly #waiting = new FairQueue<Waiting>();
  #isTaken = false;
  #turned = 0;

  /** Waits for a turn. Call `give` when done. @param owner account, or another one who is served in turn. */
  async take(owner: string): Promise<void> {
    if (this.#isTaken) await new Promise<void>(enter => this.#waiting.push({ owner, enter }));
    this.#isTaken = true;
    if (performance.now() - this.#turned < TURN_EVERY_MS) return;
    await turn();
    this.#turned = performance.now();
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#isTaken = false;
  }
}
