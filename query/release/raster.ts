import { fromFile, type GeoTIFF, type GeoTIFFImage } from 'geotiff';
import { noteChange, sameStamp, statOf } from '../format/file-stamp.ts';
import { geoTransform, projectionBy, projectionOf } from '../format/geotiff.ts';
import { useBoundedDecoders } from '../format/tiff-decoder.ts';
import type { Cache } from './cache.ts';
import { Fault } from './fault.ts';

useBoundedDecoders();

type Cells = ArrayLike<number> & { readonly byteLength: number };

/** One opened GeoTIFF/COG, its full-resolution image. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Area of a cell in square CRS units: which of two overlapping rasters is finer. */
  readonly cellArea: number;
  /** Column and row, with fractions, of a lng,lat (WGS84); null outside the raster's cells. */
  locate(lng: number, lat: number): readonly [number, number] | null;
  /** As locate, beyond the raster's edges too; negative outside on the left and top. */
  toGrid(lng: number, lat: number): readonly [number, number];
  /** The lng,lat (WGS84) of a column and row with fractions: the centre of cell c,r is c + 0.5, r + 0.5. */
  toPoint(column: number, row: number): readonly [number, number];
  /** @returns the cell's value; null where the file says no data. @throws Fault when its block cannot be read. */
  cell(band: number, column: number, row: number): Promise<number | null>;
  /**
   * The cells of a rectangle, row by row from the top: whole columns and rows, the last ones exclusive. It may reach
   * beyond the raster. Each block that it touches is read once.
   * @returns (column1 - column0) x (row1 - row0) values; NaN for no data and outside the raster.
   * @throws Fault when a block cannot be read or the raster has no such band.
   */
  window(band: number, column0: number, row0: number, column1: number, row1: number): Promise<Float64Array>;
  close(): void;
}

/**
 * Opens a GeoTIFF. Blocks are decoded once and kept in the cache.
 * @param id what the cache knows the bytes by; begins with the file's sha256.
 * @param definition proj string of its CRS; without it the keys of the file tell it.
 * @throws Fault when the file is no georeferenced GeoTIFF.
 */
export async function openRaster(path: string, id: string, cache: Cache, definition?: string): Promise<Raster> {
  let tiff: GeoTIFF | undefined;
  const before = statOf(path);
  const requireSame = () => {
    const stat = statOf(path);
    if (stat && before && sameStamp(stat, before)) return;
    noteChange();
    throw new Error('it was changed while it was open');
  };
  try {
    tiff = await fromFile(path);
    return await describe(tiff, await tiff.getImage(0), { id, cache, requireSame, definition });
  } catch (error) {
    await tiff?.close();
    if (error instanceof Fault) throw error;
    throw new Fault(`raster file ${id.slice(0, 12)} cannot be read as GeoTIFF: ${(error as Error).message}`, true);
  }
}

/** What a raster's blocks are read with. */
interface Reading {
  readonly id: string;
  readonly cache: Cache;
  /** Throws when the file is not as it was opened. */
  readonly requireSame: () => void;
  readonly definition: string | undefined;
}

async function describe(
  tiff: GeoTIFF,
  image: GeoTIFFImage,
  { id, cache, requireSame, definition }: Reading,
): Promise<Raster> {
  const g = await geoTransform(image);
  if (!g) throw new Fault('the raster has no georeference (ModelPixelScale and ModelTiepoint, or ModelTransformation)');
  const projection = definition === undefined ? projectionOf(image) : projectionBy(definition);
  if (!projection) {
    const keys = image.getGeoKeys();
    throw new Fault(
      keys
        ? `the raster's coordinate reference system is not supported: ${JSON.stringify(keys)}`
        : 'the raster names no coordinate reference system',
    );
  }
  const { forward, inverse } = projection;
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
    const cached = cache.get(key) as Cells | undefined;
    if (cached) return cached;
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
          requireSame();
          cache.set(key, cells, cells.byteLength + 200);
          return cells;
        } catch (error) {
          throw new Fault(`raster file ${id.slice(0, 12)}: a block cannot be read: ${(error as Error).message}`, true);
        } finally {
          reading.delete(key);
        }
      })();
      reading.set(key, pending);
    }
    return pending;
  };

  const toGrid = (lng: number, lat: number): readonly [number, number] => {
    const [x, y] = forward(lng, lat);
    const dx = x - g[0];
    const dy = y - g[3];
    return [(dx * g[5] - dy * g[2]) / determinant, (dy * g[1] - dx * g[4]) / determinant];
  };
  const requireBand = (band: number) => {
    if (!(band >= 1 && band <= bands)) throw new Fault(`the raster has ${bands} bands, no band ${band}`);
  };
  // A float32 cell holds the rounded nodata value, so the declared one is rounded alike before comparing.
  const emptyIn = (cells: Cells) =>
    nodata !== null && cells instanceof Float32Array ? Math.fround(nodata) : (nodata ?? Number.NaN);

  return {
    width,
    height,
    cellArea: Math.abs(determinant),
    locate(lng, lat) {
      const [column, row] = toGrid(lng, lat);
      return column >= 0 && row >= 0 && column < width && row < height ? [column, row] : null;
    },
    toGrid,
    toPoint: (column, row) => inverse(g[0] + column * g[1] + row * g[2], g[3] + column * g[4] + row * g[5]),
    async cell(band, column, row) {
      requireBand(band);
      const [bx, by] = [Math.floor(column / blockWidth), Math.floor(row / blockHeight)];
      const cells = await block(band, bx, by);
      const wide = Math.min(blockWidth, width - bx * blockWidth);
      const value = cells[(row - by * blockHeight) * wide + (column - bx * blockWidth)]!;
      return Number.isNaN(value) || value === emptyIn(cells) ? null : value;
    },
    async window(band, column0, row0, column1, row1) {
      requireBand(band);
      const across = column1 - column0;
      const out = new Float64Array(Math.max(0, across) * Math.max(0, row1 - row0)).fill(Number.NaN);
      const [left, right] = [Math.max(0, column0), Math.min(width, column1)];
      const [top, bottom] = [Math.max(0, row0), Math.min(height, row1)];
      if (left >= right || top >= bottom) return out;
      for (let by = Math.floor(top / blockHeight); by * blockHeight < bottom; by++)
        for (let bx = Math.floor(left / blockWidth); bx * blockWidth < right; bx++) {
          const cells = await block(band, bx, by);
          const empty = emptyIn(cells);
          const [x0, y0] = [bx * blockWidth, by * blockHeight];
          const wide = Math.min(blockWidth, width - x0);
          const lastColumn = Math.min(right, x0 + wide);
          const lastRow = Math.min(bottom, y0 + blockHeight);
          for (let row = Math.max(top, y0); row < lastRow; row++) {
            const from = (row - y0) * wide - x0;
            const to = (row - row0) * across - column0;
            for (let column = Math.max(left, x0); column < lastColumn; column++) {
              const value = cells[from + column]!;
              if (value !== empty) out[to + column] = value;
            }
          }
        }
      return out;
    },
    close() {
      void tiff.close();
    },
  };
}

/**
 * The value at a column and row (with fractions) from the four cells whose centres surround it, weighed. Cells without
 * data are left out and the others weighed alone; a place whose own cell has none has none.
 * @param at the value of a whole column and row; NaN for no data.
 * @returns NaN for no data.
 */
export function bilinear(at: (column: number, row: number) => number, column: number, row: number): number {
  const own = at(Math.floor(column), Math.floor(row));
  if (Number.isNaN(own)) return own;
  const left = Math.floor(column - 0.5);
  const top = Math.floor(row - 0.5);
  const [fx, fy] = [column - 0.5 - left, row - 0.5 - top];
  let sum = 0;
  let weights = 0;
  const weigh = (dx: number, dy: number, weight: number) => {
    const value = weight > 0 ? at(left + dx, top + dy) : Number.NaN;
    if (Number.isNaN(value)) return;
    sum += value * weight;
    weights += weight;
  };
  weigh(0, 0, (1 - fx) * (1 - fy));
  weigh(1, 0, fx * (1 - fy));
  weigh(0, 1, (1 - fx) * fy);
  weigh(1, 1, fx * fy);
  return weights > 0 ? sum / weights : own;
}

/**
 * The value at a lng,lat (WGS84) by one of GDAL's two resamplings: `nearest` is the cell that contains the point (floor
 * of the inverse geotransform), `bilinear` as above; cells beyond the edge have no data.
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
  if (sampling === 'nearest') {
    const value = await raster.cell(band, Math.floor(at[0]), Math.floor(at[1]));
    return value === null || nodata.includes(value) ? null : value;
  }
  const left = Math.floor(at[0] - 0.5);
  const top = Math.floor(at[1] - 0.5);
  const cells = await raster.window(band, left, top, left + 2, top + 2);
  const cell = (column: number, row: number) => {
    const value = cells[(row - top) * 2 + (column - left)]!;
    return nodata.includes(value) ? Number.NaN : value;
  };
  const value = bilinear(cell, at[0], at[1]);
  return Number.isNaN(value) ? null : value;
}
