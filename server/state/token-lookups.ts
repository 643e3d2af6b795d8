import type { Accounts } from './store.ts';

/** Milliseconds for which a looked-up token is reused: a revocation by another process takes effect after them. */
const LOOKUP_MS = 5;

type Found = Awaited<ReturnType<Accounts['token']>>;

/**
 * Lookups of tokens that began in the last LOOKUP_MS. Under load the same token comes many times in that period, and a
 * lookup is a large part of a short request. Changes by this process take effect at once.
 */
export class TokenLookups {
  readonly #lookUp: (jti: string) => Promise<Found>;
  readonly #lookups = new Map<string, Promise<Found>>();
  /** When the first of them began, by `performance.now()`. */
  #since = 0;

  /** @param lookUp asks the database. */
  constructor(lookUp: (jti: string) => Promise<Found>) {
    this.#lookUp = lookUp;
  }

  async token(jti: string): Promise<Found> {
    const at = performance.now();
    if (at - this.#since >= LOOKUP_MS) this.#lookups.clear();
    const recent = this.#lookups.get(jti);
    if (recent) return recent;
    const lookup = this.#lookUp(jti);
    if (this.#lookups.size === 0) this.#since = at;
    this.#lookups.set(jti, lookup);
    // An unknown token may be issued at any moment, and a failure may be over.
    const forget = () => {
      if (this.#lookups.get(jti) === lookup) this.#lookups.delete(jti);
    };
    const found = await lookup.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (!found) forget();
    return found;
  }

  /** Runs work that changes accounts or tokens, and discards lookups from before its end. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#lookups.clear();
    }
  }
}
