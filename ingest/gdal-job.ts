import type { RasterAnswer, RasterJob } from './raster/raster-info.ts';

/** A dataset to read with GDAL, and the folder for its conversion. Every job is plain data, because it is sent to a thread. */
export interface GdalConversion {
  readonly path: string;
  /** Path of the dataset inside the zip at `path`; null when `path` is no zip. Empty: the dataset is the zip's root. */
  readonly member: string | null;
  /** The one driver of GDAL that may open the dataset: a stranger's file does not choose what reads it. */
  readonly driver: string;
  /** Names of further files of the dataset beside `path`. GDAL sees no other file of that folder. */
  readonly beside?: readonly string[];
  /** Open options of the driver. */
  readonly open?: readonly string[];
  /** An existing folder; the conversion is written to `layer.fgb` in it. */
  readonly folder: string;
  /** A layer of features; null: the only one. */
  readonly take: { readonly layer: string | null };
}

/** A dataset to make from a virtual one: of layers by ogr2ogr, or of a raster by gdal_translate. */
export interface GdalCreation {
  /** Folder that holds the virtual dataset and the files it names; it gets what is made. */
  readonly folder: string;
  /** Name of the virtual dataset in that folder. */
  readonly virtual: string;
  readonly isRaster?: true;
  /** Name of what is made, without the ending of its format. */
  readonly name: string;
  /** Arguments of the program, with the format. */
  readonly args: readonly string[];
}

/** A question for the database of PROJ, a file of SQLite. */
export interface DatabaseQuestion {
  readonly database: true;
}

/**
 * A question about coordinate reference systems for PROJ. The texts are codes, WKT, PROJJSON or proj strings: what one
 * describes, or x,y pairs to transform; or for the database of all systems that PROJ knows.
 */
export type CrsQuestion =
  | { readonly describe: string }
  | DatabaseQuestion
  | { readonly from: string; readonly to: string; readonly xy: Float64Array };

/** A CRS as PROJ understands it: WKT 2, and a proj string where one can express it. */
export interface CrsDescription {
  readonly wkt: string;
  readonly definition: string | null;
}

/** The description (null: PROJ cannot read it), the transformed pairs (NaN beyond the transformation), or why there are none. */
export type CrsAnswer =
  | { readonly description: CrsDescription | null }
  | { readonly xy: Float64Array }
  | { readonly database: Uint8Array }
  | { readonly refusal: string };

export type GdalJob = GdalConversion | GdalCreation | RasterJob;

/** A layer in the listing of GDAL. */
export interface GdalLayer {
  readonly name: string;
  readonly count: number;
  /** Name of the identifier column that GDAL keeps apart from the others, null when it has none. */
  readonly fid: string | null;
  readonly geometry: boolean;
  /** WKT 2 of its CRS; null where GDAL knows none. */
  readonly crs?: string | null;
  /** Two corners in its CRS: x, y, x, y. */
  readonly extent?: readonly number[];
  /** A raster of a geodatabase, which lists its outline as a feature. */
  readonly isRaster?: true;
}

/** The layers that were read or written, what was asked of a raster, or the error of GDAL. */
export type GdalAnswer =
  | { readonly layers: readonly GdalLayer[]; readonly raster?: RasterAnswer }
  | { readonly error: string };

/** Returns the layer to convert: the named one, or the only one (with rows); undefined when there is no such layer. */
export function chosenLayer(all: readonly GdalLayer[], layer: string | null): GdalLayer | undefined {
  const layers = all.filter(({ isRaster }) => !isRaster);
  if (layer !== null) return layers.find(l => l.name === layer);
  if (layers.length === 1) return layers[0];
  const filled = layers.filter(l => l.count !== 0);
  return filled.length === 1 ? filled[0] : undefined;
}

/** The tables in which a geodatabase keeps the blocks, bands and statistics of a raster, by the raster's name. */
const RASTER_TABLE = /^fras_(?:ras|aux|blk|bnd)_(.+)$/;

/** Returns the layers of a geodatabase without the tables of its rasters, whose outlines are marked. */
export function rastersMarked(layers: readonly GdalLayer[]): GdalLayer[] {
  const rasters = new Set(layers.flatMap(({ name }) => /^fras_ras_(.+)$/.exec(name)?.[1] ?? []));
  return layers
    .filter(({ name }) => !rasters.has(RASTER_TABLE.exec(name)?.[1] ?? ''))
    .map(layer => (rasters.has(layer.name) ? { ...layer, isRaster: true } : layer));
}

/** Reads the layers from the text of `ogrinfo -so -al`; JSON output exists only since GDAL 3.7. */
export function layersOfListing(text: string): GdalLayer[] {
  return text
    .split(/^Layer name: /m)
    .slice(1)
    .map(part => ({
      name: part.slice(0, part.indexOf('\n')).trim(),
      count: Number(/^Feature Count: (\d+)/m.exec(part)?.[1] ?? NaN),
      fid: /^FID Column = (.+)$/m.exec(part)?.[1]?.trim() ?? null,
      geometry: !/^Geometry: None/m.test(part),
    }));
}

/**
 * Arguments of ogr2ogr that convert a layer to unindexed FlatGeobuf (rows stay in file order) in its own CRS: curves
 * become lines, Z and M are dropped, and the identifier becomes a column of its own.
 */
export function conversionArgs(layer: GdalLayer): string[] {
  const geometry = layer.geometry ? ['-nlt', 'CONVERT_TO_LINEAR', '-dim', 'XY'] : ['-nlt', 'NONE'];
  const quote = (name: string) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const fid = layer.fid === null ? '' : `FID AS ${quote(layer.fid)}, `;
  return [
    '-f',
    'FlatGeobuf',
    '-lco',
    // Without an index, GDAL writes not even a header for a layer without rows.
    `SPATIAL_INDEX=${layer.count === 0 ? 'YES' : 'NO'}`,
    ...geometry,
    // FlatGeobuf has no lists.
    '-mapFieldType',
    ['String', 'Integer', 'Integer64', 'Real'].map(type => `${type}List=String`).join(),
    '-dialect',
    'OGRSQL',
    '-sql',
    `SELECT ${fid}* FROM ${quote(layer.name)}`,
  ];
}
