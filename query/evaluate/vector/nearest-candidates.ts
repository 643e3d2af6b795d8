import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { type BoxTree, TIE } from '../../geometry/box-tree-nearest.ts';
import { Disc } from '../../geometry/disc/disc.ts';
import { distanceTo, type NearChains, nearChains } from '../../geometry/feature-distance.ts';
import { boxLowerBound } from '../../geometry/geodesic.ts';
import type { Feature, Features } from '../../release/features.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import { type Context, conditionKey, keyOf, testOf } from '../context.ts';
import type { About } from '../point-group.ts';
import { featureMemoOf } from './feature-memo.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { byText, joinKeyOf, type NearestHit, nearestFeature, requireStored, type Search } from './vector-search.ts';

/** Features that are told apart point by point, at most. */
const MOST = 64;
/** What distanceTo may be off, as a share of the distance and in metres, twice as much. */
const [SHARE, METRES] = [2e-6, 0.2];
/** Up to this reach in metres a plane bounds distances, at less cost than a sphere does. */
const LOCAL = 200_000;
/** Chains of a geometry from which on it pays to leave out the far ones. */
const LONG = 8;

/** What is searched for the nearest feature: those of a layer that meet a condition, up to `max` metres. */
export interface Wanted {
  readonly source: SourceRef;
  readonly where: Condition | null;
  readonly max: number;
}

/** A feature that may be the nearest of some points of a group. */
export interface Candidate {
  readonly partition: Partition;
  readonly features: Features;
  readonly index: number;
  readonly box: Float64Array;
  /** The chains that may hold the nearest place; null for all. */
  readonly near: NearChains | null;
  /** No more than the distance from the place that the points lie about. */
  readonly metres: number;
}

const featureOf = ({ features, index }: Candidate): Feature => features.feature(index);

/** The features that may be the nearest of the points about a place, and how far from it the nearest of all is. */
export interface Chosen {
  readonly candidates: readonly Candidate[];
  readonly least: number;
}

/** A feature found to be the nearest without its distance, which is measured when it is asked for. */
class UnmeasuredHit implements NearestHit {
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

/** How far from the place a feature may lie to be the nearest of a point: of two within so much neither is left out. */
function reachOf(about: About, max: number, least: number): number {
  return Math.min(max + about.spread, least + 2 * about.spread) * (1 + SHARE) + METRES;
}

/**
 * The features that may be the nearest of a point about a place (triangle inequality); null where they are too many.
 * @param ctx any context of the request. @param bound metres that the nearest of the place is known not to exceed.
 * @throws Fault or DamagedFile as nearestFeature does.
 */
export async function candidatesAbout(
  ctx: Context,
  about: About,
  { source, where, max }: Wanted,
  search: Search,
  bound = Infinity,
): Promise<(Chosen & { readonly files: readonly { partition: Partition; features: Features }[] }) | null> {
  const { lng, lat, spread } = about;
  const there: Context = { ...ctx, point: { lng, lat } };
  const nearest = await nearestFeature(there, source, search, where, max + spread, undefined, bound + METRES);
  if (!nearest) return { candidates: [], least: Infinity, files: [] };
  const least = nearest.metres;
  const reach = reachOf(about, max, least);
  const test = testOf(ctx, where);
  const lower = boundsFrom(lng, lat, reach);
  const candidates: Candidate[] = [];
  const near = partitionsNear(search.partitions, lng, lat, reach);
  const all = await ctx.layers.allFeatures(near);
  const files = near.map((partition, i) => ({ partition, features: all[i]! }));
  const condition = conditionKey(ctx.layers, where);
  for (const { partition, features } of files) {
    requireStored(features, source, columnsOf(where));
    const { file } = features;
    const filtered = condition && features.filtered(condition);
    const verdicts = condition && !filtered ? featureMemoOf<boolean>(ctx, partition, file.count, condition) : null;
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
  return { candidates: measured(about, candidates, reach), least, files };
}

/** Those of the features about a wider place that may be the nearest of a point about this one. */
export function closer(about: About, { max }: Wanted, from: readonly Candidate[]): Chosen {
  const { lng, lat, spread } = about;
  const lower = boundsFrom(lng, lat, max + spread);
  const order = from.map(candidate => ({ ...candidate, metres: lower(candidate.box, 0) }));
  order.sort((a, b) => a.metres - b.metres);
  let least = Infinity;
  for (const candidate of order) {
    if (candidate.metres > Math.min(least, max + spread)) break;
    const metres = distanceTo(featureOf(candidate).geometry, lng, lat, least, candidate.near);
    least = Math.min(least, metres);
  }
  const reach = reachOf(about, max, least);
  const candidates = order.filter(({ metres }) => metres <= reach);
  return { candidates: measured(about, candidates, reach), least };
}

/** Leaves out what only seems to reach so near, by measuring what is much larger than the spread, and far parts of it. */
function measured({ lng, lat, spread }: About, candidates: readonly Candidate[], reach: number): Candidate[] {
  const out: Candidate[] = [];
  for (const candidate of candidates) {
    const { box, near } = candidate;
    const wide = Math.max(box[2]! - box[0]!, box[3]! - box[1]!) * 111_000 > spread;
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

/**
 * The nearest of one of the points about a place; null for none, undefined where features of two partitions are equally
 * near: which answers is for a search of its own to say.
 * @param first place among the candidates of the one that is likely the nearest.
 */
export function choose(
  ctx: Context,
  about: About,
  { source, max }: Wanted,
  chosen: Chosen,
  first = 0,
): { readonly hit: NearestHit; readonly candidate: number } | null | undefined {
  const { candidates, least } = chosen;
  const [only] = candidates;
  if (!only) return null;
  const { lng, lat } = ctx.point;
  const bound = (least + about.spread) * (1 + SHARE) + METRES;
  if (candidates.length === 1 && bound < max) {
    const measure = () => distanceTo(featureOf(only).geometry, lng, lat, bound, only.near);
    return { hit: new UnmeasuredHit(only, measure), candidate: 0 };
  }
  const disc = discOf(about, max, bound, chosen);
  const apart = about.spread * (1 + SHARE) + METRES;
  let best = Infinity;
  let winner = -1;
  let ties: { candidate: number; metres: number }[] | null = null;
  for (let n = -1; n < candidates.length; n++) {
    // The likely one comes first, so that most others need no measuring.
    if (n === first) continue;
    const c = n < 0 ? first : n;
    const { box, near, metres: least } = candidates[c]!;
    const limit = Math.min(max, best + TIE);
    // From the place it is no nearer than `least`, and the point is no farther from there than the spread.
    if (least - apart > limit) continue;
    if ((disc ? disc.leastFrom(lng, lat, box) : boxLowerBound(lng, lat, box)) > limit) continue;
    const metres = distanceTo(featureOf(candidates[c]!).geometry, lng, lat, Math.min(limit, bound), near);
    if (!(metres <= limit)) continue;
    if (winner >= 0 && Math.abs(metres - best) < TIE) {
      ties ??= [{ candidate: winner, metres: best }];
      ties.push({ candidate: c, metres });
    }
    if (metres < best) {
      if (best - metres >= TIE) ties = null;
      best = metres;
      winner = c;
    }
  }
  if (winner < 0) return null;
  const tied = ties?.filter(tie => tie.metres - best < TIE) ?? [];
  if (tied.length > 1) {
    const key = (tie: { candidate: number }) => joinKeyOf(ctx, source, featureOf(candidates[tie.candidate]!));
    tied.sort((a, b) => byText(key(a), key(b)));
    if (key(tied[0]!) === key(tied[1]!)) return undefined;
    winner = tied[0]!.candidate;
    best = tied[0]!.metres;
  }
  const found = candidates[winner]!;
  return { hit: { feature: featureOf(found), partition: found.partition, metres: best }, candidate: winner };
}

const discAbout = memo((_chosen: Chosen, lng: number, lat: number, reach: number) => new Disc(lng, lat, reach));

/** A disc about the place that holds all that is measured from its points; null where it is too large for a plane. */
function discOf({ lng, lat, spread }: About, max: number, bound: number, chosen: Chosen): Disc | null {
  const reach = Math.min(max, bound) + spread;
  return reach > LOCAL ? null : discAbout(chosen, lng, lat, reach);
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

/** What the nearest feature is kept by in a request, a batch and a neighbourhood. */
export const nearKey = ({ source, where, max }: Wanted): string =>
  `near ${source.dataset}:${source.layer} ${max} ${keyOf(where)}`;

/** What a neighbourhood keeps of candidates that the nearest is chosen from. */
const MANY = 48;

/**
 * The nearest feature of a request's point from those about its neighbourhood, as nearestFeature finds it; undefined where
 * that has to search.
 * @throws Fault or DamagedFile as nearestFeature does.
 */
function nearestAround(ctx: Context, wanted: Wanted, search: Search): MaybePromise<NearestHit | null | undefined> {
  const neighbourhood = Neighbourhood.of(ctx);
  if (!neighbourhood) return undefined;
  const shared = neighbourhood.shared<Chosen>(ctx, search, nearKey(wanted), async () => {
    const found = await candidatesAbout(ctx, neighbourhood, wanted, search);
    if (!found || found.candidates.length > MANY) return { value: null, files: [], bytes: 0 };
    const { files, least } = found;
    const value = { candidates: found.candidates.toSorted((a, b) => a.metres - b.metres), least };
    return { value, files, bytes: 200 + value.candidates.reduce((sum, c) => sum + 250 + weigh(c), 0) };
  });
  return after<Chosen | null, NearestHit | null | undefined>(shared, chosen => {
    const found = chosen ? choose(ctx, neighbourhood, wanted, chosen) : undefined;
    return found === undefined ? undefined : (found?.hit ?? null);
  });
}

const weigh = ({ near }: Candidate): number => (near ? near.boxes.byteLength * 1.3 : 0);

/** As nearestFeature, found once a request for equal conditions and reach: distance and attributes of one feature. */
export function nearestOnce(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  maxMetres: number,
): MaybePromise<NearestHit | null> {
  const wanted = { source, where, max: maxMetres };
  return ctx.memo(nearKey(wanted), () =>
    after<NearestHit | null | undefined, NearestHit | null>(nearestAround(ctx, wanted, search), around =>
      around === undefined ? nearestFeature(ctx, source, search, where, maxMetres) : around,
    ),
  );
}
