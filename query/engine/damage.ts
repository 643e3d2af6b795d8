/** Something of the release that cannot be used. */
export interface Damage {
  /**
   * `<role> file <first digits of its hash>`, as in messages of fields; `manifest` for what names those, and `current` for what
   * names the release.
   */
  readonly file: string;
  /** `dataset:layer` of every layer that needs it; empty for `manifest`, which is in memory, and for `current`. */
  readonly layers: readonly string[];
  readonly problem: string;
}

const keyOf = ({ file, problem }: Damage) => `${file} ${problem}`;

/** Tells what is new in a list of damage and what has been repaired, each of them once. */
export class DamageNews {
  #reported = new Map<string, Damage>();

  /** @returns what was not in the list before, and what is in it no more. */
  next(damage: readonly Damage[]): { readonly found: readonly Damage[]; readonly over: readonly Damage[] } {
    const now = new Map(damage.map(one => [keyOf(one), one]));
    const found = [...now].flatMap(([key, one]) => (this.#reported.has(key) ? [] : [one]));
    const over = [...this.#reported].flatMap(([key, one]) => (now.has(key) ? [] : [one]));
    this.#reported = now;
    return { found, over };
  }
}
