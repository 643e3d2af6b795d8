import { createHash } from 'node:crypto';
import type { Box } from '../../datasets/geometry.ts';
import { memo } from '../../datasets/memo.ts';
import type { LayerVersion, Part, Partition } from '../../datasets/release.ts';
import { Fault } from './fault.ts';
import { type LayerList, LayerLists } from './lists/layer-lists.ts';
import { PartitionSet } from './lists/partition-set.ts';
import { partsOf } from './part.ts';

/** What a release says about a layer at a point. */
export interface LayerAt {
  readonly version: LayerVersion;
  /** Partitions (of parcels: parts) whose coverage holds the point: whom an absence cites. Empty outside every coverage. */
  readonly covering: readonly Partition[];
  /** Partitions an operator must search. */
  readonly searched: PartitionSet;
  /** Whether the rows of a part of these do not count here. */
  readonly isLeftOut: (part: Partition) => boolean;
}

/** A coverage that could not be read. */
export interface Unread {
  readonly error: unknown;
}

/** Which coverages hold a point, and what could not be read first: by their places among the bounded partitions of a list. */
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

const isBounded = ({ coverage }: Part): boolean => coverage !== 'everywhere';
const isEverywhere = ({ coverage }: Part): boolean => coverage === 'everywhere';

/** The partitions with a coverage of their own that a place has in one list. */
interface PlaceCoverage {
  readonly list: ListCoverage;
  /** Tells it from all others of the layer. */
  readonly key: string;
  readonly partitions: readonly Partition[];
}

/** The coverages of one list of a layer. */
export class ListCoverage {
  /** Partitions (of parcels: parts) with a coverage of their own. */
  readonly bounded: readonly Partition[];
  /** Those that cover everywhere. */
  readonly everywhere: readonly Partition[];
  /** Equal for lists whose partitions share their coverage files, and so hold the same points; null where boxes decide. */
  readonly files: string | null;
  /** Of the list in its layer. */
  readonly place: number;
  readonly #ofPlaces: ReadonlyMap<string, PlaceCoverage>;
  /** Whose each of the bounded is. */
  readonly #owners: readonly PlaceCoverage[];

  constructor({ partitions, outline }: LayerList, place: number) {
    const parts = partitions.flatMap(partsOf);
    this.place = place;
    this.bounded = parts.filter(isBounded);
    this.everywhere = parts.filter(isEverywhere);
    this.files = outline.coverages;
    this.#ofPlaces = new Map(
      [...Map.groupBy(this.bounded, p => p.place)].map(([name, own]) => [
        name,
        { list: this, key: `${place} ${name}`, partitions: own },
      ]),
    );
    this.#owners = this.bounded.map(p => this.#ofPlaces.get(p.place)!);
  }

  ofPlace(name: string): PlaceCoverage | null {
    return this.#ofPlaces.get(name) ?? null;
  }

  /** Of the place of one of the bounded partitions. */
  ofBounded(bounded: number): PlaceCoverage {
    return this.#owners[bounded]!;
  }
}

/** Sets of places whose partitions are remembered of one layer. */
const REMEMBERED = 1024;

/** Which partitions of a layer count where: worked out once for the same places, and the same object for them. */
export class Coverage {
  readonly #version: LayerVersion;
  readonly #lists: LayerLists;
  /** As far as their lists were read. */
  readonly #ofLists: ListCoverage[] = [];
  /** What is searched where a place with a coverage of its own holds the ground, and elsewhere. */
  readonly #inside: PartitionSet;
  readonly #outside: PartitionSet;
  #elsewhere: LayerAt | null = null;
  #nowhere: LayerAt | null = null;
  #files: string | null | undefined;
  readonly #ofPlaces = new Map<string, LayerAt>();

  private constructor(version: LayerVersion) {
    this.#version = version;
    this.#lists = LayerLists.of(version);
    // Whole partitions are searched, without the rows of parts that do not count.
    this.#inside = new PartitionSet(this.#lists, whole => (whole.parts ?? [whole]).some(isBounded));
    this.#outside = new PartitionSet(this.#lists, whole => (whole.parts ?? [whole]).some(isEverywhere));
  }

  static readonly of = memo((version: LayerVersion) => new Coverage(version));

  /** Equal for layers whose partitions share their coverage files; null where boxes decide. @throws Fault as LayerList.outline. */
  get files(): string | null {
    if (this.#files === undefined) {
      const each = this.#lists.all.map(({ outline }) => outline.coverages);
      this.#files = each.includes(null) ? null : createHash('sha1').update(each.join()).digest('base64');
    }
    return this.#files;
  }

  /** The lists that may hold some lng,lat boxes. @throws Fault when one of them cannot be read. */
  about(boxes: readonly Box[]): readonly ListCoverage[] {
    return this.#lists.placesAbout(boxes).map(place => this.#of(place));
  }

  #of(place: number): ListCoverage {
    this.#ofLists[place] ??= new ListCoverage(this.#lists.all[place]!, place);
    return this.#ofLists[place]!;
  }

  /**
   * Where some of the bounded partitions of lists hold the point. @param each of the lists, in their order.
   * @throws the fault of one that could not be read, where no other holds the point: then nothing can be said.
   */
  where(lists: readonly ListCoverage[], each: readonly Held[]): LayerAt {
    const holding = lists.flatMap((list, i) => each[i]!.places.map(bounded => list.ofBounded(bounded)));
    if (!holding.length)
      for (const [i, { bounded }] of lists.entries()) {
        const { unread } = each[i]!;
        // Layers share coverage files, and what was held of them: whose fault it is the layer knows.
        if (unread) throw Fault.of(unread.error, bounded[unread.place]!);
      }
    return this.#at(holding);
  }

  /**
   * Where some partitions hold the ground with a coverage of their own: only partitions with one count, all of them, so that
   * the nearest is found across partition edges. Where none does those that cover everywhere count.
   * @throws Fault when a list that covers everywhere cannot be read.
   */
  at(holding: readonly Partition[]): LayerAt {
    const placeOf = ({ key }: Partition) =>
      this.#lists.all.findIndex(({ head }) => head === null || head.shard === key.split('/')[0]);
    return this.#at(holding.map(one => this.#of(placeOf(one)).ofPlace(one.place)!));
  }

  /** As at, of the places whose partitions hold the ground. @param mayName whether a shard has partitions of a place. */
  atPlaces(places: readonly string[], mayName: (shard: string, place: string) => boolean): LayerAt {
    const lists = this.#lists.all.flatMap(({ head }, i) =>
      head === null || places.some(place => mayName(head.shard, place)) ? [this.#of(i)] : [],
    );
    return this.#at(lists.flatMap(list => places.flatMap(place => list.ofPlace(place) ?? [])));
  }

  #at(holding: readonly PlaceCoverage[]): LayerAt {
    const [first] = holding;
    if (!first) return this.#outsideAll();
    const key = [...new Set(holding.map(place => place.key))].sort().join('\n');
    let at = this.#ofPlaces.get(key);
    if (!at) {
      const own = new Set(holding.flatMap(({ partitions }) => partitions));
      const lists = [...new Set(holding.map(({ list }) => list))].sort((a, b) => a.place - b.place);
      const covering = lists.flatMap(({ bounded }) => bounded.filter(one => own.has(one)));
      at = { version: this.#version, covering, ...this.#searchedBy(own) };
      if (this.#ofPlaces.size === REMEMBERED) this.#ofPlaces.clear();
      this.#ofPlaces.set(key, at);
    }
    return at;
  }

  /** What is searched where some partitions hold the ground. */
  #searchedBy(own: ReadonlySet<Partition>): Pick<LayerAt, 'searched' | 'isLeftOut'> {
    if (![...own].every(({ reach }) => reach)) return { searched: this.#inside, isLeftOut: isEverywhere };
    // What they hold beyond their coverage those of the neighbors hold too: together each feature there would count twice.
    const searched = new PartitionSet(this.#lists, whole => partsOf(whole).some(part => own.has(part)));
    return { searched, isLeftOut: part => !own.has(part as Partition) };
  }

  /** Where nothing of the layer counts: beyond the ground that a pack was made for. */
  nowhere(): LayerAt {
    this.#nowhere ??= { version: this.#version, covering: [], searched: PartitionSet.from([]), isLeftOut: () => true };
    return this.#nowhere;
  }

  #outsideAll(): LayerAt {
    if (!this.#elsewhere) {
      // What covers everywhere reaches everywhere.
      const covering = this.#lists.all.flatMap(({ outline }, i) => (outline.reach ? [] : this.#of(i).everywhere));
      this.#elsewhere = { version: this.#version, covering, searched: this.#outside, isLeftOut: isBounded };
    }
    return this.#elsewhere;
  }
}
