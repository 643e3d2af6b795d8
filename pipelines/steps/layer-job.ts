import type { Box } from '../../datasets/geometry.ts';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import type { IngestCount, Part } from '../../datasets/release.ts';
import type { StagedFile } from '../../query/release/home/store.ts';
import type { Examples } from './quality/measure.ts';
import type { Reject } from './rejected/reject.ts';

interface Job {
  readonly place: Omit<Place, 'layers'>;
  /** Folder of the published files. */
  readonly sources: string;
  /** Folder of its own for the files it writes. */
  readonly folder: string;
  /** YYYY-MM-DD that `@today` stands for. */
  readonly asOf: string;
  /** Box (lng,lat) of the county that the place file names, where the place has its outline. */
  readonly countyBox?: Box;
  /** Files that the place makes layers of: what they reject is counted there. */
  readonly mapped?: readonly string[];
  /** Of a trial: only every n-th row of the files is taken. */
  readonly every?: number;
}

/** One layer of a place to build; plain data, so that it can be sent to a worker. */
export interface LayerJob extends Job {
  readonly layer: PlaceLayer;
  /** Further files of the place that fill the same layer, where all of them make one thing: a road graph. */
  readonly also?: readonly PlaceLayer[];
}

/** The parcels of one county to build: all files that the place brings of it, and what it held of other places. */
export interface CountyJob extends Job {
  /** As of partitions. */
  readonly key: string;
  /** None where the place brings no parcels any more to a county that holds others'. */
  readonly layers: readonly PlaceLayer[];
  /** Of the release before; several files where it stored each file of a county by itself. */
  readonly before: readonly CountyBefore[];
}

/** A file of the county's parcels in the release before. */
export interface CountyBefore {
  /** FlatGeobuf. */
  readonly path: string;
  /** NDJSON of the keys that had ended; null where none had. */
  readonly ended: string | null;
  /** NDJSON that tells its stacked parcels apart; null where there were none. */
  readonly stacks: string | null;
  /** In the order of the column `part`. Those that are not kept are read anew, or gone. */
  readonly parts: readonly { readonly part: Part; readonly kept: boolean }[];
}

/** What one published file filled of a partition that several may fill. */
export interface StagedPart {
  /** Place in the job's layers; null where it is taken over from the release before. */
  readonly layer: number | null;
  /** Of the release before. */
  readonly kept: Part | null;
  readonly place: string;
  readonly rows: number;
  readonly box: Box | null;
  readonly files: readonly StagedFile[];
  readonly coverage: 'polygon' | 'extent' | 'everywhere';
}

/** One partition whose files are staged but not yet in the store. */
export interface StagedPartition {
  readonly key: string;
  readonly place: string;
  readonly rows: number;
  readonly box: Box | null;
  readonly files: readonly StagedFile[];
  readonly coverage: 'polygon' | 'extent' | 'everywhere';
  /** Of parcels, one or more; `files` are then those that they share. */
  readonly parts?: readonly StagedPart[];
}

export interface LayerResult {
  readonly partitions: readonly StagedPartition[];
  readonly columns: readonly string[];
  /** One a layer. */
  readonly counts: readonly IngestCount[];
  /** The first rejected or repaired rows. */
  readonly samples: readonly Reject[];
  /** As many: rows and values that may be amiss. */
  readonly examples: readonly Examples[];
}

/** A layer that cannot be built: the whole run stops and publishes nothing. */
export class LayerError extends Error {
  override readonly name = 'LayerError';
}
