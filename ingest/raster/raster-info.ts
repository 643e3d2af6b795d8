import type { GeoKeys } from '../../query/format/cog.ts';
import type { GeoTransform } from '../../query/format/tiff-tags.ts';

/** What a published raster says of a band. */
export interface BandInfo {
  /** Type of GDAL, such as `Byte` or `Float32`. */
  readonly type: string;
  /** Value = stored number × scale + offset, in `unit`. */
  readonly scale: number;
  readonly offset: number;
  readonly unit: string | null;
  /** Stored number that means no data; null if none is named, or NaN. */
  readonly nodata: number | null;
  /** Whether a mask or a band of opacity says where there is data. */
  readonly isMasked: boolean;
}

/** What a published raster says of itself. */
export interface RasterInfo {
  readonly width: number;
  readonly height: number;
  readonly transform: GeoTransform;
  readonly bands: readonly BandInfo[];
}

/** Whole columns and rows of a published raster. */
export interface RasterWindow {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/**
 * What is asked of a GeoTIFF, or of a CRS, in the thread of GDAL. The raster stays open until `close` or another one is opened. GDAL
 * sees the file and those `beside` it by their names, and no others.
 */
export type RasterJob =
  | { readonly raster: string; readonly ask: 'close' }
  | { readonly raster: string; readonly beside: readonly string[]; readonly ask: 'open' }
  | { readonly raster: string; readonly beside: readonly string[]; readonly ask: RasterWindow; readonly band: number }
  /** The CRS as WKT, `EPSG:n` or a proj string. */
  | { readonly raster: null; readonly ask: { readonly crs: string } };

/** An opened raster, with what the file names besides its cells. */
export interface RasterListing extends Omit<RasterInfo, 'transform'> {
  readonly transform: RasterInfo['transform'] | null;
  /** `EPSG:n`, else WKT 2; null when the file names none. */
  readonly crs: string | null;
  /** Columns and rows of the blocks of the file. */
  readonly block: readonly [number, number];
  /** Whether only ground control points say where it lies. */
  readonly hasPoints: boolean;
  /** Number of rasters in the file. */
  readonly rasters: number;
}

/** The answer, or what GDAL says against it: the thread can go on. */
export type RasterAnswer =
  | { readonly opened: RasterListing }
  /** Row by row from the top; NaN where there is no data. */
  | { readonly values: Float64Array }
  | { readonly keys: GeoKeys }
  | { readonly closed: true }
  | { readonly refused: string };

/** The CRS of a raster, as it is stored. */
export interface StoredCrs {
  /** Definition by which a place is found on the grid: as CogHeader.crs. */
  readonly text: string;
  /** The same CRS for other programs, which read GeoTIFF. */
  readonly keys: GeoKeys;
}
