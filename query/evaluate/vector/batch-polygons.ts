import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsHolding } from '../../release/partitions-about.ts';
import { type Batch, type Context, keyOf } from '../context.ts';
import { meeting } from './containing.ts';
import { addFound, type NearPolygons, polygonsAbout } from './near-polygons.ts';
import { type Found, type Hit, inKey, type Search } from './vector-search.ts';

/**
 * The polygons of a layer that meet one condition and contain the point at a place of the batch; one array for all points
 * that the same ones contain.
 * @throws (or rejects) Fault or DamagedFile as `containing` does.
 */
type MeetingPolygons = (place: number, search: Search) => MaybePromise<readonly Hit[]>;

/**
 * The polygons that contain each point of a batch, as containing.ts finds them point by point. One R-tree search of the
 * batch's box finds the candidates; a polygon whose boundary does not pass through that box holds all points or none.
 */
export class BatchPolygons {
  readonly #batch: Batch;
  readonly #near = new Map<Partition, NearPolygons>();
  /** By place in the batch, once asked. */
  readonly #found: (MaybePromise<readonly Found[]> | undefined)[] = [];
  /** What was found of the point before: neighbours mostly are in the same polygons. */
  #last: readonly Found[] = [];

  private constructor(batch: Batch) {
    this.#batch = batch;
  }

  /** One for all fields of the batch that read the layer. */
  static of(batch: Batch, source: SourceRef): Promise<BatchPolygons> {
    return batch.memo(inKey(source), async () => new BatchPolygons(batch));
  }

  /** The polygons that meet a condition, for all fields of the batch that read the layer under it. */
  static async meeting(batch: Batch, source: SourceRef, where: Condition | null): Promise<MeetingPolygons> {
    const polygons = await BatchPolygons.of(batch, source);
    return batch.memo(`${inKey(source)} ${keyOf(where)}`, async () => {
      const cached = new Map<readonly Found[], readonly Hit[]>();
      return (place, search) =>
        after(polygons.all(place, search), found => {
          const hits = cached.get(found) ?? meeting(batch.contexts[place]!, source, search, where, found);
          cached.set(found, hits);
          return hits;
        });
    });
  }

  /** Features that contain the point at a place of the batch, whatever else. @throws (or rejects) as MeetingPolygons. */
  all(place: number, search: Search): MaybePromise<readonly Found[]> {
    const cached = this.#found[place];
    if (cached) return cached;
    const found = this.#find(this.#batch.contexts[place]!, search);
    this.#found[place] = found;
    if ('then' in found)
      found.then(
        all => {
          this.#found[place] = all;
        },
        () => {},
      );
    return found;
  }

  /** Waits only for files that no point before has opened. */
  #find({ point }: Context, search: Search): MaybePromise<readonly Found[]> {
    const { lng, lat } = point;
    const partitions = partitionsHolding(search.at.searched, lng, lat);
    const collect = (): readonly Found[] => {
      const all: Found[] = [];
      for (const partition of partitions) addFound(all, this.#near.get(partition)!, partition, lng, lat);
      const last = this.#last;
      if (all.length === last.length && all.every((found, i) => found === last[i])) return last;
      this.#last = all;
      return all;
    };
    const closed = partitions.filter(partition => !this.#near.has(partition));
    if (!closed.length) return collect();
    return (async () => {
      for (const partition of closed) await this.#open(partition);
      return collect();
    })();
  }

  async #open(partition: Partition): Promise<void> {
    const { layers, box } = this.#batch;
    const features = await layers.features(partition);
    this.#near.set(partition, polygonsAbout(features, partition, box));
  }
}
