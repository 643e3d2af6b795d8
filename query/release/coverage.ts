import { createHash } from 'node:crypto';
import type { LayerVersion, Partition } from '../../datasets/release.ts';
import { Fault } from './fault.ts';
import { partsOf, wholeOf } from './part.ts';

/** What a release says about a layer at a point. */
export interface LayerAt {
  readonly version: LayerVersion;
  /** Partitions (of parcels: parts) whose coverage holds the point: whom an absence cites. Empty outside every coverage. */
  readonly covering: readonly Partition[];
  /** Partitions an operator must search. */
  readonly searched: readonly Partition[];
  /** Parts of these whose rows do not count here. */
  readonly leftOut: ReadonlySet<Partition>;
}

/** Mostly all parts of what is searched count. */
export const NONE_LEFT_OUT: ReadonlySet<Partition> = new Set();

/** A coverage that could not be read. */
export interface Unread {
  readonly error: unknown;
}

/** Which of some coverages hold a point: a digit each, and what could not be read first with its place among them. */
export interface Held {
  readonly digits: string;
  readonly unread: (Unread & { readonly place: number }) | null;
}

/** @param each whether a coverage holds the point, in the order of partitions. */
export function heldOf(each: readonly (boolean | Unread)[]): Held {
  let digits = '';
  let unread: Held['unread'] = null;
  for (const one of each) {
    if (typeof one !== 'boolean') unread ??= { ...one, place: digits.length };
    digits += one === true ? '1' : '0';
  }
  return { digits, unread };
}

const coverages = new WeakMap<LayerVersion, Coverage>();

/** Which partitions of a layer count where: worked out once for the same places, and the same object for them. */
export class Coverage {
  /** Partitions (of parcels: parts) with a coverage of their own. */
  readonly bounded: readonly Partition[];
  /** Equal for layers whose partitions share their coverage files, and so hold the same points; null where boxes decide. */
  readonly files: string | null;
  readonly #version: LayerVersion;
  readonly #everywhere: readonly Partition[];
  readonly #ofPlaces = new Map<string, LayerAt>();
  readonly #ofHeld = new Map<string, LayerAt>();

  private constructor(version: LayerVersion) {
    this.#version = version;
    const parts = version.partitions.flatMap(partsOf);
    this.bounded = parts.filter(p => p.coverage !== 'everywhere');
    this.#everywhere = parts.filter(p => p.coverage === 'everywhere');
    const files = this.bounded.map(p => (p.coverage === 'extent' ? null : p.files.find(f => f.role === 'coverage')));
    const names = files.every(file => file) ? files.map(file => file!.sha256).join() : null;
    // Thousands of counties have thousands of names, and every request asks by them.
    this.files = names === null ? null : createHash('sha1').update(names).digest('base64');
  }

  static of(version: LayerVersion): Coverage {
    let coverage = coverages.get(version);
    if (!coverage) {
      coverage = new Coverage(version);
      coverages.set(version, coverage);
    }
    return coverage;
  }

  /**
   * Where some of the bounded partitions hold the point.
   * @throws the fault of one that could not be read, where no other holds the point: then nothing can be said.
   */
  where({ digits, unread }: Held): LayerAt {
    // Layers share coverage files, and what was held of them: whose fault it is the layer knows.
    if (unread && !digits.includes('1')) throw Fault.of(unread.error, this.bounded[unread.place]!);
    let at = this.#ofHeld.get(digits);
    if (!at) {
      at = this.at(new Set(this.bounded.filter((_, i) => digits[i] === '1').map(p => p.place)));
      this.#ofHeld.set(digits, at);
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
      const counting = new Set(places.size ? this.bounded : this.#everywhere);
      const covering = [...counting].filter(p => places.size === 0 || places.has(p.place));
      const searched = [...new Set([...counting].map(wholeOf))];
      const others = searched.flatMap(partsOf).filter(p => !counting.has(p));
      const leftOut = others.length ? new Set(others) : NONE_LEFT_OUT;
      at = { version: this.#version, covering, searched, leftOut };
      this.#ofPlaces.set(key, at);
    }
    return at;
  }
}
