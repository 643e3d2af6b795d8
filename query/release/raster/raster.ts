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
