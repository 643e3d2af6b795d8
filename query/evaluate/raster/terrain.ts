import { memo } from '../../../datasets/memo.ts';
import { Fault } from '../../release/fault.ts';
import { bilinear, type Raster } from '../../release/raster.ts';
import { offset, type Step, stepAt } from './grid-spans.ts';
import type { Grid } from './mosaic.ts';

/** Measures of one cell; tpi needs a disc and is not among them. */
export const CELL_KINDS = ['slope_degrees', 'slope_percent', 'aspect_degrees', 'aspect_cardinal', 'tri'] as const;
export type CellKind = (typeof CELL_KINDS)[number];

/** The layer that a raster source is read from: one named by a measure (usgs_3dep:slope_percent) is computed from `main`. */
export const storedLayerOf = (layer: string): string =>
  (CELL_KINDS as readonly string[]).includes(layer) ? 'main' : layer;

/** Sectors of 45 degrees about the compass points, then what is not steep enough to face anywhere. */
export const SECTORS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW', 'flat'] as const;
/** Slope in percent below which aspect_cardinal is `flat`. */
const FLAT_PERCENT = 2;
const DEGREES = 180 / Math.PI;

/** Columns that share the ground step of their middle one: scale and convergence hardly change over them. */
const LATTICE = 64;
const stepsOf = memo((_raster: Raster) => new Map<number, Step>());
/** Ground steps that are kept a raster. */
const KEPT = 20_000;

/** The ground step at the row of a cell and the middle of its run of 64 columns, the same from wherever it is asked. */
function stepOf(raster: Raster, column: number, row: number): Step {
  const run = Math.floor(column / LATTICE);
  const cached = stepsOf(raster);
  const key = row * 2 ** 20 + run;
  let step = cached.get(key);
  if (!step) {
    if (cached.size > KEPT) cached.clear();
    step = stepAt(raster, (run + 0.5) * LATTICE, row + 0.5);
    cached.set(key, step);
  }
  return step;
}

/** Rise per meter east and north, as `horn` found it last: an object a cell would be half of what a fetch allocates. */
const gradient = new Float64Array(2);

/**
 * Finds the gradient at a cell by Horn's weights over its eight neighbours (B. K. P. Horn, "Hill shading and the reflectance
 * map", 1981), as gdaldem has it, along true east and north on the ground.
 * Both components are NaN where one of the nine cells has no data.
 * @param s ground step at the cell.
 */
function horn(grid: Grid, column: number, row: number, s: Step): void {
  const { values, width, height } = grid;
  const x = column - grid.column0;
  const y = row - grid.row0;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) {
    gradient.fill(Number.NaN);
    return;
  }
  const at = y * width + x;
  const above = at - width;
  const below = at + width;
  const northWest = values[above - 1]!;
  const northEast = values[above + 1]!;
  const southWest = values[below - 1]!;
  const southEast = values[below + 1]!;
  const perColumn = (northEast + 2 * values[at + 1]! + southEast - (northWest + 2 * values[at - 1]! + southWest)) / 8;
  const perRow = (southWest + 2 * values[below]! + southEast - (northWest + 2 * values[above]! + northEast)) / 8;
  const determinant = s.columnEast * s.rowNorth - s.rowEast * s.columnNorth;
  // Horn leaves the middle cell out; a cell without data has no slope either.
  const hole = Number.isNaN(values[at]!) ? Number.NaN : 0;
  gradient[0] = (perColumn * s.rowNorth - perRow * s.columnNorth) / determinant + hole;
  gradient[1] = (perRow * s.columnEast - perColumn * s.rowEast) / determinant + hole;
}

/** Elevation at a column and row (with fractions) of a grid, bilinear; NaN for no data. */
export const heightAt = (grid: Grid, column: number, row: number): number =>
  bilinear((c, r) => grid.at(c, r), column, row);

const AROUND = [
  [-1, 1],
  [0, 1],
  [1, 1],
  [-1, 0],
  [1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

/**
 * Riley's terrain ruggedness index (Riley, DeGloria & Elliot 1999): the root of the summed squared differences to the
 * eight neighbours, `spacing` metres east, north and diagonally of the place, each bilinear.
 * @param spacing null on a DEM too coarse for it: the cell and its own eight neighbours.
 * @returns metres; NaN where one of the nine has no data.
 */
export function ruggedness(grid: Grid, column: number, row: number, spacing: number | null): number {
  const [c, r] = [Math.floor(column), Math.floor(row)];
  let sum = 0;
  if (spacing === null) {
    const centre = grid.at(c, r);
    for (const [dx, dy] of AROUND) sum += (grid.at(c + dx, r + dy) - centre) ** 2;
    return Math.sqrt(sum);
  }
  const centre = heightAt(grid, column, row);
  const step = stepOf(grid.raster, c, r);
  for (const [east, north] of AROUND) {
    const [columns, rows] = offset(step, east * spacing, north * spacing);
    sum += (heightAt(grid, column + columns, row + rows) - centre) ** 2;
  }
  return Math.sqrt(sum);
}

/** Longer side of a cell in metres. */
export function cellMetres(raster: Raster, column: number, row: number): number {
  const s = stepOf(raster, column, row);
  return Math.max(Math.hypot(s.columnEast, s.columnNorth), Math.hypot(s.rowEast, s.rowNorth));
}

/** Cells that a kind needs around each cell it measures. */
export function marginOf(raster: Raster, kind: CellKind, column: number, row: number, spacing: number | null): number {
  if (kind !== 'tri' || spacing === null) return 1;
  const s = stepOf(raster, column, row);
  const shortest = Math.min(Math.hypot(s.columnEast, s.columnNorth), Math.hypot(s.rowEast, s.rowNorth));
  return Math.ceil((spacing * Math.SQRT2) / shortest) + 2;
}

/**
 * A measure of one cell: slope in degrees or percent, aspect in degrees clockwise from true north of the way down, its
 * sector as an index of SECTORS, or ruggedness in metres about the cell's centre.
 * @returns NaN for no data, and for the aspect of level ground.
 */
export function measure(
  grid: Grid,
  kind: CellKind,
  column: number,
  row: number,
  spacing: number | null,
  step = stepOf(grid.raster, column, row),
): number {
  if (kind === 'tri') return ruggedness(grid, column + 0.5, row + 0.5, spacing);
  horn(grid, column, row, step);
  const east = gradient[0]!;
  const north = gradient[1]!;
  const rise = Math.sqrt(east * east + north * north);
  if (kind === 'slope_degrees') return Math.atan(rise) * DEGREES;
  if (kind === 'slope_percent') return rise * 100;
  if (kind === 'aspect_cardinal' && rise * 100 < FLAT_PERCENT) return SECTORS.length - 1;
  if (!(rise > 0)) return Number.NaN;
  const azimuth = Math.atan2(-east, -north) * DEGREES;
  const aspect = azimuth < 0 ? azimuth + 360 : azimuth;
  return kind === 'aspect_degrees' ? (aspect >= 360 ? 0 : aspect) : Math.floor(aspect / 45 + 0.5) % 8;
}

/** The measure of every cell of a grid, in the grid's order; cells at its rim, whose neighbours it lacks, are NaN. */
export function measureAll(grid: Grid, kind: CellKind, spacing: number | null): Float64Array {
  const { raster, column0, row0, width, height } = grid;
  const out = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    let step = stepOf(raster, column0, row0 + y);
    for (let x = 0; x < width; x++) {
      if ((column0 + x) % LATTICE === 0) step = stepOf(raster, column0 + x, row0 + y);
      out[y * width + x] = measure(grid, kind, column0 + x, row0 + y, spacing, step);
    }
  }
  return out;
}

/** @throws Fault for what is no measure of one cell. */
export function requireCellKind(kind: string): CellKind {
  if ((CELL_KINDS as readonly string[]).includes(kind)) return kind as CellKind;
  throw new Fault(`there is no terrain measure ${kind}; there are ${CELL_KINDS.join(', ')} and tpi`);
}
