import type { Box } from '../datasets/geometry.ts';
import type { Place, PlaceLayer } from '../datasets/place.ts';
import type { IngestCount } from '../datasets/release.ts';
import type { Reject } from './rejects.ts';
import type { StagedFile } from './store.ts';

/** One layer of a place to build; plain data, so that it can be sent to a worker. */
export interface LayerJob {
  readonly place: Omit<Place, 'layers'>;
  readonly layer: PlaceLayer;
  /** Folder of the published files. */
  readonly sources: string;
  /** Folder of its own for the files it writes. */
  readonly folder: string;
  /** YYYY-MM-DD that `@today` stands for. */
  readonly asOf: string;
  /** Of a parcel layer: FlatGeobuf of the same county and place in the release before. */
  readonly previousParcels?: string | null;
}

/** One partition whose files are staged but not yet in the store. */
export interface StagedPartition {
  readonly key: string;
  readonly place: string;
  readonly rows: number;
  readonly box: Box | null;
  readonly files: readonly StagedFile[];
  readonly coverage: 'polygon' | 'extent' | 'everywhere';
}

export interface LayerResult {
  readonly partitions: readonly StagedPartition[];
  readonly columns: readonly string[];
  readonly count: IngestCount;
  /** The first rejected or repaired rows. */
  readonly samples: readonly Reject[];
}

/** A layer that cannot be built: the whole run stops and publishes nothing. */
export class LayerError extends Error {
  override readonly name = 'LayerError';
}
