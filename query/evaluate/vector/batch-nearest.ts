import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { distance } from '../../geometry/geodesic.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { Interrupted } from '../../release/fault.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import type { Batch, Context } from '../context.ts';
import { PointGroup } from '../point-group.ts';
import { coverageOf } from './batch-search.ts';
import {
  type Candidate,
  type Chosen,
  candidatesAbout,
  choose,
  closer,
  nearKey,
  type Wanted,
} from './nearest-candidates.ts';
import { type NearestHit, nearestFeature, type Search, searchAt } from './vector-search.ts';

/** What the search of a point ended with; undefined while it was not made. */
type Ended = { readonly hit: NearestHit | null } | { readonly error: unknown };

/** Points that share features, and features worth halving for, at least. */
const [POINTS, FEW] = [16, 8];

/**
 * The nearest feature of every point of a batch for one layer, condition and reach: the features about the middle of a run
 * of points that may be the nearest of any of them (triangle inequality) are found together, and halves of the run choose
 * from them until few are left. Points of different coverage are searched one by one, the point before bounding the next.
 */
export class NearestOfBatch {
  readonly #batch: Batch;
  readonly #wanted: Wanted;
  readonly #ended: (Ended | undefined)[];
  #last: { readonly place: number; readonly search: Search; readonly hit: NearestHit } | null = null;
  /** The middle asked last and its nearest, which bounds the next. */
  #ofCentre: { readonly group: PointGroup; readonly metres: number } | null = null;

  private constructor(batch: Batch, wanted: Wanted) {
    this.#batch = batch;
    this.#wanted = wanted;
    this.#ended = new Array(batch.contexts.length);
  }

  /** One for all fields of the batch that ask for the same layer, condition and reach in metres. */
  static of(batch: Batch, source: SourceRef, where: Condition | null, metres: number): Promise<NearestOfBatch> {
    const wanted: Wanted = { source, where, max: metres };
    return batch.memo(nearKey(wanted), async () => {
      const nearest = new NearestOfBatch(batch, wanted);
      const ats = await coverageOf(batch, source);
      const [at] = ats;
      if (at && !('status' in at) && ats.every(other => other === at)) await nearest.#together(at);
      return nearest;
    });
  }

  /**
   * The nearest feature of the point at a place of the batch, within the reach; null for none.
   * @throws (or rejects) Fault or DamagedFile as nearestFeature does.
   */
  at(place: number, search: Search): MaybePromise<NearestHit | null> {
    const ended = this.#ended[place];
    if (!ended) return this.#find(this.#batch.contexts[place]!, search, place);
    if ('error' in ended) throw ended.error;
    return ended.hit;
  }

  /** Finds the nearest of every point together; what cannot be found so is left to each point's own search. */
  async #together(at: LayerAt): Promise<void> {
    try {
      const search = searchAt(at, this.#wanted.source, this.#wanted.where);
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
      const { source, where, max } = this.#wanted;
      const hit = await nearestFeature(ctx, source, search, where, max, undefined, bound);
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
    const chosen = from ? closer(group, this.#wanted, from) : await this.#about(group, search);
    if (!chosen) {
      if (group.size <= POINTS) return;
      for (const half of group.halves()) await this.#group(half, search, null);
    } else if (chosen.candidates.length > FEW && group.size > POINTS) {
      for (const half of group.halves()) await this.#group(half, search, chosen.candidates);
    } else this.#answer(group, chosen);
  }

  /** The features about the middle of a group, whose nearest is bounded by that of the middle before. */
  async #about(group: PointGroup, search: Search): Promise<Chosen | null> {
    const before = this.#ofCentre;
    const bound = before
      ? before.metres + distance(before.group.lng, before.group.lat, group.lng, group.lat)
      : Infinity;
    const ctx = this.#batch.contexts[group.start]!;
    const chosen = await candidatesAbout(ctx, group, this.#wanted, search, bound);
    if (chosen && chosen.least < Infinity) this.#ofCentre = { group, metres: chosen.least };
    return chosen;
  }

  /** The nearest of every point of a group among its features. */
  #answer(group: PointGroup, chosen: Chosen): void {
    let first = 0;
    for (let i = group.start; i < group.end; i++) {
      const found = choose(this.#batch.contexts[i]!, group, this.#wanted, chosen, first);
      if (found === undefined) continue;
      this.#ended[i] = found ?? { hit: null };
      if (found) first = found.candidate;
    }
  }
}
