import type { LayerVersion, Partition } from '../datasets/release.ts';

/** What a release says about a layer at a point. */
export interface LayerAt {
  readonly version: LayerVersion;
  /** Partitions whose coverage holds the point: whom an answer of absence cites. Empty outside every coverage. */
  readonly covering: readonly Partition[];
  /** Partitions an operator must search. */
  readonly searched: readonly Partition[];
}

/** A coverage that could not be read. */
export interface Unread {
  readonly error: unknown;
}

const known = new WeakMap<LayerVersion, Coverage>();

/** Which partitions of a layer count where: worked out once for the same places, and the same object for them. */
export class Coverage {
  /** Partitions with a coverage of their own. */
  readonly bounded: readonly Partition[];
  readonly #version: LayerVersion;
  readonly #ofPlaces = new Map<string, LayerAt>();
  readonly #ofHeld = new Map<string, LayerAt>();

  private constructor(version: LayerVersion) {
    this.#version = version;
    this.bounded = version.partitions.filter(p => p.coverage !== 'everywhere');
  }

  static of(version: LayerVersion): Coverage {
    let coverage = known.get(version);
    if (!coverage) {
      coverage = new Coverage(version);
      known.set(version, coverage);
    }
    return coverage;
  }

  /**
   * Where some of the bounded partitions hold the point.
   * @param held whether each does, in their order.
   * @throws the fault of one that could not be read, where no other holds the point: then nothing can be said.
   */
  where(held: readonly (boolean | Unread)[]): LayerAt {
    let key = '';
    let unread: Unread | null = null;
    for (const one of held) {
      key += one === true ? '1' : '0';
      if (typeof one !== 'boolean') unread ??= one;
    }
    if (unread && !key.includes('1')) throw unread.error;
    let at = this.#ofHeld.get(key);
    if (!at) {
      at = this.at(new Set(this.bounded.filter((_, i) => held[i] === true).map(p => p.place)));
      this.#ofHeld.set(key, at);
    }
    return at;
  }

  /**
   * Where places hold the point with a coverage of their own: only partitions with one count, all of them, so that the
   * nearest is found across partition edges. In no such place those that cover everywhere do.
   */
  at(places: ReadonlySet<string>): LayerAt {
    const key = [...places].sort().join('\n');
    let at = this.#ofPlaces.get(key);
    if (!at) {
      const version = this.#version;
      const searched = places.size ? this.bounded : version.partitions.filter(p => p.coverage === 'everywhere');
      at = { version, covering: places.size ? searched.filter(p => places.has(p.place)) : searched, searched };
      this.#ofPlaces.set(key, at);
    }
    return at;
  }
}
