import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import { boxesAbout } from '../../geometry/boxes-about.ts';
import { boundaryDistance, type NearChains, nearChains } from '../../geometry/feature-distance.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { Interrupted } from '../../release/fault.ts';
import type { Features } from '../../release/features.ts';
import type { PartitionSet } from '../../release/lists/partition-set.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import type { Batch, Context } from '../context.ts';
import { type About, PointGroup } from '../point-group.ts';
import { allContaining } from '../vector/containing.ts';
import { type Found, searchAt } from '../vector/vector-search.ts';
import { EdgeWalk, type NearShape } from './edge-walk.ts';

/** What boundaryDistance may be off, as a share of the distance and in metres, twice as much. */
const [SHARE, METRES] = [2e-6, 0.2];
/** Chains of a boundary from which on it pays to leave out the far ones. */
const LONG = 8;
/** More polygons than this about several points are searched by the R-tree, point by point. */
const MANY = 4096;

/** A polygon whose box comes near the points about a place. */
interface Candidate {
  readonly partition: Partition;
  readonly features: Features;
  readonly index: number;
  /** The chains that come near; null for all, false where none does, undefined while nobody asked. */
  near: NearChains | null | false | undefined;
}

/** Ground beside an edge: how far from the point it is, and the polygons that hold it. */
export interface Ground {
  readonly metres: number;
  readonly found: readonly Found[];
}

/** Ground about a point beside the edges of a layer's polygons, the nearest first. */
export interface Grounds {
  /** By place in that order; null beyond the last within the reach. */
  at(place: number): Ground | null;
}

/** No edge comes near. */
const NONE: Grounds = { at: () => null };

const meets = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a[0]! <= b[2]! && a[2]! >= b[0]! && a[1]! <= b[3]! && a[3]! >= b[1]!;

/** The polygons of a layer about a place: those whose edges matter to points no farther than its spread. */
class Surroundings {
  readonly #about: About;
  readonly #reach: number;
  readonly #candidates: readonly Candidate[];
  readonly #boxes: Float64Array;

  private constructor(about: About, reach: number, candidates: readonly Candidate[]) {
    [this.#about, this.#reach, this.#candidates] = [about, reach, candidates];
    this.#boxes = new Float64Array(candidates.length * 4);
    for (const [i, { features, index }] of candidates.entries()) this.#boxes.set(features.file.box(index), i * 4);
  }

  /**
   * @param partitions in the order in which their features are told.
   * @param reach metres from a point up to which edges matter.
   * @returns null where there are too many.
   * @throws Fault or DamagedFile when a file that is needed is missing or unreadable.
   */
  static about(ctx: Context, about: About, partitions: PartitionSet, reach: number): MaybePromise<Surroundings | null> {
    const { lng, lat, spread } = about;
    const wide = reach + spread;
    const near = partitionsNear(partitions, lng, lat, wide);
    return after(ctx.layers.allFeatures(near), all => {
      const candidates: Candidate[] = [];
      const boxes = boxesAbout(lng, lat, wide);
      for (const [i, features] of all.entries()) {
        const seen = new Set<number>();
        for (const box of boxes)
          features.file.search(box, index => {
            seen.add(index);
            return spread === 0 || seen.size <= MANY;
          });
        if (spread > 0 && seen.size > MANY) return null;
        for (const index of [...seen].sort((a, b) => a - b))
          candidates.push({ partition: near[i]!, features, index, near: undefined });
      }
      return new Surroundings(about, reach, candidates);
    });
  }

  /** @param hits those of the layer that hold the point. @throws DamagedFile when a feature cannot be decoded. */
  at(lng: number, lat: number, hits: readonly Found[]): Grounds {
    const boxes = boxesAbout(lng, lat, this.#reach);
    const shapes: (NearShape & { readonly found: Found })[] = [];
    const all = this.#boxes;
    const [[west, south, east, north]] = boxes;
    for (let i = 0; i < this.#candidates.length; i++) {
      const at = i * 4;
      if (south > all[at + 3]! || north < all[at + 1]!) continue;
      // Boxes are compared in place: most of a batch's candidates are far from most of its points.
      if ((west > all[at + 2]! || east < all[at]!) && !(boxes[1] && meets(boxes[1], all.subarray(at, at + 4))))
        continue;
      const box = all.subarray(at, at + 4);
      const candidate = this.#candidates[i]!;
      const near = this.#nearOf(candidate);
      if (near === false) continue;
      const { features, index, partition } = candidate;
      const feature = features.feature(index);
      shapes.push({ geometry: feature.geometry, near, box, found: { hit: { feature, partition }, features } });
    }
    if (!shapes.length) return NONE;
    const walk = new EdgeWalk(shapes, lng, lat, this.#reach);
    const places = new Map(shapes.map(({ found }, i) => [found.hit.feature, i]));
    const grounds: Ground[] = [];
    return {
      at(place) {
        for (let i = grounds.length; i <= place; i++) {
          const beside = walk.at(i);
          if (!beside) return null;
          const { metres, holding } = beside;
          const rest = new Set(holding);
          const stay = hits.filter(({ hit }) => {
            const at = places.get(hit.feature);
            return at === undefined || rest.delete(at);
          });
          grounds.push({ metres, found: [...stay, ...[...rest].map(at => shapes[at]!.found)] });
        }
        return grounds[place]!;
      },
    };
  }

  #nearOf(candidate: Candidate): NearChains | null | false {
    if (candidate.near === undefined) {
      const { geometry } = candidate.features.feature(candidate.index);
      const { lng, lat, spread } = this.#about;
      const wide = (this.#reach + spread) * (1 + SHARE) + METRES;
      if (boundaryDistance(geometry, lng, lat, wide) > wide) candidate.near = false;
      else candidate.near = geometry.xy.length > LONG * 64 ? nearChains(geometry, null, lng, lat, wide) : null;
    }
    return candidate.near;
  }
}

/**
 * The ground beside the edges about the request's point, found once a request for all fields of the layer.
 * @param reach metres. @throws Fault or DamagedFile when a file that is needed is missing or unreadable.
 */
export function groundsAt(ctx: Context, source: SourceRef, at: LayerAt, reach: number): MaybePromise<Grounds> {
  const { lng, lat } = ctx.point;
  return ctx.memo(`about ${source.dataset}:${source.layer} ${reach}`, () => {
    const search = searchAt(at, source, null);
    return after(allContaining(ctx, source, search), hits =>
      after(Surroundings.about(ctx, { lng, lat, spread: 0 }, search.at.searched, reach), around =>
        around!.at(lng, lat, hits),
      ),
    );
  });
}

/** The same at the points of a batch, found once for all fields of the layer. */
export class GroundsOfBatch {
  readonly #batch: Batch;
  readonly #source: SourceRef;
  readonly #reach: number;
  readonly #group: PointGroup;
  readonly #around = new Map<LayerAt, MaybePromise<Surroundings | null>>();
  readonly #cached: (Grounds | undefined)[] = [];

  private constructor(batch: Batch, source: SourceRef, reach: number, group: PointGroup) {
    [this.#batch, this.#source, this.#reach, this.#group] = [batch, source, reach, group];
  }

  /** By reach. */
  static of(batch: Batch, source: SourceRef): Promise<(reach: number) => GroundsOfBatch> {
    return batch.memo(`about ${source.dataset}:${source.layer}`, async () => {
      const group = await PointGroup.of(batch);
      const ofReach = new Map<number, GroundsOfBatch>();
      return reach => {
        const grounds = ofReach.get(reach) ?? new GroundsOfBatch(batch, source, reach, group);
        ofReach.set(reach, grounds);
        return grounds;
      };
    });
  }

  /**
   * @param hits those of the layer that hold the point at a place of the batch.
   * @throws (or rejects) Fault or DamagedFile as `groundsAt` does.
   */
  at(place: number, at: LayerAt, hits: MaybePromise<readonly Found[]>): MaybePromise<Grounds> {
    const cached = this.#cached[place];
    if (cached) return cached;
    const ctx = this.#batch.contexts[place]!;
    const { lng, lat } = ctx.point;
    const keep = (grounds: Grounds): Grounds => {
      this.#cached[place] = grounds;
      return grounds;
    };
    return after(hits, found =>
      after(this.#aboutAll(ctx, at), (around): MaybePromise<Grounds> => {
        if (around) return keep(around.at(lng, lat, found));
        const search = searchAt(at, this.#source, null);
        return after(Surroundings.about(ctx, { lng, lat, spread: 0 }, search.at.searched, this.#reach), alone =>
          keep(alone!.at(lng, lat, found)),
        );
      }),
    );
  }

  /** What is about all places; null where each is asked alone: there are too many, or a file that not every place needs is damaged. */
  #aboutAll(ctx: Context, at: LayerAt): MaybePromise<Surroundings | null> {
    let around = this.#around.get(at);
    if (around === undefined) {
      around = orNone(() => Surroundings.about(ctx, this.#group, at.searched, this.#reach));
      this.#around.set(at, around);
      if (around instanceof Promise)
        around.then(
          one => this.#around.set(at, one),
          () => {},
        );
    }
    return around;
  }
}

/** @throws Interrupted alone. */
function orNone<T>(read: () => MaybePromise<T | null>): MaybePromise<T | null> {
  const none = (error: unknown) => {
    if (error instanceof Interrupted) throw error;
    return null;
  };
  try {
    const value = read();
    return value instanceof Promise ? value.catch(none) : value;
  } catch (error) {
    return none(error);
  }
}
