import type { Box } from '../../../datasets/geometry.ts';
import type { MapLayerId } from '../../../datasets/map-layers.ts';
import type { Manifest } from '../../../datasets/release.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';

/** A ground of a map layer whose tiles are to be drawn into one archive; plain data, so that it can be sent to a worker. */
export interface ArchiveJob {
  readonly map: MapLayerId;
  /** PLAT_HOME. */
  readonly home: string;
  /** The release that is drawn, published or about to be; of it only what the map layer shows of the ground. */
  readonly manifest: Manifest;
  /** The file to write. */
  readonly path: string;
  /** An earlier archive that was drawn alike: tiles beyond these boxes (lng,lat degrees) are as they were. */
  readonly before: { readonly path: string; readonly changed: readonly Box[] } | null;
}

/** What came of it: the archive, or why there is none. */
export interface ArchiveResult {
  readonly file: StagedFile | null;
  readonly problem: string | null;
  /** Tiles that were drawn; the others are those of the earlier archive. */
  readonly drawn: number;
  /** Features too large for tiles of every zoom: deep ones show them only where others lie. */
  readonly large: number;
}
