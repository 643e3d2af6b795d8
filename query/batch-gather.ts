import { type Condition, columnsOf } from '../datasets/condition.ts';
import type { Value } from '../datasets/dataset.ts';
import type { SourceRef } from '../datasets/expression.ts';
import type { Geometry } from '../datasets/geometry.ts';
import type { Partition } from '../datasets/release.ts';
import type { Batch } from './batch.ts';
import { BatchMiddle } from './batch-middle.ts';
import { coverageOf } from './batch-search.ts';
import { keyOf, testOf } from './context.ts';
import type { LayerAt } from './coverage.ts';
import { Disc, OUTSIDE, WITHIN } from './disc.ts';
import { Interrupted } from './fault.ts';
import { type Gathered, gather, RARE, WASTEFUL } from './gather.ts';
import { boxLowerBound } from './geodesic.ts';
import { discTest } from './ground.ts';
import { knownOf } from './known.ts';
import type { Features } from './layer.ts';
import type { BoxTree } from './nearest.ts';
import { PointGroup } from './point-group.ts';
import { distanceTo } from './proximity.ts';
import { requireStored, type Search, searchAt } from './vector.ts';

/** Features that each point of a group asks about, and points of a group, below which it is not halved. */
const [RIM, POINTS] = [24, 8];

/** Coordinates that are looked at one by one before chains are. */
const MANY = 128;

/** What of one partition lies within the discs of a group's points. */
interface Part {
  readonly partition: Partition;
  readonly features: Features;
  readonly tree: BoxTree;
  /** How many features lie within every disc, and which in file order where that is asked. */
  readonly count: number;
  readonly sure: readonly number[];
  /** Features that the point decides, in file order, with their leaves. */
  readonly rim: readonly number[];
  readonly leaves: readonly number[];
  readonly column: (name: string) => (feature: number) => Value;
}

/** What a group's points have in common, and what of it a point has whose rim holds nothing. */
interface Shared {
  readonly parts: readonly Part[];
  readonly alone: readonly Gathered[];
}

const NONE: readonly number[] = [];

/** A part as one point has it. */
class GatheredPart implements Gathered {
  readonly partition: Partition;
  readonly column: Gathered['column'];
  readonly count: number;
  readonly shared: readonly number[];
  readonly own: readonly number[];
  constructor({ partition, column, count, sure }: Part, own: readonly number[]) {
    this.partition = partition;
    this.column = column;
    this.count = count + own.length;
    this.shared = sure;
    this.own = own;
  }
  get features(): readonly number[] {
    return merged(this.shared, this.own);
  }
}

/** What fields of a batch ask of the disc about each point. */
interface Gathering {
  readonly source: SourceRef;
  readonly where: Condition | null;
  /** Metres. */
  readonly radius: number;
  /** As gather's. */
  readonly columns: readonly string[];
  readonly listed: boolean;
}

/** The features that meet a condition and lie within a disc about each point of a batch, as gather.ts finds them. */
export class BatchGather {
  readonly #batch: Batch;
  readonly #source: SourceRef;
  readonly #where: Condition | null;
  readonly #columns: readonly string[];
  readonly #radius: number;
  readonly #listed: boolean;
  #middle: BatchMiddle | null = null;
  /** By place; undefined where a point gathers on its own. */
  readonly #shared: (Shared | undefined)[];

  private constructor(batch: Batch, { source, where, radius, columns, listed }: Gathering) {
    this.#batch = batch;
    this.#listed = listed;
    this.#source = source;
    this.#where = where;
    this.#radius = radius;
    this.#columns = columns;
    this.#shared = new Array(batch.contexts.length);
  }

  /** One for all fields of the batch that ask the same. */
  static of(batch: Batch, asked: Gathering): Promise<BatchGather> {
    const { source, where, radius, columns, listed } = asked;
    const key = `gather ${source.dataset}:${source.layer} ${radius} ${keyOf(where)} ${columns.join()} ${listed}`;
    return batch.memo(key, async () => {
      const made = new BatchGather(batch, asked);
      made.#middle = await BatchMiddle.of(batch, radius);
      const ats = await coverageOf(batch, source);
      const [at] = ats;
      if (at && !('status' in at) && ats.every(other => other === at)) await made.#together(at);
      return made;
    });
  }

  /**
   * What lies within the disc about the point at a place of the batch; points that have the same may get the same array.
   * @throws (or rejects) Fault or DamagedFile as gather does.
   */
  at(place: number, search: Search): readonly Gathered[] | Promise<readonly Gathered[]> {
    const ctx = this.#batch.contexts[place]!;
    const shared = this.#shared[place];
    if (!shared) {
      const disc = new Disc(ctx.point.lng, ctx.point.lat, this.#radius);
      return gather(ctx, this.#source, search, this.#where, disc, this.#listed, this.#columns, this.#middle);
    }
    const { parts, alone } = shared;
    let disc: Disc | null = null;
    let out: Gathered[] | null = null;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      if (part.rim.length) disc ??= new Disc(ctx.point.lng, ctx.point.lat, this.#radius);
      const held = disc ? heldOf(part, disc) : NONE;
      if (held.length) {
        out ??= gatheredOf(parts, i);
        out.push(new GatheredPart(part, held));
      } else if (part.count) out?.push(new GatheredPart(part, NONE));
    }
    return out ?? alone;
  }

  async #together(at: LayerAt): Promise<void> {
    try {
      const search = searchAt(at, this.#source, this.#where, this.#columns);
      if (!search.absent) await this.#group(await PointGroup.of(this.#batch), search, null);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // What fails concerns some points only: which, their own searches tell.
    }
  }

  async #group(group: PointGroup, search: Search, from: readonly Part[] | null): Promise<void> {
    this.#batch.check();
    const { lng, lat, spread } = group;
    // The millimetre is more than rounding may take.
    const inner = this.#radius - spread - 1e-3;
    const outer = new Disc(lng, lat, this.#radius + spread + 1e-3);
    const within = inner > 0 ? new Disc(lng, lat, inner) : null;
    const parts = from ? from.map(part => this.#closer(part, outer, within)) : await this.#about(search, outer, within);
    const open = parts.reduce((sum, part) => sum + part.rim.length, 0);
    if (open > RIM && group.size > POINTS) for (const half of group.halves()) await this.#group(half, search, parts);
    else {
      const shared = { parts, alone: gatheredOf(parts, parts.length) };
      for (let i = group.start; i < group.end; i++) this.#shared[i] = shared;
    }
  }

  /** What of a larger group's rim a smaller group's points have to decide. */
  #closer(part: Part, outer: Disc, within: Disc | null): Part {
    const { boxes } = part.tree;
    const [sure, rim, leaves]: [number[], number[], number[]] = [[], [], []];
    for (let i = 0; i < part.rim.length; i++) {
      const leaf = part.leaves[i]!;
      if (outer.relation(boxes, leaf * 4) === OUTSIDE) continue;
      if (within?.relation(boxes, leaf * 4) === WITHIN) sure.push(part.rim[i]!);
      else {
        rim.push(part.rim[i]!);
        leaves.push(leaf);
      }
    }
    const count = part.count + sure.length;
    return { ...part, count, sure: this.#listed ? merged(part.sure, sure) : [], rim, leaves };
  }

  async #about(search: Search, outer: Disc, within: Disc | null): Promise<Part[]> {
    const { contexts, layers } = this.#batch;
    const ctx = contexts[0]!;
    const where = this.#where;
    const test = testOf(ctx, where);
    const parts: Part[] = [];
    for (const partition of search.partitions) {
      if (!partition.box || !partition.rows || boxLowerBound(outer.lng, outer.lat, partition.box) > outer.radius)
        continue;
      const opening = layers.features(partition);
      const features = 'then' in opening ? await opening : opening;
      requireStored(features, this.#source, [...this.#columns, ...columnsOf(where)]);
      const { file } = features;
      const condition = where && `${keyOf(where)} ${layers.release.manifest.asOf}`;
      const filtered = condition ? features.filtered(condition) : null;
      const verdicts = condition && !filtered ? knownOf<boolean>(ctx, partition, file.count, condition) : null;
      const tree: BoxTree = filtered ?? file.index;
      const { boxes } = tree;
      const [sure, rim, leaves]: [number[], number[], number[]] = [[], [], []];
      let count = 0;
      let rejected = 0;
      const take = (leaf: number, inside: boolean) => {
        const feature = tree.featureOf(leaf);
        if (verdicts && !verdicts.of(feature, i => test(file.properties(i)))) {
          rejected++;
          return;
        }
        const at = leaf * 4;
        const point = boxes[at] === boxes[at + 2] && boxes[at + 1] === boxes[at + 3];
        const known = inside || point ? inside || null : this.#middle?.within(features, feature, this.#radius);
        if (known === true) {
          count++;
          if (this.#listed) sure.push(feature);
        } else if (known !== false) {
          rim.push(feature);
          leaves.push(leaf);
        }
      };
      walk(tree, outer, within, (first, last, inside) => {
        if (inside && !verdicts && !this.#listed) count += last - first + 1;
        else for (let leaf = first; leaf <= last; leaf++) take(leaf, inside);
      });
      if (condition && rejected > WASTEFUL + RARE * (count + rim.length))
        features.index(condition, test, () => this.#batch.check());
      const read = new Map<string, (feature: number) => Value>();
      const column = (name: string) => {
        let values = read.get(name);
        if (!values) {
          const known = knownOf<Value>(ctx, partition, file.count, `column ${name}`);
          const value = (i: number) => file.properties(i)[name] ?? null;
          values = feature => known.of(feature, value);
          read.set(name, values);
        }
        return values;
      };
      if (count + rim.length) parts.push({ partition, features, tree, count, sure, rim, leaves, column });
    }
    return parts;
  }
}

/** The first of some parts as a point has them whose rim holds nothing. */
function gatheredOf(parts: readonly Part[], end: number): Gathered[] {
  const out: Gathered[] = [];
  for (let i = 0; i < end; i++) if (parts[i]!.count) out.push(new GatheredPart(parts[i]!, NONE));
  return out;
}

/** The features of a part's rim that lie within a disc. */
function heldOf({ features, tree: { boxes }, rim, leaves }: Part, disc: Disc): readonly number[] {
  let held: number[] | null = null;
  let within: ReturnType<typeof discTest> | null = null;
  for (let i = 0; i < rim.length; i++) {
    const at = leaves[i]! * 4;
    const relation = disc.relation(boxes, at);
    if (relation === OUTSIDE) continue;
    if (relation !== WITHIN) {
      const x = boxes[at]!;
      const y = boxes[at + 1]!;
      if (x === boxes[at + 2] && y === boxes[at + 3]) {
        within ??= discTest(disc.lng, disc.lat, disc.radius);
        if (!within(x, y)) continue;
      } else if (!reaches(features.feature(rim[i]!).geometry, disc)) continue;
    }
    held ??= [];
    held.push(rim[i]!);
  }
  return held ?? NONE;
}

/** Visits the leaves that are not outside a disc, from first to last in file order, and says which are within a smaller one. */
function walk(
  tree: BoxTree,
  outer: Disc,
  inner: Disc | null,
  visit: (first: number, last: number, inside: boolean) => void,
): void {
  const { boxes } = tree;
  const stack = tree.nodeCount ? [0] : [];
  while (stack.length) {
    const node = stack.pop()!;
    if (outer.relation(boxes, node * 4) === OUTSIDE) continue;
    if (inner?.relation(boxes, node * 4) === WITHIN) {
      let [first, last] = [node, node];
      while (!tree.isLeaf(first)) first = tree.childOf(first);
      while (!tree.isLeaf(last)) last = tree.childEnd(last) - 1;
      visit(first, last, true);
    } else if (tree.isLeaf(node)) visit(node, node, false);
    else for (let child = tree.childEnd(node) - 1; child >= tree.childOf(node); child--) stack.push(child);
  }
}

/** Whether a geometry has a place in a disc: mostly one of its vertices is, and nothing need be measured. */
function reaches(geometry: Geometry, disc: Disc): boolean {
  const { xy } = geometry;
  for (let i = 0; i < Math.min(xy.length, MANY); i += 2) if (disc.surelyHolds(xy[i]!, xy[i + 1]!)) return true;
  return distanceTo(geometry, disc.lng, disc.lat, disc.radius) <= disc.radius;
}

/** Two ascending lists as one. */
function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (!b.length) return a;
  if (!a.length) return b;
  const out: number[] = new Array(a.length + b.length);
  for (let i = 0, j = 0, k = 0; k < out.length; k++) out[k] = j === b.length || a[i]! < b[j]! ? a[i++]! : b[j++]!;
  return out;
}
