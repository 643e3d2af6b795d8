import { type Condition, columnsOf } from '../datasets/condition.ts';
import type { Expression, SourceRef } from '../datasets/expression.ts';
import type { Partition } from '../datasets/release.ts';
import type { Batch } from './batch.ts';
import { coverageOf, searchesOf } from './batch-search.ts';
import { type Context, keyOf, testOf } from './context.ts';
import { Disc } from './disc.ts';
import { Interrupted } from './fault.ts';
import type { Finding } from './finding.ts';
import { boxLowerBound, distance } from './geodesic.ts';
import { knownOf } from './known.ts';
import type { Feature, Features, LayerAt } from './layer.ts';
import { type BoxTree, TIE } from './nearest.ts';
import { PointGroup } from './point-group.ts';
import { distanceTo, type NearChains, nearChains } from './proximity.ts';
import { byText, joinKeyOf, type NearestHit, nearestFeature, requireStored, type Search, searchAt } from './vector.ts';

/** What the search of a point ended with; undefined while it was not made. */
type Ended = { readonly hit: NearestHit | null } | { readonly error: unknown };

/** Features that are told apart point by point, and points that share them, at most; and features worth halving for. */
const [MOST, POINTS, FEW] = [192, 8, 2];
/** What distanceTo may be off, as a share of the distance and in metres, twice as much. */
const [SHARE, METRES] = [2e-6, 0.2];
/** Up to this reach in metres a plane bounds distances, at less cost than a sphere does. */
const LOCAL = 200_000;
/** Chains of a geometry from which on it pays to leave out the far ones. */
const LONG = 8;

/** A feature that may be the nearest of some points of a group. */
interface Candidate {
  readonly partition: Partition;
  readonly features: Features;
  readonly index: number;
  readonly box: Float64Array;
  /** The chains that may hold the nearest place; null for all. */
  readonly near: NearChains | null;
  /** No more than the distance from the middle of the group. */
  readonly metres: number;
}

const featureOf = ({ features, index }: Candidate): Feature => features.feature(index);

/** The features that may be the nearest of a group's points, and how far from its middle the nearest of all is. */
interface Chosen {
  readonly candidates: readonly Candidate[];
  readonly least: number;
}

/** A feature found to be the nearest without its distance, which is measured when it is asked for. */
class Alone implements NearestHit {
  readonly feature: Feature;
  readonly partition: Partition;
  readonly #measure: () => number;
  #metres: number | null = null;
  constructor(candidate: Candidate, measure: () => number) {
    this.feature = featureOf(candidate);
    this.partition = candidate.partition;
    this.#measure = measure;
  }
  get metres(): number {
    this.#metres ??= this.#measure();
    return this.#metres;
  }
}

/** The nearest features of all points of a batch for one layer, condition and reach. */
export class NearestOfBatch {
  readonly #batch: Batch;
  readonly #source: SourceRef;
  readonly #where: Condition | null;
  readonly #max: number;
  readonly #ended: (Ended | undefined)[];
  #last: { readonly place: number; readonly search: Search; readonly hit: NearestHit } | null = null;
  /** The middle asked last and its nearest, which bounds the next. */
  #middle: { readonly group: PointGroup; readonly metres: number } | null = null;

  private constructor(batch: Batch, source: SourceRef, where: Condition | null, metres: number) {
    this.#batch = batch;
    this.#source = source;
    this.#where = where;
    this.#max = metres;
    this.#ended = new Array(batch.contexts.length);
  }

  /** One for all fields of the batch that ask for the same layer, condition and reach in metres. */
  static of(batch: Batch, source: SourceRef, where: Condition | null, metres: number): Promise<NearestOfBatch> {
    const key = `near ${source.dataset}:${source.layer} ${metres} ${keyOf(where)}`;
    return batch.memo(key, async () => {
      const made = new NearestOfBatch(batch, source, where, metres);
      const ats = await coverageOf(batch, source);
      const [at] = ats;
      if (at && !('status' in at) && ats.every(other => other === at)) await made.#together(at);
      return made;
    });
  }

  /**
   * The nearest feature of the point at a place of the batch, within the reach; null for none.
   * @throws (or rejects) Fault or DamagedFile as nearestFeature does.
   */
  at(place: number, search: Search): NearestHit | null | Promise<NearestHit | null> {
    const known = this.#ended[place];
    if (!known) return this.#find(this.#batch.contexts[place]!, search, place);
    if ('error' in known) throw known.error;
    return known.hit;
  }

  /** Finds the nearest of every point together; what cannot be found so is left to each point's own search. */
  async #together(at: LayerAt): Promise<void> {
    try {
      const search = searchAt(at, this.#source, this.#where);
      if (search.absent) return;
      await this.#group(await PointGroup.of(this.#batch), search, null);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // What fails concerns some points only: which, their own searches tell.
    }
  }

  /** The nearest of one point by a search of its own, bounded by what the point before has found. */
  async #find(ctx: Context, search: Search, place: number): Promise<NearestHit | null> {
    const last = this.#last;
    let bound = Infinity;
    if (last?.search === search && last.place < place) {
      const { point } = this.#batch.contexts[last.place]!;
      bound = last.hit.metres + distance(point.lng, point.lat, ctx.point.lng, ctx.point.lat);
    }
    try {
      const hit = await nearestFeature(ctx, this.#source, search, this.#where, this.#max, undefined, bound);
      if (hit) this.#last = { place, search, hit };
      this.#ended[place] = { hit };
      return hit;
    } catch (error) {
      if (!(error instanceof Interrupted)) this.#ended[place] = { error };
      throw error;
    }
  }

  /** @param from features among which the nearest of every point is; null where none were chosen. */
  async #group(group: PointGroup, search: Search, from: readonly Candidate[] | null): Promise<void> {
    this.#batch.check();
    const chosen = from ? this.#closer(group, from) : await this.#about(group, search);
    if (!chosen) {
      if (group.size <= POINTS) return;
      for (const half of group.halves()) await this.#group(half, search, null);
    } else if (chosen.candidates.length > FEW && group.size > POINTS) {
      for (const half of group.halves()) await this.#group(half, search, chosen.candidates);
    } else this.#answer(group, chosen);
  }

  /** How far from the middle a feature may lie to be the nearest of a point: of two within so much neither is left out. */
  #reach(group: PointGroup, least: number): number {
    const reach = Math.min(this.#max + group.spread, least + 2 * group.spread);
    return reach * (1 + SHARE) + METRES;
  }

  /** The features about the middle of a group that may be the nearest of one of its points; null where they are many. */
  async #about(group: PointGroup, search: Search): Promise<Chosen | null> {
    const { contexts } = this.#batch;
    const { lng, lat } = group;
    const ctx: Context = { ...contexts[group.start]!, point: { lng, lat } };
    let bound = Infinity;
    if (this.#middle) {
      const { group: before, metres } = this.#middle;
      bound = metres + distance(before.lng, before.lat, lng, lat);
    }
    const where = this.#where;
    const nearest = await nearestFeature(
      ctx,
      this.#source,
      search,
      where,
      this.#max + group.spread,
      undefined,
      bound + METRES,
    );
    if (!nearest) return { candidates: [], least: Infinity };
    const least = nearest.metres;
    this.#middle = { group, metres: least };
    const reach = this.#reach(group, least);
    const test = testOf(ctx, where);
    const lower = boundsFrom(lng, lat, reach);
    const candidates: Candidate[] = [];
    for (const partition of search.partitions) {
      if (!partition.box || !partition.rows || boxLowerBound(lng, lat, partition.box) > reach) continue;
      const opening = ctx.layers.features(partition);
      const features: Features = 'then' in opening ? await opening : opening;
      requireStored(features, this.#source, columnsOf(where));
      const { file } = features;
      const condition = where && `${keyOf(where)} ${ctx.layers.release.manifest.asOf}`;
      const filtered = condition && features.filtered(condition);
      const verdicts = condition && !filtered ? knownOf<boolean>(ctx, partition, file.count, condition) : null;
      const tree = filtered || file.index;
      let seen = 0;
      const visited = visitWithin(tree, lower, reach, (index, box, metres) => {
        if (++seen > 4 * MOST) return false;
        if (verdicts && !verdicts.of(index, i => test(file.properties(i)))) return true;
        candidates.push({ partition, features, index, box, near: null, metres });
        return candidates.length <= MOST;
      });
      if (!visited) return null;
    }
    return { candidates: this.#measured(group, candidates, reach), least };
  }

  /** Those of the features about a larger group that may be the nearest of a point of this one. */
  #closer(group: PointGroup, from: readonly Candidate[]): Chosen {
    const { lng, lat } = group;
    const lower = boundsFrom(lng, lat, this.#max + group.spread);
    const order = from.map(candidate => ({ ...candidate, metres: lower(candidate.box, 0) }));
    order.sort((a, b) => a.metres - b.metres);
    let least = Infinity;
    for (const candidate of order) {
      if (candidate.metres > Math.min(least, this.#max + group.spread)) break;
      const metres = distanceTo(featureOf(candidate).geometry, lng, lat, least, candidate.near);
      least = Math.min(least, metres);
    }
    const reach = this.#reach(group, least);
    const candidates = order.filter(({ metres }) => metres <= reach);
    return { candidates: this.#measured(group, candidates, reach), least };
  }

  /** Leaves out what only seems to reach so near, by measuring what is much larger than the group, and far parts of it. */
  #measured(group: PointGroup, candidates: readonly Candidate[], reach: number): Candidate[] {
    const out: Candidate[] = [];
    const { lng, lat } = group;
    for (const candidate of candidates) {
      const { box, near } = candidate;
      const wide = Math.max(box[2]! - box[0]!, box[3]! - box[1]!) * 111_000 > group.spread;
      if (!wide) {
        out.push(candidate);
        continue;
      }
      const { geometry } = featureOf(candidate);
      const metres = distanceTo(geometry, lng, lat, reach, near);
      if (metres > reach) continue;
      const long = near ? near.first.length > LONG : geometry.xy.length > LONG * 64;
      out.push({ ...candidate, metres, near: long ? nearChains(geometry, near, lng, lat, reach) : near });
    }
    return out;
  }

  /** The nearest of every point of a group among its features. */
  #answer(group: PointGroup, { candidates, least }: Chosen): void {
    const { contexts } = this.#batch;
    const none: Ended = { hit: null };
    const [only] = candidates;
    if (!only) {
      for (let i = group.start; i < group.end; i++) this.#ended[i] = none;
      return;
    }
    const bound = (least + group.spread) * (1 + SHARE) + METRES;
    if (candidates.length === 1 && bound < this.#max) {
      for (let i = group.start; i < group.end; i++) {
        const { point } = contexts[i]!;
        const measure = () => distanceTo(featureOf(only).geometry, point.lng, point.lat, bound, only.near);
        this.#ended[i] = { hit: new Alone(only, measure) };
      }
      return;
    }
    let first = 0;
    for (let i = group.start; i < group.end; i++) {
      const ctx = contexts[i]!;
      const { lng, lat } = ctx.point;
      let best = Infinity;
      let ties: { candidate: number; metres: number }[] = [];
      const most = Math.min(this.#max, bound);
      const lower = boundsFrom(lng, lat, most);
      const weigh = (c: number) => {
        const candidate = candidates[c]!;
        const limit = Math.min(this.#max, best + TIE);
        if (lower(candidate.box, 0) > limit) return;
        const metres = distanceTo(featureOf(candidate).geometry, lng, lat, Math.min(limit, bound), candidate.near);
        if (!(metres <= limit)) return;
        best = Math.min(best, metres);
        ties.push({ candidate: c, metres });
        ties = ties.filter(tie => tie.metres - best < TIE);
      };
      weigh(first);
      for (let c = 0; c < candidates.length; c++) if (c !== first) weigh(c);
      const [tie] = ties;
      if (!tie) {
        this.#ended[i] = none;
        continue;
      }
      const winner = ties.length === 1 ? tie : this.#tied(ctx, candidates, ties);
      // Features of two partitions equally near: which answers is for their own search to say.
      if (!winner) continue;
      const { partition } = candidates[winner.candidate]!;
      this.#ended[i] = { hit: { feature: featureOf(candidates[winner.candidate]!), partition, metres: winner.metres } };
      first = winner.candidate;
    }
  }

  /** Of features equally near the one with the smaller join key; null where that does not decide it. */
  #tied<T extends { readonly candidate: number }>(
    ctx: Context,
    candidates: readonly Candidate[],
    ties: readonly T[],
  ): T | null {
    const key = (tie: T) => joinKeyOf(ctx, this.#source, featureOf(candidates[tie.candidate]!));
    const [winner, next] = [...ties].sort((a, b) => byText(key(a), key(b)));
    return key(winner!) === key(next!) ? null : winner!;
  }
}

/** Bounds the distance from a point to boxes from below, as long as that is at most `metres`. */
function boundsFrom(lng: number, lat: number, metres: number): (boxes: ArrayLike<number>, at: number) => number {
  if (metres > LOCAL) return (boxes, at) => boxLowerBound(lng, lat, boxes, at);
  const disc = new Disc(lng, lat, metres);
  return (boxes, at) => disc.least(boxes, at);
}

/**
 * Visits the features whose box may lie within `metres`, in file order.
 * @param visit returning false ends the walk. @returns whether it came to its end.
 */
function visitWithin(
  tree: BoxTree,
  lower: (boxes: ArrayLike<number>, at: number) => number,
  metres: number,
  visit: (feature: number, box: Float64Array, least: number) => boolean,
): boolean {
  const { boxes } = tree;
  const stack = tree.nodeCount ? [0] : [];
  while (stack.length) {
    const node = stack.pop()!;
    const least = lower(boxes, node * 4);
    if (least > metres) continue;
    if (tree.isLeaf(node)) {
      if (!visit(tree.featureOf(node), boxes.subarray(node * 4, node * 4 + 4), least)) return false;
    } else for (let child = tree.childEnd(node) - 1; child >= tree.childOf(node); child--) stack.push(child);
  }
  return true;
}

/**
 * The nearest feature of every point of a batch, found once for all fields of the same layer, condition and reach: the
 * features about the middle of a run of points that may be the nearest of any of them (triangle inequality) are found
 * together, and halves of the run choose from them until few are left. Points of different coverage are searched one by
 * one, the point before bounding the next.
 * @param answer makes the finding of what was found, or of nothing.
 */
export async function nearestOfBatch(
  batch: Batch,
  call: Expression,
  answer: (ctx: Context, search: Search, hit: NearestHit | null) => Finding,
): Promise<readonly Finding[]> {
  const source = call.sources[0]!;
  const near = await NearestOfBatch.of(batch, source, call.where, Number(call.options.max_km) * 1000);
  return searchesOf(batch, source, call.where, [], (ctx, search, place) => {
    if (search.absent) return answer(ctx, search, null);
    const hit = near.at(place, search);
    return hit && 'then' in hit ? hit.then(one => answer(ctx, search, one)) : answer(ctx, search, hit);
  });
}
