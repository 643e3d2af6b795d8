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
  const key = `${ctx.layers.idOf(ctx.layers.file(partition, 'features'))} known ${what}`;
  let cached = cache.get(key) as FeatureMemo<T> | undefined;
  if (!cached) {
    cached = new FeatureMemo<T>(count);
    cache.set(key, cached, 100 + count * 8);
  }
  return cached;
}
