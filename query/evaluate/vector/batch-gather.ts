import { OUTSIDE, WITHIN } from '../../geometry/disc/disc.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { Interrupted } from '../../release/fault.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import type { Batch } from '../context.ts';
import { PointGroup } from '../point-group.ts';
import { coverageOf } from './batch-search.ts';
import { CentreBound } from './centre-bound.ts';
import { discsAbout, type Gathering, gatherAlone, gatherKey, partsAbout } from './gather-about.ts';
import { type Gathered, gatheredAt, merged, type Part, type Shared, sharedOf } from './gathered.ts';
import { type Search, searchAt } from './vector-search.ts';

/** Features that each point of a group asks about, and points of a group, below which it is not halved. */
const [RIM, POINTS] = [24, 8];

/** The features that meet a condition and lie within a disc about each point of a batch, as gatherAt finds them. */
export class BatchGather {
  readonly #batch: Batch;
  readonly #gathering: Gathering;
  #centreBound: CentreBound | null = null;
  /** By place; undefined where a point gathers on its own. */
  readonly #shared: (Shared | undefined)[];

  private constructor(batch: Batch, gathering: Gathering) {
    this.#batch = batch;
    this.#gathering = gathering;
    this.#shared = new Array(batch.contexts.length);
  }

  /** One for all fields of the batch that ask the same. */
  static of(batch: Batch, gathering: Gathering): Promise<BatchGather> {
    return batch.memo(gatherKey(gathering), async () => {
      const gather = new BatchGather(batch, gathering);
      gather.#centreBound = await CentreBound.ofBatch(batch, gathering.radius);
      const ats = await coverageOf(batch, gathering.source);
      const [at] = ats;
      if (at && !('status' in at) && ats.every(other => other === at)) await gather.#together(at);
      return gather;
    });
  }

  /**
   * What lies within the disc about the point at a place of the batch; points that have the same may get the same array.
   * @throws (or rejects) Fault or DamagedFile as partsAbout does.
   */
  at(place: number, search: Search): MaybePromise<readonly Gathered[]> {
    const ctx = this.#batch.contexts[place]!;
    const shared = this.#shared[place];
    if (!shared) return gatherAlone(ctx, this.#gathering, search, this.#centreBound);
    return gatheredAt(shared, ctx.point.lng, ctx.point.lat, this.#gathering.radius);
  }

  async #together(at: LayerAt): Promise<void> {
    try {
      const { source, where, columns } = this.#gathering;
      const search = searchAt(at, source, where, columns);
      if (!search.absent) await this.#group(await PointGroup.of(this.#batch), search, null);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // What fails concerns some points only: which, their own searches tell.
    }
  }

  async #group(group: PointGroup, search: Search, from: readonly Part[] | null): Promise<void> {
    this.#batch.check();
    const parts = from
      ? from.map(part => this.#closer(part, group))
      : (await partsAbout(this.#batch.contexts[0]!, group, this.#gathering, search, this.#centreBound)).parts;
    const open = parts.reduce((sum, part) => sum + part.rim.length, 0);
    if (open > RIM && group.size > POINTS) for (const half of group.halves()) await this.#group(half, search, parts);
    else {
      const shared = sharedOf(parts);
      for (let i = group.start; i < group.end; i++) this.#shared[i] = shared;
    }
  }

  /** What of a larger group's rim a smaller group's points have to decide. */
  #closer(part: Part, group: PointGroup): Part {
    const { outer, within } = discsAbout(group, this.#gathering.radius);
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
    return { ...part, count, sure: this.#gathering.listed ? merged(part.sure, sure) : [], rim, leaves };
  }
}
