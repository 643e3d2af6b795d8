import type { MaybePromise } from '../../release/maybe-promise.ts';
import type { Batch } from '../context.ts';
import { BatchGather } from './batch-gather.ts';
import { doubtedOf } from './doubt.ts';
import type { Gathered } from './gathered.ts';
import type { Gathering } from './gather-about.ts';
import type { Search } from './vector-search.ts';

/** What lies within a disc: the features that meet the condition, and those of which that is not known. */
export interface DoubtedAt {
  readonly gathered: readonly Gathered[];
  readonly open: readonly Gathered[];
}

const NONE: readonly Gathered[] = [];

/** As BatchGather, with the features of which it is not known whether they meet the condition. */
export class DoubtedGather {
  readonly #near: BatchGather;
  readonly #open: BatchGather | null;

  private constructor(near: BatchGather, open: BatchGather | null) {
    this.#near = near;
    this.#open = open;
  }

  static async of(batch: Batch, gathering: Gathering): Promise<DoubtedGather> {
    const doubted = doubtedOf(gathering, batch.contexts[0]!);
    return new DoubtedGather(await BatchGather.of(batch, gathering), doubted && (await BatchGather.of(batch, doubted)));
  }

  /**
   * What lies within the disc about the point at a place of the batch; points that have the same may get the same arrays.
   * @throws (or rejects) Fault or DamagedFile as gather does.
   */
  at(place: number, search: Search): MaybePromise<DoubtedAt> {
    const gathered = this.#near.at(place, search);
    const open = this.#open ? this.#open.at(place, search) : NONE;
    if ('then' in gathered || 'then' in open)
      return Promise.all([gathered, open]).then(([met, unknown]) => ({ gathered: met, open: unknown }));
    return { gathered, open };
  }
}
