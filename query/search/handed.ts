import type { Partition } from '../../datasets/release.ts';
import type { Cache } from '../cache.ts';
import { DamagedFile } from '../damage.ts';
import { bytesOf, Features } from '../features.ts';
import { FeatureFile } from '../flatgeobuf.ts';
import type { Layers } from '../layer.ts';
import { Opened, openKey } from '../opened.ts';
import type { SharedTree } from '../packed-rtree.ts';
import type { Verified } from '../verified-file.ts';
import type { HeldColumn } from './held-column.ts';

/** What a worker holds in memory that threads share, on its way to another thread: nothing of it is copied. */
export interface Handed {
  /** By the keys that caches know them by. */
  readonly columns: Map<string, HeldColumn>;
  readonly features: HandedFeatures[];
}

interface HandedFeatures {
  readonly key: string;
  readonly at: Pick<Verified, 'path' | 'stamp' | 'id'>;
  readonly tree: SharedTree;
}

/** An opened file of parcels as it is handed over. */
export function handedFeatures({ file }: Features, layers: Layers, partition: Partition): HandedFeatures {
  const of = layers.file(partition, 'features');
  const { path, stamp, id } = layers.verified(of) as Verified;
  return { key: openKey(of), at: { path, stamp, id }, tree: file.index.shared };
}

/** Distinct values up to which a column is handed over: they are copied. */
const MOST_CODES = 1024;

/** Whether a column changes threads for little. */
export const isHandy = (column: HeldColumn): boolean =>
  column.form !== 'codes' || column.dictionary.length <= MOST_CODES;

/**
 * Takes over what was handed. A file that was changed meanwhile is opened under the stamp it was read under, so that
 * nobody finds it sound; one that is gone is left out.
 */
export function takeOver({ columns, features }: Handed, cache: Cache): void {
  for (const [key, column] of columns) cache.set(key, column, column.bytes);
  for (const { key, at, tree } of features) {
    if ((cache.get(key) as Opened<Features> | undefined)?.stamp === at.stamp) continue;
    try {
      const file = new FeatureFile(at.path, tree);
      cache.set(key, new Opened(at.stamp, new Features(file, at.id, cache)), bytesOf(file));
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
    }
  }
}
