import { FairQueue } from '../query/engine/queue/fair-queue.ts';
import { Lease } from './lease/lease.ts';

interface Waiting {
  readonly owner: string;
  readonly enter: () => void;
}

/**
 * Lets a few batches of each account go on at once; the others wait in the order in which they came. All together would end
 * together, and their answers would keep the serving thread busy while another account's request waits: without turns the
 * slowest hundredth of fetches beside 400 full batches (`make bench-isolation`) takes 1.6 times as long.
 */
export class BatchTurns {
  readonly #waiting = new FairQueue<Waiting>();
  /** Batches that go on, by account. */
  readonly #going = new Map<string, number>();
  readonly #atOnce: number;

  /** @param atOnce batches of one account: as many as there are workers keep all of them busy. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /**
   * Waits for a turn, which is to be released when the batch has ended.
   * @throws AbortError when the client has gone.
   */
  take(owner: string, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        resolve(new Lease('batch', () => this.#end(owner)));
        place.release();
      };
      const waiting: Waiting = { owner, enter };
      const place = new Lease('line', () => {
        this.#waiting.remove(waiting);
        // Changes nothing for a batch that has entered.
        reject(signal.reason);
      });
      this.#waiting.push(waiting);
      place.until(signal);
      this.#admit();
    });
  }

  #end(owner: string): void {
    const left = this.#going.get(owner)! - 1;
    if (left > 0) this.#going.set(owner, left);
    else this.#going.delete(owner);
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting.shiftWanted(({ owner }) => (this.#going.get(owner) ?? 0) < this.#atOnce);
      if (!next) return;
      this.#going.set(next.owner, (this.#going.get(next.owner) ?? 0) + 1);
      next.enter();
    }
  }
}
