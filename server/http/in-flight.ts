/** Counts work in progress, by owner. */
export class InFlight {
  readonly #counts = new Map<string, number>();
  /** Most that one owner may have at once; Infinity when there is no limit. */
  readonly most: number;

  /** @param most that one owner may have at once; 0 is no limit. */
  constructor(most: number) {
    this.most = most === 0 ? Number.POSITIVE_INFINITY : most;
  }

  /** Whether there is a limit. */
  get isLimited(): boolean {
    return this.most !== Number.POSITIVE_INFINITY;
  }

  /** Counts one. @returns a function to call once when it has ended, or null when the owner is at its limit. */
  enter(owner: string): (() => void) | null {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.most) return null;
    this.#counts.set(owner, count + 1);
    return () => {
      const left = this.#counts.get(owner)! - 1;
      if (left > 0) this.#counts.set(owner, left);
      else this.#counts.delete(owner);
    };
  }
}
