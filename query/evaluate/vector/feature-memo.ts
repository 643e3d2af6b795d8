import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { Context } from '../context.ts';

/** Something about each feature of a file, worked out when first asked for and kept as long as the cache holds it. */
export class FeatureMemo<T> {
  readonly #values: (T | undefined)[];
  constructor(count: number) {
    this.#values = new Array<T | undefined>(count);
  }
  of(feature: number, work: (feature: number) => T): T {
    let value = this.#values[feature];
    if (value === undefined) {
      value = work(feature);
      this.#values[feature] = value;
    }
    return value;
  }
}

/** What is known of a kind about the features of a partition's file, in this worker. */
export function featureMemoOf<T>(ctx: Context, partition: Partition, count: number, what: string): FeatureMemo<T> {
  const { cache } = ctx.layers;
  const key = keyOf(partition, ctx.layers.idOf(ctx.layers.file(partition, 'features')), what);
  let cached = cache.get(key) as FeatureMemo<T> | undefined;
  if (!cached) {
    cached = new FeatureMemo<T>(count);
    cache.set(key, cached, 100 + count * 8);
  }
  return cached;
}

const keysOf = memo((_partition: Partition) => new Map<string, { readonly id: string; readonly key: string }>());

/** What the cache keeps it by: a long text, made once as long as the file is what it was. */
function keyOf(partition: Partition, id: string, what: string): string {
  const ofPartition = keysOf(partition);
  let cached = ofPartition.get(what);
  if (cached?.id !== id) {
    cached = { id, key: `${id} known ${what}` };
    ofPartition.set(what, cached);
  }
  return cached.key;
}
