import { discTest } from '../../geometry/disc/disc-test.ts';
import { radiiAt, turn } from '../../geometry/geodesic.ts';
import type { Raster } from '../../release/raster.ts';

const DEGREE = Math.PI / 180;

/** Metres east and north of a step of one column and of one row (downwards) on a raster's grid. */
export interface Step {
  readonly columnEast: number;
  readonly columnNorth: number;
  readonly rowEast: number;
  readonly rowNorth: number;
}

/**
 * The ground steps of a grid about a column and row (with fractions): differences of half a cell either way, turned
 * into metres by the radii of curvature of WGS84 at that latitude. Holds for grids in degrees and projected ones
 * alike: scale, grid convergence and cells that are not square are in it.
 */
export function stepAt(raster: Raster, column: number, row: number): Step {
  const [, lat] = raster.toPoint(column, row);
  const { M, N } = radiiAt(lat);
  const [east, north] = [N * Math.cos(lat * DEGREE) * DEGREE, M * DEGREE];
  const [west0, lat0] = raster.toPoint(column - 0.5, row);
  const [west1, lat1] = raster.toPoint(column + 0.5, row);
  const [up0, lat2] = raster.toPoint(column, row - 0.5);
  const [up1, lat3] = raster.toPoint(column, row + 0.5);
  return {
    columnEast: turn(west1 - west0) * east,
    columnNorth: (lat1 - lat0) * north,
    rowEast: turn(up1 - up0) * east,
    rowNorth: (lat3 - lat2) * north,
  };
}

/** Columns and rows that lead so many metres east and north. */
export function offset(step: Step, east: number, north: number): readonly [columns: number, rows: number] {
  const determinant = step.columnEast * step.rowNorth - step.rowEast * step.columnNorth;
  return [
    (east * step.rowNorth - north * step.rowEast) / determinant,
    (north * step.columnEast - east * step.columnNorth) / determinant,
  ];
}

/** Cells of a grid, row by row: of row `row0 + i` those from `from[i]` up to `to[i]`, exclusive. */
export interface Spans {
  readonly row0: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Cells in all. */
  readonly count: number;
  /** Least column and the one after the greatest; the last row is row0 + from.length, exclusive. */
  readonly column0: number;
  readonly column1: number;
}

/** The span of one cell. */
export const cellSpan = (column: number, row: number): Spans => ({
  row0: row,
  from: Int32Array.of(column),
  to: Int32Array.of(column + 1),
  count: 1,
  column0: column,
  column1: column + 1,
});

/**
 * How far, as a share of the radius, the distance by the ground steps at the centre may be off at the rim: scale and
 * convergence of a grid change by about tan φ / R a metre. Taken eight times as much.
 */
const straying = (metres: number, lat: number): number =>
  8 * (metres / 6.3e6) * (1 + Math.tan(Math.min(89, Math.abs(lat)) * DEGREE)) + 1e-9;

/**
 * The cells whose centre lies in a geodesic disc, on the grid of a raster continued beyond its edges. A row's cells are
 * contiguous. Those well within or beyond the ellipse that the ground steps at the centre predict are decided by it, the
 * others one by one.
 * @param metres radius on the ground.
 * @param at the centre on the grid, where that is known.
 */
export function discSpans(
  raster: Raster,
  lng: number,
  lat: number,
  metres: number,
  [x, y]: readonly [number, number] = raster.toGrid(lng, lat),
): Spans {
  const step = stepAt(raster, x, y);
  const inside = discTest(lng, lat, metres);
  const centreIn = (column: number, row: number) => {
    const [cx, cy] = raster.toPoint(column + 0.5, row + 0.5);
    return inside(cx, cy);
  };
  // Squared metres of an offset (u, v) are a·u² + 2b·u·v + c·v².
  const a = step.columnEast ** 2 + step.columnNorth ** 2;
  const b = step.columnEast * step.rowEast + step.columnNorth * step.rowNorth;
  const c = step.rowEast ** 2 + step.rowNorth ** 2;
  const stray = straying(metres, lat);
  const [outer, inner] = [metres * (1 + stray), metres * Math.max(0, 1 - stray)];
  /** Half the columns that a row of an ellipse holds; negative where it does not reach. */
  const halfOf = (reach: number, v: number) => {
    const square = (b * b - a * c) * v * v + a * reach * reach;
    return square < 0 ? -1 : Math.sqrt(square) / a;
  };
  const tall = Math.sqrt((a * outer * outer) / (a * c - b * b));
  const row0 = Math.ceil(y - tall - 0.5);
  const rows = Math.max(0, Math.floor(y + tall - 0.5) - row0 + 1);
  const from = new Int32Array(rows);
  const to = new Int32Array(rows);
  let [count, column0, column1] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [first, last] = [rows, 0];
  for (let i = 0; i < rows; i++) {
    const v = row0 + i + 0.5 - y;
    const centre = x - (b * v) / a - 0.5;
    const [wide, narrow] = [halfOf(outer, v), halfOf(inner, v)];
    let low = Math.ceil(centre - wide);
    let high = Math.floor(centre + wide);
    // Without an inner chord nothing of the row is certain.
    const [sureLow, sureHigh] = narrow < 0 ? [high + 1, low - 1] : [centre - narrow, centre + narrow];
    // A chord that is narrower than a cell may lie between two centres: then none is certain either.
    const sure = (column: number) => column >= sureLow && column <= sureHigh;
    while (low <= high && !sure(low) && !centreIn(low, row0 + i)) low++;
    while (high > low && !sure(high) && !centreIn(high, row0 + i)) high--;
    if (low > high) continue;
    from[i] = low;
    to[i] = high + 1;
    count += high + 1 - low;
    column0 = Math.min(column0, low);
    column1 = Math.max(column1, high + 1);
    first = Math.min(first, i);
    last = i + 1;
  }
  if (!count) return { row0: Math.floor(y), from, to: from, count, column0: 0, column1: 0 };
  return { row0: row0 + first, from: from.slice(first, last), to: to.slice(first, last), count, column0, column1 };
}
