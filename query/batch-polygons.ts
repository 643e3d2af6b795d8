import type { Condition } from '../datasets/condition.ts';
import type { SourceRef } from '../datasets/expression.ts';
import type { Partition } from '../datasets/release.ts';
import type { Batch } from './batch.ts';
import { holdsBox } from './batch-search.ts';
import { type Context, keyOf } from './context.ts';
import type { Features } from './layer.ts';
import { contains } from './polygon.ts';
import { type Found, type Hit, holds, inKey, meeting, type Search } from './vector.ts';

/** More polygons than this about a batch are searched by the R-tree, point by point. */
const FEW = 48;

/** What is known of one partition's polygons about a batch. */
interface Near {
  readonly features: Features;
  /** In file order; null where there are too many. */
  readonly candidates: readonly Candidate[] | null;
}

interface Candidate {
  readonly index: number;
  readonly box: Float64Array;
  /** Whether it holds every point of the batch, or no point; null while that is to be asked. */
  holds: boolean | null;
  /** Null until it is needed, so that a damaged feature fails only the points it concerns. */
  found: Found | null;
}

/** The polygons of a layer that meet one condition, point by point: found once for all fields that ask for them. */
export interface MeetingPolygons {
  /**
   * The polygons that contain the point at a place of the batch; one array for all points that the same ones contain.
   * @throws (or rejects) Fault or DamagedFile as `containing` does.
   */
  at(place: number, search: Search): readonly Hit[] | Promise<readonly Hit[]>;
}

/**
 * The polygons that contain each point of a batch, as vector.ts finds them point by point. One R-tree search of the
 * batch's box finds the candidates; a polygon whose boundary does not pass through that box holds all points or none.
 */
export class BatchPolygons {
  readonly #batch: Batch;
  readonly #source: SourceRef;
  readonly #near = new Map<Partition, Near>();
  /** By place in the batch, once asked. */
  readonly #found: (readonly Found[] | Promise<readonly Found[]> | undefined)[] = [];
  /** What was found of the point before: neighbours mostly are in the same polygons. */
  #last: readonly Found[] = [];

  private constructor(batch: Batch, source: SourceRef) {
    this.#batch = batch;
    this.#source = source;
  }

  /** One for all fields of the batch that read the layer. */
  static of(batch: Batch, source: SourceRef): Promise<BatchPolygons> {
    return batch.memo(inKey(source), async () => new BatchPolygons(batch, source));
  }

  /**
   * Features that contain the point at a place of the batch and meet the condition, as `containing` finds them.
   * @throws (or rejects) Fault or DamagedFile as `containing` does.
   */
  at(place: number, search: Search, where: Condition | null): Hit[] | Promise<Hit[]> {
    const ctx = this.#batch.contexts[place]!;
    const found = this.#foundAt(place, ctx, search);
    if ('then' in found) return found.then(all => meeting(ctx, this.#source, search, where, all));
    return meeting(ctx, this.#source, search, where, found);
  }

  /** The polygons that meet a condition, for all fields of the batch that read the layer under it. */
  meeting(where: Condition | null): Promise<MeetingPolygons> {
    const source = this.#source;
    return this.#batch.memo(`${inKey(source)} ${keyOf(where)}`, async () => {
      const known = new Map<readonly Found[], readonly Hit[]>();
      const chosen = (ctx: Context, search: Search, found: readonly Found[]): readonly Hit[] => {
        let hits = known.get(found);
        if (!hits) {
          hits = meeting(ctx, source, search, where, found);
          known.set(found, hits);
        }
        return hits;
      };
      return {
        at: (place: number, search: Search) => {
          const ctx = this.#batch.contexts[place]!;
          const found = this.#foundAt(place, ctx, search);
          return 'then' in found ? found.then(all => chosen(ctx, search, all)) : chosen(ctx, search, found);
        },
      };
    });
  }

  #foundAt(place: number, ctx: Context, search: Search): readonly Found[] | Promise<readonly Found[]> {
    const known = this.#found[place];
    if (known) return known;
    const found = this.#find(ctx, search);
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
  #find({ point }: Context, search: Search): readonly Found[] | Promise<readonly Found[]> {
    const { lng, lat } = point;
    const partitions = search.at.searched.filter(partition => holds(partition, lng, lat));
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
    let candidates: Candidate[] | null = [];
    // A box that touches ±180 does not show that the two meridians are one.
    if (box[0] <= -180 || box[2] >= 180) candidates = null;
    else
      features.file.search(box, index => {
        if (candidates!.length === FEW) {
          candidates = null;
          return false;
        }
        candidates!.push({ index, box: Float64Array.from(features.file.box(index)), holds: null, found: null });
        return true;
      });
    for (const candidate of candidates ?? []) {
      const [west, south, east, north] = candidate.box as unknown as [number, number, number, number];
      // Only one that spans the batch is decoded now: every point would ask for it.
      if (west > box[0] || south > box[1] || east < box[2] || north < box[3]) continue;
      try {
        const feature = features.feature(candidate.index);
        candidate.holds = holdsBox(feature.geometry, box);
        candidate.found = { hit: { feature, partition }, features };
      } catch {
        candidate.holds = null;
      }
    }
    this.#near.set(partition, { features, candidates });
  }
}

/** Adds the polygons of a partition that contain a point, in file order. */
function addFound(out: Found[], { candidates, features }: Near, partition: Partition, lng: number, lat: number): void {
  if (!candidates) {
    for (const feature of features.containing(lng, lat)) out.push({ hit: { feature, partition }, features });
    return;
  }
  for (const candidate of candidates) {
    if (candidate.holds === false) continue;
    if (candidate.holds === null) {
      const { box } = candidate;
      if (lng < box[0]! || lng > box[2]! || lat < box[1]! || lat > box[3]!) continue;
      candidate.found ??= { hit: { feature: features.feature(candidate.index), partition }, features };
      if (!contains(candidate.found.hit.feature.geometry, lng, lat)) continue;
    }
    out.push(candidate.found!);
  }
}
