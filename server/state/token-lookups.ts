import type { Accounts } from './store.ts';

/** Milliseconds for which a looked-up token is reused: a revocation by another process takes effect after them. */
const LOOKUP_MS = 5;

type Found = Awaited<ReturnType<Accounts['token']>>;

/**
 * Tokens that were looked up in the last LOOKUP_MS. Under load the same token comes many times in that period, and a
 * lookup is a large part of a short request. Changes by this process take effect at once.
 */
export class TokenLookups {
  readonly #lookUp: (jti: string) => Promise<Found>;
  readonly #found = new Map<string, NonNullable<Found>>();
  /** When the first of them was looked up, by `performance.now()`. */
  #since = 0;
  #changes = 0;

  /** @param lookUp asks the database. */
  constructor(lookUp: (jti: string) => Promise<Found>) {
    this.#lookUp = lookUp;
  }

  async token(jti: string): Promise<Found> {
    const at = performance.now();
    if (at - this.#since >= LOOKUP_MS) this.#found.clear();
    const recent = this.#found.get(jti);
    if (recent) return recent;
    const changes = this.#changes;
    const found = await this.#lookUp(jti);
    // A lookup from before a change may be outdated, and an unknown token may be issued at any moment: do not keep
    // them.
    if (!found || changes !== this.#changes) return found;
    this.#since = this.#found.size === 0 ? at : Math.min(this.#since, at);
    this.#found.set(jti, found);
    return found;
  }

  /** Runs work that changes accounts or tokens, and discards lookups from before its end. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#changes++;
      this.#found.clear();
    }
  }
}
