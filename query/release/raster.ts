import proj4 from 'proj4';
import { type Cells, CogFile, type CogHeader, LNGLAT, OtherForm, TILE } from '../format/cog.ts';
import type { Cache } from './cache.ts';
import { Fault } from './fault.ts';

/** One opened raster of a release. */
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

/** Between lng,lat (WGS84) and the CRS of a raster, in the CRS's own units. */
interface Projection {
  forward(lng: number, lat: number): readonly [number, number];
  inverse(x: number, y: number): readonly [number, number];
}

function projectionOf(crs: string): Projection {
  if (crs === LNGLAT) return { forward: (lng, lat) => [lng, lat], inverse: (x, y) => [x, y] };
  const converter = proj4('EPSG:4326', crs);
  return {
    forward: (lng, lat) => converter.forward([lng, lat]) as [number, number],
    inverse: (x, y) => converter.inverse([x, y]) as [number, number],
  };
}

/**
 * Opens a raster of the stored form. Tiles are unpacked once and kept in the cache.
 * @param id what the cache knows the bytes by; begins with the file's sha256.
 * @throws Fault when the file is damaged or of another form.
 */
export function openRaster(path: string, id: string, cache: Cache): Raster {
  const fault = (what: string, error: unknown) =>
    new Fault(`raster file ${id.slice(0, 12)}${what}: ${(error as Error).message}`, true);
  let file: CogFile;
  try {
    file = new CogFile(path);
  } catch (error) {
    if (error instanceof OtherForm)
      throw new Fault(`raster file ${id.slice(0, 12)}: ${error.message}; ingest its place again`);
    throw fault(' cannot be read', error);
  }
  const tile = (band: number, column: number, row: number): Cells => {
    const key = `tile:${id}:${band}:${column}:${row}`;
    const cached = cache.get(key) as Cells | undefined;
    if (cached) return cached;
    try {
      const cells = file.tile(band, column, row);
      cache.set(key, cells, cells.byteLength + 200);
      return cells;
    } catch (error) {
      throw fault(': a tile cannot be read', error);
    }
  };
  try {
    return rasterOf(file.header, tile, () => file.close());
  } catch (error) {
    file.close();
    throw fault(' cannot be used', error);
  }
}

function rasterOf(
  { width, height, bands, nodata, transform: g, crs }: CogHeader,
  tile: (band: number, column: number, row: number) => Cells,
  close: () => void,
): Raster {
  const { forward, inverse } = projectionOf(crs);
  const determinant = g[1] * g[5] - g[2] * g[4];
  const toGrid = (lng: number, lat: number): readonly [number, number] => {
    const [x, y] = forward(lng, lat);
    const dx = x - g[0];
    const dy = y - g[3];
    return [(dx * g[5] - dy * g[2]) / determinant, (dy * g[1] - dx * g[4]) / determinant];
  };
  const requireBand = (band: number) => {
    if (!(band >= 1 && band <= bands)) throw new Fault(`the raster has ${bands} bands, no band ${band}`);
  };

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
      const cells = tile(band, Math.floor(column / TILE), Math.floor(row / TILE));
      const value = cells[(row % TILE) * TILE + (column % TILE)]!;
      return Number.isNaN(value) || value === nodata ? null : value;
    },
    async window(band, column0, row0, column1, row1) {
      requireBand(band);
      const across = column1 - column0;
      const out = new Float64Array(Math.max(0, across) * Math.max(0, row1 - row0)).fill(Number.NaN);
      const [left, right] = [Math.max(0, column0), Math.min(width, column1)];
      const [top, bottom] = [Math.max(0, row0), Math.min(height, row1)];
      if (left >= right || top >= bottom) return out;
      for (let y0 = top - (top % TILE); y0 < bottom; y0 += TILE)
        for (let x0 = left - (left % TILE); x0 < right; x0 += TILE) {
          const cells = tile(band, x0 / TILE, y0 / TILE);
          const lastColumn = Math.min(right, x0 + TILE);
          const lastRow = Math.min(bottom, y0 + TILE);
          for (let row = Math.max(top, y0); row < lastRow; row++) {
            const from = (row - y0) * TILE - x0;
            const to = (row - row0) * across - column0;
            for (let column = Math.max(left, x0); column < lastColumn; column++) {
              const value = cells[from + column]!;
              if (value !== nodata) out[to + column] = value;
            }
          }
        }
      return out;
    },
    close,
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
 * @returns the value; null for no data; undefined outside the raster.
 * @throws Fault when a block cannot be read.
 */
export async function sample(
  raster: Raster,
  band: number,
  lng: number,
  lat: number,
  sampling: 'nearest' | 'bilinear',
): Promise<number | null | undefined> {
  const at = raster.locate(lng, lat);
  if (!at) return undefined;
  if (sampling === 'nearest') return raster.cell(band, Math.floor(at[0]), Math.floor(at[1]));
  const left = Math.floor(at[0] - 0.5);
  const top = Math.floor(at[1] - 0.5);
  const cells = await raster.window(band, left, top, left + 2, top + 2);
  const cell = (column: number, row: number) => cells[(row - top) * 2 + (column - left)]!;
  const value = bilinear(cell, at[0], at[1]);
  return Number.isNaN(value) ? null : value;
}
