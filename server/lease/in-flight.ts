import { Lease, type LeaseKind } from './lease.ts';

/** Counts work in progress, by owner. */
export class InFlight {
  readonly #counts = new Map<string, number>();
  readonly #kind: LeaseKind;
  /** Most that one owner may have at once; Infinity when there is no limit. */
  readonly most: number;

  /** @param kind of the leases. @param most that one owner may have at once; 0 is no limit. */
  constructor(kind: LeaseKind, most: number) {
    this.#kind = kind;
    this.most = most === 0 ? Number.POSITIVE_INFINITY : most;
  }

  /** Whether there is a limit. */
  get isLimited(): boolean {
    return this.most !== Number.POSITIVE_INFINITY;
  }

  /** Counts one until its lease is released. @returns null when the owner is at its limit. */
  enter(owner: string): Lease | null {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.most) return null;
    this.#counts.set(owner, count + 1);
    return new Lease(this.#kind, () => {
      const left = this.#counts.get(owner)! - 1;
      if (left > 0) this.#counts.set(owner, left);
      else this.#counts.delete(owner);
    });
  }
}
