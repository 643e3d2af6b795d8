import type { Accounts } from './store.ts';

/** Milliseconds for which what a token was found to be holds: a revocation by another process takes effect within them. */
const LOOKUP_MS = 5;

type Found = Awaited<ReturnType<Accounts['token']>>;

/**
 * Tokens that were looked up within the last LOOKUP_MS: under load a token comes many times in them, and a lookup is a
 * good part of a short request. What this process changes is seen at once.
 */
export class TokenLookups {
  readonly #lookUp: (jti: string) => Promise<Found>;
  readonly #found = new Map<string, NonNullable<Found>>();
  /** When the first of them was asked for, of `performance.now()`. */
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
    // What was asked before a change may be of before it, and one that never was may be issued any moment.
    if (!found || changes !== this.#changes) return found;
    this.#since = this.#found.size === 0 ? at : Math.min(this.#since, at);
    this.#found.set(jti, found);
    return found;
  }

  /** Does what changes accounts or tokens: what is asked before it is done is forgotten. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#changes++;
      this.#found.clear();
    }
  }
}
