import { fromFile, type GeoTIFF, type GeoTIFFImage } from 'geotiff';
import { type GeoKeys, toProj4 } from 'geotiff-geokeys-to-proj4';
import proj4 from 'proj4';
import type { Cache } from './cache.ts';
import { Fault } from './fault.ts';

type Cells = ArrayLike<number> & { readonly byteLength: number };

/** Affine transform from pixel to CRS as GDAL writes it: x = g0 + col·g1 + row·g2, y = g3 + col·g4 + row·g5. */
type GeoTransform = readonly [number, number, number, number, number, number];

/** One opened GeoTIFF/COG, its full-resolution image. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Area of a cell in square CRS units: which of two overlapping rasters is finer. */
  readonly cellArea: number;
  /** Column and row, with fractions, of a lng,lat (WGS84); null outside the raster's cells. */
  locate(lng: number, lat: number): readonly [number, number] | null;
  /** @returns the cell's value; null where the file says no data. @throws Fault when its block cannot be read. */
  cell(band: number, column: number, row: number): Promise<number | null>;
  close(): void;
}

/**
 * The geotransform of an image. GTRasterType PixelIsPoint puts the tie point at a cell's centre: GDAL moves the
 * origin by half a cell so that cells are areas either way, and so does this.
 */
async function geoTransform(image: GeoTIFFImage): Promise<GeoTransform> {
  const directory = image.getFileDirectory();
  const matrix = (await directory.loadValue('ModelTransformation')) as ArrayLike<number> | undefined;
  const scale = (await directory.loadValue('ModelPixelScale')) as ArrayLike<number> | undefined;
  const tie = (await directory.loadValue('ModelTiepoint')) as ArrayLike<number> | undefined;
  let g: GeoTransform;
  if (scale && tie) {
    const [sx, sy] = [scale[0]!, scale[1]!];
    g = [tie[3]! - tie[0]! * sx, sx, 0, tie[4]! + tie[1]! * sy, 0, -sy];
  } else if (matrix) g = [matrix[3]!, matrix[0]!, matrix[1]!, matrix[7]!, matrix[4]!, matrix[5]!];
  else throw new Fault('the raster has no georeference (ModelPixelScale and ModelTiepoint, or ModelTransformation)');
  if (image.getGeoKeys()?.GTRasterTypeGeoKey !== 2) return g;
  return [g[0] - (g[1] + g[2]) / 2, g[1], g[2], g[3] - (g[4] + g[5]) / 2, g[4], g[5]];
}

/** Projects lng,lat (WGS84) to the CRS of the geokeys, in the CRS's own units. */
function projection(image: GeoTIFFImage): (lng: number, lat: number) => readonly [number, number] {
  const keys = image.getGeoKeys();
  if (!keys) throw new Fault('the raster names no coordinate reference system');
  const crs = toProj4(keys as unknown as GeoKeys);
  if (!crs.proj4) throw new Fault(`the raster's coordinate reference system is not known: ${JSON.stringify(keys)}`);
  if (crs.isGCS) return (lng, lat) => [lng, lat];
  const converter = proj4('EPSG:4326', crs.proj4);
  const { x: fx, y: fy } = crs.coordinatesConversionParameters ?? { x: 1, y: 1 };
  return (lng, lat) => {
    const [x, y] = converter.forward([lng, lat]);
    return [x! / fx, y! / fy];
  };
}

/**
 * Opens a GeoTIFF. Blocks are decoded once and kept in the cache.
 * @param id what the cache knows the file by: its sha256.
 * @throws Fault when the file is no georeferenced GeoTIFF.
 */
export async function openRaster(path: string, id: string, cache: Cache): Promise<Raster> {
  let tiff: GeoTIFF | undefined;
  try {
    tiff = await fromFile(path);
    return await describe(tiff, await tiff.getImage(0), id, cache);
  } catch (error) {
    await tiff?.close();
    if (error instanceof Fault) throw error;
    throw new Fault(`raster file ${id.slice(0, 12)} cannot be read as GeoTIFF: ${(error as Error).message}`);
  }
}

async function describe(tiff: GeoTIFF, image: GeoTIFFImage, id: string, cache: Cache): Promise<Raster> {
  const g = await geoTransform(image);
  const project = projection(image);
  const width = image.getWidth();
  const height = image.getHeight();
  const bands = image.getSamplesPerPixel();
  const determinant = g[1] * g[5] - g[2] * g[4];
  if (!determinant) throw new Fault('the raster has cells without area');
  const text = ((await image.getFileDirectory().loadValue('GDAL_NODATA')) as string | undefined)?.replaceAll('\0', '');
  const nodata = text?.trim() ? Number(text) : null;
  const blockWidth = Math.max(1, Math.min(width, image.getTileWidth()));
  // A file of one strip would otherwise be decoded whole into one block; readRasters cuts at any row.
  const blockHeight = Math.max(1, Math.min(height, image.isTiled ? image.getTileHeight() : 256, image.getTileHeight()));
  const reading = new Map<string, Promise<Cells>>();

  const block = async (band: number, column: number, row: number): Promise<Cells> => {
    const key = `block:${id}:${band}:${column}:${row}`;
    const known = cache.get(key) as Cells | undefined;
    if (known) return known;
    let pending = reading.get(key);
    if (!pending) {
      const window = [
        column * blockWidth,
        row * blockHeight,
        Math.min(width, (column + 1) * blockWidth),
        Math.min(height, (row + 1) * blockHeight),
      ];
      pending = (async () => {
        try {
          const [cells] = (await image.readRasters({ window, samples: [band - 1] })) as unknown as [Cells];
          cache.set(key, cells, cells.byteLength + 200);
          return cells;
        } catch (error) {
          throw new Fault(`raster file ${id.slice(0, 12)}: a block cannot be read: ${(error as Error).message}`);
        } finally {
          reading.delete(key);
        }
      })();
      reading.set(key, pending);
    }
    return pending;
  };

  return {
    width,
    height,
    cellArea: Math.abs(determinant),
    locate(lng, lat) {
      const [x, y] = project(lng, lat);
      const dx = x - g[0];
      const dy = y - g[3];
      const column = (dx * g[5] - dy * g[2]) / determinant;
      const row = (dy * g[1] - dx * g[4]) / determinant;
      return column >= 0 && row >= 0 && column < width && row < height ? [column, row] : null;
    },
    async cell(band, column, row) {
      if (!(band >= 1 && band <= bands)) throw new Fault(`the raster has ${bands} bands, no band ${band}`);
      const [bx, by] = [Math.floor(column / blockWidth), Math.floor(row / blockHeight)];
      const cells = await block(band, bx, by);
      const wide = Math.min(blockWidth, width - bx * blockWidth);
      const value = cells[(row - by * blockHeight) * wide + (column - bx * blockWidth)]!;
      // A float32 cell holds the rounded nodata value, so the declared one is rounded alike before comparing.
      const empty =
        nodata !== null && (value === nodata || (cells instanceof Float32Array && value === Math.fround(nodata)));
      return Number.isNaN(value) || empty ? null : value;
    },
    close() {
      void tiff.close();
    },
  };
}

/**
 * The value at a lng,lat (WGS84) by one of GDAL's two resamplings.
 * `nearest` is the cell that contains the point (floor of the inverse geotransform). `bilinear` weighs the four cells
 * whose centres surround it; where some of these are no data or beyond the edge, the others are weighed alone, and a
 * point whose own cell is no data has no value.
 * @param nodata values that mean no data besides the file's own.
 * @returns the value; null for no data; undefined outside the raster.
 * @throws Fault when a block cannot be read.
 */
export async function sample(
  raster: Raster,
  band: number,
  lng: number,
  lat: number,
  sampling: 'nearest' | 'bilinear',
  nodata: readonly number[] = [],
): Promise<number | null | undefined> {
  const at = raster.locate(lng, lat);
  if (!at) return undefined;
  const read = async (column: number, row: number) => {
    if (column < 0 || row < 0 || column >= raster.width || row >= raster.height) return null;
    const value = await raster.cell(band, column, row);
    return value === null || nodata.includes(value) ? null : value;
  };
  const own = await read(Math.floor(at[0]), Math.floor(at[1]));
  if (sampling === 'nearest' || own === null) return own;
  const left = Math.floor(at[0] - 0.5);
  const top = Math.floor(at[1] - 0.5);
  const [fx, fy] = [at[0] - 0.5 - left, at[1] - 0.5 - top];
  let sum = 0;
  let weights = 0;
  for (const [column, row, weight] of [
    [left, top, (1 - fx) * (1 - fy)],
    [left + 1, top, fx * (1 - fy)],
    [left, top + 1, (1 - fx) * fy],
    [left + 1, top + 1, fx * fy],
  ] as const) {
    const value = weight > 0 ? await read(column, row) : null;
    if (value === null) continue;
    sum += value * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : own;
}
