/**
 * A value that is at hand, or the promise of one that must be waited for. Once its files are open, most of a request
 * is at hand.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on at once with a value that is at hand, otherwise when it has come. */
export function after<T, U>(value: MaybePromise<T>, work: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** Works on each item in turn, waiting only for what is not at hand. */
export function inTurn<T, U>(items: readonly T[], work: (item: T) => MaybePromise<U>): MaybePromise<readonly U[]> {
  const out: U[] = [];
  const from = (first: number): MaybePromise<readonly U[]> => {
    for (let i = first; i < items.length; i++) {
      const one = work(items[i]!);
      if (one instanceof Promise)
        return one.then(it => {
          out.push(it);
          return from(i + 1);
        });
      out.push(one);
    }
    return out;
  };
  return from(0);
}

/** What a computation threw, kept in place of its outcome. */
class Thrown {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** The first outcome of a computation under each key, its fault too. */
export class Memo {
  readonly #outcomes = new Map<string, unknown>();

  /** @throws (or rejects with) what the first computation under the key did. */
  of<T>(key: string, compute: () => MaybePromise<T>): MaybePromise<T> {
    let outcome = this.#outcomes.get(key);
    if (outcome === undefined) {
      try {
        outcome = compute();
      } catch (error) {
        outcome = new Thrown(error);
      }
      this.#outcomes.set(key, outcome);
    }
    if (outcome instanceof Thrown) throw outcome.error;
    return outcome as MaybePromise<T>;
  }

  /** Computes at once what is going to be asked for; its fault is for the one who asks. */
  ahead(key: string, compute: () => unknown): void {
    try {
      this.of(key, compute);
    } catch {}
  }
}
