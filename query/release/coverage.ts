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

/** Which coverages hold a point, and what could not be read first: by their places among the bounded partitions. */
export interface Held {
  readonly places: readonly number[];
  readonly unread: (Unread & { readonly place: number }) | null;
}

/** @param each whether the coverage at a place of `near` holds the point. */
export function heldOf(near: readonly number[], each: readonly (boolean | Unread)[]): Held {
  const places = near.filter((_, i) => each[i] === true);
  const at = each.findIndex(one => typeof one !== 'boolean');
  return { places, unread: at < 0 ? null : { ...(each[at] as Unread), place: near[at]! } };
}

/** Sets of places whose partitions are remembered of one layer. */
const REMEMBERED = 1024;

const coverages = new WeakMap<LayerVersion, Coverage>();

/** Which partitions of a layer count where: worked out once for the same places, and the same object for them. */
export class Coverage {
  /** Partitions (of parcels: parts) with a coverage of their own. */
  readonly bounded: readonly Partition[];
  /** Equal for layers whose partitions share their coverage files, and so hold the same points; null where boxes decide. */
  readonly files: string | null;
  readonly #version: LayerVersion;
  readonly #everywhere: readonly Partition[];
  /** What is searched where a place with a coverage of its own holds the ground, and elsewhere. */
  readonly #inside: Pick<LayerAt, 'searched' | 'leftOut'>;
  readonly #outside: LayerAt;
  /** Where the partitions of each place stand among the bounded. */
  readonly #standing = new Map<string, number[]>();
  readonly #ofPlaces = new Map<string, LayerAt>();

  private constructor(version: LayerVersion) {
    this.#version = version;
    const parts = version.partitions.flatMap(partsOf);
    this.bounded = parts.filter(p => p.coverage !== 'everywhere');
    this.#everywhere = parts.filter(p => p.coverage === 'everywhere');
    const files = this.bounded.map(p => (p.coverage === 'extent' ? null : p.files.find(f => f.role === 'coverage')));
    const names = files.every(file => file) ? files.map(file => file!.sha256).join() : null;
    // Thousands of counties have thousands of names, and every request asks by them.
    this.files = names === null ? null : createHash('sha1').update(names).digest('base64');
    this.#inside = searchedOf(this.bounded);
    this.#outside = { version, covering: this.#everywhere, ...searchedOf(this.#everywhere) };
    for (const [i, { place }] of this.bounded.entries()) {
      const standing = this.#standing.get(place);
      if (standing) standing.push(i);
      else this.#standing.set(place, [i]);
    }
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
  where({ places, unread }: Held): LayerAt {
    // Layers share coverage files, and what was held of them: whose fault it is the layer knows.
    if (unread && !places.length) throw Fault.of(unread.error, this.bounded[unread.place]!);
    return this.at(new Set(places.map(place => this.bounded[place]!.place)));
  }

  /**
   * Where places hold the point with a coverage of their own: only partitions with one count, all of them, so that the
   * nearest is found across partition edges. In no such place those that cover everywhere do.
   */
  at(places: ReadonlySet<string>): LayerAt {
    if (!places.size) return this.#outside;
    const sorted = [...places].sort();
    const key = sorted.join('\n');
    let at = this.#ofPlaces.get(key);
    if (!at) {
      const standing = sorted.flatMap(place => this.#standing.get(place) ?? []).sort((a, b) => a - b);
      const { searched, leftOut } = this.#inside;
      at = { version: this.#version, covering: standing.map(i => this.bounded[i]!), searched, leftOut };
      if (this.#ofPlaces.size === REMEMBERED) this.#ofPlaces.clear();
      this.#ofPlaces.set(key, at);
    }
    return at;
  }
}

/** What is searched where these partitions count: all of them whole, without the rows of other parts. */
function searchedOf(counting: readonly Partition[]): Pick<LayerAt, 'searched' | 'leftOut'> {
  const among = new Set(counting);
  const searched = [...new Set(counting.map(wholeOf))];
  const others = searched.flatMap(partsOf).filter(p => !among.has(p));
  return { searched, leftOut: others.length ? new Set(others) : NONE_LEFT_OUT };
}
