import { LRUCache } from 'lru-cache';
import { FairQueue } from '../../query/engine/queue/fair-queue.ts';
import { Lease } from './lease.ts';

/** Milliseconds that somebody waits before a gate before he is refused. */
const PATIENCE_MS = 10_000;
/** Milliseconds that a gate remembers who came. */
const REMEMBERED_MS = 3_600_000;
/** One of so many places, in the line and of those that get free, is for who is remembered: no crowd of newcomers keeps them out. */
const ONE_IN = 3;

interface GateOptions {
  /** Most visits of one owner at once. */
  readonly each?: number;
  /** How many may wait for a visit. Without a line, who comes to a full gate is refused at once. */
  readonly line?: number;
  /** Milliseconds; null to wait for as long as it takes. */
  readonly patienceMs?: number | null;
  /**
   * How many owners the gate remembers once they have come, let in or not: a crowd is known after each of it came once, however
   * slow the work is. Those who come for the first time go first.
   */
  readonly remembered?: number;
}

interface Waiting {
  readonly owner: string;
  readonly isRemembered: boolean;
  readonly settle: (visit: Lease | null) => void;
}

/**
 * Limits how much work of one kind runs at once. The rest waits in a line, from which owner after owner is let in. Who comes to
 * a full line is refused, unless somebody has more waiting than he: the last of the one who has most gives way.
 */
export class Gate {
  readonly #most: number;
  readonly #each: number;
  readonly #line: number;
  readonly #patienceMs: number | null;
  readonly #waiting = new FairQueue<Waiting>();
  #rememberedWaiting = 0;
  /** Visits that go on, of all and by owner. */
  #inside = 0;
  readonly #of = new Map<string, number>();
  readonly #remembered: LRUCache<string, true> | null;
  #admitted = 0;

  /** @param most visits at once of all owners together. */
  constructor(most: number, { each = most, line = 0, patienceMs = PATIENCE_MS, remembered = 0 }: GateOptions = {}) {
    this.#most = most;
    this.#each = each;
    this.#line = line;
    this.#patienceMs = patienceMs;
    this.#remembered = remembered > 0 ? new LRUCache({ max: remembered, ttl: REMEMBERED_MS }) : null;
  }

  /**
   * Waits for a visit. @param owner account, or another one who is served in turn. @param signal of who waits.
   * @returns its lease, to be released when its work has ended; null when there was no room. @throws AbortError.
   */
  enter(owner: string, signal: AbortSignal): Promise<Lease | null> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const isRemembered = this.#remembered?.has(owner) === true;
      this.#remembered?.set(owner, true);
      if (this.#fits(owner)) return resolve(this.#visit(owner));
      if (this.#waiting.size >= this.#line && !this.#makeRoom(owner)) return resolve(null);
      const settle = (visit: Lease | null) => {
        resolve(visit);
        place.release();
      };
      const waiting: Waiting = { owner, isRemembered, settle };
      const timer = this.#patienceMs === null ? undefined : setTimeout(() => settle(null), this.#patienceMs);
      const place = new Lease('line', () => {
        clearTimeout(timer);
        this.#waiting.remove(waiting);
        if (isRemembered) this.#rememberedWaiting--;
        // Changes nothing for who has entered or was refused.
        reject(signal.reason);
      });
      this.#waiting.push(waiting);
      if (isRemembered) this.#rememberedWaiting++;
      place.until(signal);
    });
  }

  #fits(owner: string): boolean {
    return this.#inside < this.#most && (this.#of.get(owner) ?? 0) < this.#each;
  }

  #visit(owner: string): Lease {
    this.#inside++;
    this.#of.set(owner, (this.#of.get(owner) ?? 0) + 1);
    return new Lease('gate', () => {
      this.#inside--;
      const left = this.#of.get(owner)! - 1;
      if (left > 0) this.#of.set(owner, left);
      else this.#of.delete(owner);
      this.#admit();
    });
  }

  #admit(): void {
    for (;;) {
      const next = this.#next();
      if (!next) return;
      this.#admitted++;
      next.settle(this.#visit(next.owner));
    }
  }

  #next(): Waiting | null {
    const isTheirs = this.#admitted % ONE_IN === 0;
    return (
      this.#waiting.shiftWanted(({ owner, isRemembered }) => this.#fits(owner) && isRemembered === isTheirs) ??
      this.#waiting.shiftWanted(({ owner }) => this.#fits(owner))
    );
  }

  /**
   * Refuses somebody in the line for the sake of an owner, if that is fair. Where owners are remembered, as they are where anybody
   * can be many of them, it is the one who waited longest: all who come have the same chance, however well they time it.
   */
  #makeRoom(owner: string): boolean {
    const fromRemembered = this.#rememberedWaiting > this.#line / ONE_IN;
    const last = this.#remembered
      ? this.#waiting.mostCrowded(({ isRemembered }) => isRemembered === fromRemembered)
      : this.#waiting.crowding(owner);
    last?.settle(null);
    return last !== null;
  }
}

/**
 * Makes a gate for work of accounts. One account may have all but one of the visits, so that others need not wait for it, and
 * as many may wait as can be inside.
 */
export const accountGate = (most: number): Gate => new Gate(most, { each: Math.max(1, most - 1), line: most });

/**
 * Makes a gate that lets a few batches of each account go on at once. All together would end together, and their answers would
 * keep the serving thread busy while another account's request waits: without it the slowest hundredth of fetches beside 400
 * full batches (`make bench-isolation`) takes 1.6 times as long.
 * @param each batches of one account: as many as there are workers keep all of them busy.
 */
export const batchGate = (each: number): Gate =>
  new Gate(Number.POSITIVE_INFINITY, { each, line: Number.POSITIVE_INFINITY, patienceMs: null });
