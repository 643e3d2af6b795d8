import { ServerResponse } from 'node:http';

/** The kinds of things that are leased: slots, turns, places in a line, bytes and timers. */
export type LeaseKind =
  | 'account'
  | 'address'
  | 'connection'
  | 'running'
  | 'body'
  | 'answer'
  | 'memory'
  | 'batch'
  | 'turn'
  | 'gate'
  | 'line'
  | 'timer'
  | 'signal';

/** An object that closes: a response, a socket. `destroyed` says whether it has closed, or is about to. */
interface Closing {
  readonly destroyed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** The end of a lease: a response or a socket that closes, or a signal that aborts. */
export type End = Closing | AbortSignal;

/** The leases that each end will release. One listener serves all of them, so that long connections gather none. */
const waiting = new WeakMap<End, Set<Lease>>();
const counts = new Map<LeaseKind, number>();

const isOver = (end: End): boolean => (end instanceof AbortSignal ? end.aborted : end.destroyed === true);

function leasesOf(end: End): Set<Lease> {
  const before = waiting.get(end);
  if (before) return before;
  const leases = new Set<Lease>();
  waiting.set(end, leases);
  const releaseAll = () => {
    for (const lease of leases) lease.release();
  };
  if (end instanceof AbortSignal) end.addEventListener('abort', releaseAll, { once: true });
  else end.once('close', releaseAll);
  return leases;
}

/**
 * Something that a request or a connection occupies until it ends. It is released once: by its holder, or by the first of
 * its ends. An end that is over before the lease begins releases it at once, so a client that leaves while the server waits
 * for something keeps nothing.
 */
export class Lease {
  readonly #kind: LeaseKind;
  #free: (() => void) | null;
  #ends: Set<Lease>[] = [];

  /** @param free gives back what was taken; called once. */
  constructor(kind: LeaseKind, free: () => void) {
    this.#kind = kind;
    this.#free = free;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  /** Whether it was not released yet. */
  get isHeld(): boolean {
    return this.#free !== null;
  }

  /**
   * Releases it when `end` closes or aborts; now, when that has happened. A response ends with its connection too: one that
   * waits behind others of its connection is not told in every version of Node.
   */
  until(end: End): this {
    const ends = end instanceof ServerResponse ? [end, end.req.socket] : [end];
    if (ends.some(isOver)) this.release();
    if (!this.isHeld) return this;
    for (const leases of ends.map(leasesOf)) {
      leases.add(this);
      this.#ends.push(leases);
    }
    return this;
  }

  /** Gives back what was taken; later calls do nothing. */
  release(): void {
    const free = this.#free;
    if (!free) return;
    this.#free = null;
    for (const leases of this.#ends) leases.delete(this);
    counts.set(this.#kind, counts.get(this.#kind)! - 1);
    free();
  }
}

/** How many leases of each kind this process holds. */
export const leasesHeld = (): ReadonlyMap<LeaseKind, number> => counts;
