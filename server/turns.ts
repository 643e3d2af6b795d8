import { setImmediate } from 'node:timers';
import { FairQueue } from '../query/engine/queue/fair-queue.ts';
import { Lease } from './lease/lease.ts';

/** Milliseconds of work before the event loop has a turn. */
const TURN_EVERY_MS = 4;
/** The same for work of an owner of whom nothing was done since the last turn. */
const FIRST_MS = 12;

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/**
 * Lets one piece of work after the other have the serving thread, owner after owner. Those that are ready at the same moment
 * would follow each other without a turn of the event loop, and another account's short request would wait for all of them
 * at each of its steps. Work of an owner who had none since the last turn does not wait for the next one, in which the event loop
 * may read hundreds of requests. If it waited, the slowest hundredth of fetches beside 400 full batches (`make bench-isolation`)
 * would take 1.6 times as long.
 */
export class Turns {
  readonly #waiting = new FairQueue<Waiting>();
  readonly #served = new Set<string>();
  #isTaken = false;
  #isTurning = false;
  #turned = 0;

  /** Waits for a turn, which lasts until it is released. @param owner account, or another one who is served in turn. */
  take(owner: string): Promise<Lease> {
    return new Promise(resolve => {
      this.#waiting.push({ owner, enter: () => resolve(new Lease('turn', () => this.#end())) });
      this.#next();
    });
  }

  #end(): void {
    this.#isTaken = false;
    this.#next();
  }

  #next(): void {
    if (this.#isTaken || this.#waiting.size === 0) return;
    const worked = performance.now() - this.#turned;
    const next = this.#waiting.shiftWanted(
      ({ owner }) => worked < TURN_EVERY_MS || (worked < FIRST_MS && !this.#served.has(owner)),
    );
    if (next) {
      this.#isTaken = true;
      this.#served.add(next.owner);
      next.enter();
    } else if (!this.#isTurning) {
      this.#isTurning = true;
      setImmediate(() => {
        this.#isTurning = false;
        this.#served.clear();
        this.#turned = performance.now();
        this.#next();
      });
    }
  }
}
