import { fromUtm19, toUtm19 } from '../../../../pipelines/world/format/crs.ts';
import type { Grid } from '../../../../pipelines/world/format/geotiff.ts';
import { metresBetween } from '../../../oracle/geodesic.ts';
import type { DegreeGrid } from '../../../oracle/grid.ts';

/** The stored value of a cell: NaN outside and for no data. */
export function cellValue(grid: Grid, column: number, row: number, nodata: readonly number[]): number {
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return Number.NaN;
  const value = grid.sample === 'float32' ? Math.fround(grid.value(column, row)) : grid.value(column, row);
  return value === grid.nodata || nodata.includes(value) ? Number.NaN : value;
}

/** Column and row of the cell that holds a lng,lat. */
export function cellOf(grid: Grid, lng: number, lat: number): [number, number] {
  const [x, y] = grid.epsg === 26919 ? toUtm19([lng, lat]) : [lng, lat];
  return [Math.floor((x - grid.left) / grid.cellX), Math.floor((grid.top - y) / grid.cellY)];
}

/** How near a place is to the edge of its cell, as a share of the cell: projections differ in the last digits. */
export function nearCellEdge(grid: Grid, lng: number, lat: number): boolean {
  const [x, y] = grid.epsg === 26919 ? toUtm19([lng, lat]) : [lng, lat];
  const [u, v] = [(x - grid.left) / grid.cellX, (grid.top - y) / grid.cellY];
  return Math.min(Math.abs(u - Math.round(u)), Math.abs(v - Math.round(v))) < 1e-6;
}

const centre = (grid: Grid, column: number, row: number) => {
  const [x, y] = [grid.left + (column + 0.5) * grid.cellX, grid.top - (row + 0.5) * grid.cellY] as const;
  return grid.epsg === 26919 ? fromUtm19([x, y]) : ([x, y] as const);
};

/** Every cell, of the grid or about it, whose centre lies within so many geodesic metres. */
export function disc(grid: Grid, lng: number, lat: number, metres: number): [number, number][] {
  const [column, row] = cellOf(grid, lng, lat);
  const degree = grid.epsg === 26919 ? 1 : 111_000;
  const reachY = Math.ceil((metres * 1.02) / (degree * grid.cellY)) + 1;
  const reachX =
    Math.ceil((metres * 1.02) / (degree * (degree === 1 ? 1 : Math.cos((lat * Math.PI) / 180)) * grid.cellX)) + 1;
  const out: [number, number][] = [];
  for (let r = row - reachY; r <= row + reachY; r++)
    for (let c = column - reachX; c <= column + reachX; c++)
      if (metresBetween(lng, lat, ...(centre(grid, c, r) as [number, number])) <= metres) out.push([c, r]);
  return out;
}

/** A grid in degrees with all its values. */
export function asDegreeGrid(grid: Grid): DegreeGrid {
  const values = new Float64Array(grid.columns * grid.rows);
  for (let row = 0; row < grid.rows; row++)
    for (let column = 0; column < grid.columns; column++)
      values[row * grid.columns + column] = cellValue(grid, column, row, []);
  return { west: grid.left, north: grid.top, cell: grid.cellX, width: grid.columns, height: grid.rows, values };
}
