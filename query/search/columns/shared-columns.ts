import { OWNER_COLUMNS } from '../../../datasets/parcel/owner-columns.ts';
import type { Partition } from '../../../datasets/release.ts';
import { DamagedFile } from '../../format/damaged-file.ts';
import { FeatureFile } from '../../format/flatgeobuf.ts';
import type { SharedTree } from '../../format/packed-rtree.ts';
import type { Cache } from '../../release/cache.ts';
import { bytesOf, Features } from '../../release/features.ts';
import type { Layers } from '../../release/layers.ts';
import { OpenFile, openKey } from '../../release/open-file.ts';
import type { Verified } from '../../release/verified-file.ts';
import type { HeldColumn } from './held-column.ts';

/** What a worker holds in memory that threads share, on its way to another thread: nothing of it is copied. */
export interface SharedColumns {
  /** By the keys that caches know them by. */
  readonly columns: Map<string, HeldColumn>;
  readonly features: SharedFeatures[];
}

interface SharedFeatures {
  readonly key: string;
  readonly at: Pick<Verified, 'path' | 'stamp' | 'id'>;
  readonly tree: SharedTree;
  /** Rows whose owners are withheld, by 1. */
  readonly withheld: Uint8Array | null;
  readonly corrected: FeatureFile['corrected'];
}

/** An open file of parcels in the form in which it is handed to another thread. */
export function sharedFeatures({ file }: Features, layers: Layers, partition: Partition): SharedFeatures {
  const of = layers.file(partition, 'features');
  const { path, stamp, id } = layers.verified(of) as Verified;
  const { corrected, withheldRows: withheld } = file;
  return { key: openKey(of), at: { path, stamp, id }, tree: file.index.shared, withheld, corrected };
}

/** Distinct values up to which a column is handed over: they are copied. */
const MOST_CODES = 1024;

/** Whether a column can be given to another thread at little cost. */
export const isShareable = (column: HeldColumn): boolean =>
  column.form !== 'codes' || column.dictionary.length <= MOST_CODES;

/**
 * Takes over what was handed. A file that was changed meanwhile is opened under the stamp it was read under, so that
 * nobody finds it sound; one that is gone is left out.
 * @throws Error of the file system when a file that is there cannot be opened.
 */
export function takeOver({ columns, features }: SharedColumns, cache: Cache): void {
  for (const [key, column] of columns) cache.set(key, column, column.bytes);
  for (const { key, at, tree, withheld, corrected } of features) {
    if ((cache.get(key) as OpenFile<Features> | undefined)?.stamp === at.stamp) continue;
    try {
      const file = new FeatureFile(at.path, tree);
      if (withheld) file.withhold(withheld, OWNER_COLUMNS);
      file.corrected = corrected;
      cache.set(key, new OpenFile(at.stamp, new Features(file, at.id, cache)), bytesOf(file));
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
    }
  }
}
