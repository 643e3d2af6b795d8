import { type OsmMember, passOverOsm, type Tags } from './osm-block.ts';

/** Collects numbers in a typed array that doubles; the references of a country's roads do not fit into a list. */
class Numbers {
  #array: Float64Array = new Float64Array(4096);
  length = 0;

  push(value: number): void {
    if (this.length === this.#array.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.#array);
      this.#array = larger;
    }
    this.#array[this.length++] = value;
  }

  get filled(): Float64Array {
    return this.#array.subarray(0, this.length);
  }
}

/** A way with the coordinates of its nodes. If the extract lacks nodes, the way is cut there into pieces. */
interface OsmRoad {
  readonly id: number;
  readonly tags: Tags;
  /** lng,lat of each piece, with at least two vertices. */
  readonly pieces: readonly Float64Array[];
}

/** A turn restriction with a node between its roads. */
interface OsmTurn {
  readonly id: number;
  readonly tags: Tags;
  /** Ids of the ways. */
  readonly from: number;
  readonly to: number;
  /** lng,lat of the node. */
  readonly via: readonly [number, number];
}

/** Returns the index of a value in a sorted array, -1 if it is not there. */
function placeOf(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const mid = (low + high) >>> 1;
    const at = sorted[mid]!;
    if (at === value) return mid;
    if (at < value) low = mid + 1;
    else high = mid - 1;
  }
  return -1;
}

function distinct(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  let count = 0;
  for (const value of sorted) if (count === 0 || sorted[count - 1] !== value) sorted[count++] = value;
  return sorted.slice(0, count);
}

/**
 * The wanted ways of an extract, and the turn restrictions between them. It reads the file twice: ways and relations, then
 * nodes. Memory grows with the wanted ways: their tags, 8 bytes for each reference, 24 for each node.
 */
export class OsmRoads {
  readonly #ids: number[] = [];
  readonly #tags: Tags[] = [];
  readonly #refs = new Numbers();
  /** Index of the first reference of each way. */
  readonly #first: number[] = [];
  readonly #turns: { id: number; tags: Tags; from: number; to: number; via: number }[] = [];
  #nodes: Float64Array = new Float64Array();
  #places: Float64Array = new Float64Array();

  private constructor() {}

  /** Reads an extract. @param wanted chooses ways by their tags. @param checkpoint called between blocks; may throw to stop. */
  static async read(path: string, wanted: (tags: Tags) => boolean, checkpoint: () => void): Promise<OsmRoads> {
    const roads = new OsmRoads();
    await passOverOsm(path, { way: roads.#wayVisitor(wanted), relation: roads.#relationVisitor() }, checkpoint);
    const via = roads.#turns.map(turn => turn.via);
    const needed = new Float64Array(roads.#refs.length + via.length);
    needed.set(roads.#refs.filled);
    needed.set(via, roads.#refs.length);
    roads.#nodes = distinct(needed);
    roads.#places = new Float64Array(2 * roads.#nodes.length).fill(Number.NaN);
    const node = (id: number, lng: number, lat: number) => {
      const place = placeOf(roads.#nodes, id);
      if (place < 0) return;
      roads.#places[2 * place] = lng;
      roads.#places[2 * place + 1] = lat;
    };
    await passOverOsm(path, { node }, checkpoint);
    return roads;
  }

  #wayVisitor(wanted: (tags: Tags) => boolean) {
    return (id: number, tags: () => Tags, refs: () => number[]) => {
      const own = tags();
      if (!wanted(own)) return;
      this.#ids.push(id);
      this.#tags.push(own);
      this.#first.push(this.#refs.length);
      for (const ref of refs()) this.#refs.push(ref);
    };
  }

  #relationVisitor() {
    return (id: number, tags: () => Tags, members: () => OsmMember[]) => {
      const own = tags();
      if (own.type !== 'restriction') return;
      const list = members();
      const of = (role: string, type: OsmMember['type']) => list.filter(m => m.role === role && m.type === type);
      const [from, to, via] = [of('from', 'way'), of('to', 'way'), of('via', 'node')];
      // A restriction with ways in between, or with several roads at an end, is not a turn at one junction.
      if (from.length === 1 && to.length === 1 && via.length === 1)
        this.#turns.push({ id, tags: own, from: from[0]!.id, to: to[0]!.id, via: via[0]!.id });
    };
  }

  #at(node: number): readonly [number, number] | null {
    const place = placeOf(this.#nodes, node);
    const lng = this.#places[2 * place]!;
    return place < 0 || Number.isNaN(lng) ? null : [lng, this.#places[2 * place + 1]!];
  }

  *ways(): Generator<OsmRoad> {
    const refs = this.#refs.filled;
    for (const [i, id] of this.#ids.entries()) {
      const pieces: Float64Array[] = [];
      let piece: number[] = [];
      const end = () => {
        if (piece.length >= 4) pieces.push(Float64Array.from(piece));
        piece = [];
      };
      for (let ref = this.#first[i]!; ref < (this.#first[i + 1] ?? refs.length); ref++) {
        const at = this.#at(refs[ref]!);
        if (at) piece.push(...at);
        else end();
      }
      end();
      yield { id, tags: this.#tags[i]!, pieces };
    }
  }

  /** Yields the restrictions whose node is in the extract. */
  *turns(): Generator<OsmTurn> {
    for (const { via, ...turn } of this.#turns) {
      const at = this.#at(via);
      if (at) yield { ...turn, via: at };
    }
  }
}
