import type { Geometry } from '../../../datasets/geometry.ts';
import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Fault } from '../../release/fault.ts';
import type { Raster } from '../../release/raster.ts';
import { type Context, testOf } from '../context.ts';
import type { Spans } from './grid-spans.ts';
import { type Grid, readGrid, tilesAt, type Window } from './mosaic.ts';
import { CELL_KINDS, type CellKind, measureAll } from './terrain.ts';

/** Cells that one area may hold: a square of 20 km on the finest national grid. */
export const MOST_CELLS = 4_000_000;

/** Cells of a raster that meet a condition, as polygons, and the partitions they were read from. */
export interface CellPolygons {
  readonly polygons: readonly Geometry[];
  readonly partitions: readonly Partition[];
}

/**
 * The terrain measure that a layer stands for without being stored, such as usgs_3dep:slope_percent; null for a raster
 * that holds its own values.
 */
const kindOf = (source: SourceRef): CellKind | null => CELL_KINDS.find(kind => kind === source.layer) ?? null;

/**
 * The cells of a raster about an area whose `value` meets a condition, as polygons with straight lng,lat edges between
 * the cells' corners: those of one row that follow one another make one. A layer named by a terrain measure is computed
 * from its dataset's elevation, as raster_terrain does. Cells without data meet no condition.
 * @param area lng,lat degrees; the cells cover its box on the grid.
 * @returns or why the raster has nothing to say at the request's point.
 * @throws Fault when the raster is not installed or unreadable, or the area holds too many cells.
 */
export async function cellsOf(
  ctx: Context,
  source: SourceRef,
  where: Condition | null,
  area: Geometry,
): Promise<CellPolygons | { readonly absent: string; readonly covering: readonly Partition[] }> {
  const kind = kindOf(source);
  const stored: SourceRef = kind ? { ...source, layer: 'main' } : source;
  const { atPoint, searched, covering } = await tilesAt(ctx, stored);
  const [tile] = atPoint;
  if (!tile) return { absent: `outside the coverage of ${layerWords(stored, covering)}`, covering };
  const window = windowOf(tile.raster, area);
  const count = (window.column1 - window.column0) * (window.row1 - window.row0);
  if (!(count <= MOST_CELLS)) throw new Fault(`the area holds too many cells of ${nameOf(source)}`);
  const grid = await readGrid(ctx, tile, searched, 1, window);
  ctx.check();
  const values = kind ? measureAll(grid, kind, null) : grid.values;
  const test = testOf(ctx, where);
  const polygons: Geometry[] = [];
  // One row for all cells: an object each would be a tenth of what a fetch allocates.
  const cell = { value: Number.NaN };
  for (let y = 0; y < grid.height; y++) {
    let start = -1;
    for (let x = 0; x <= grid.width; x++) {
      cell.value = x < grid.width ? values[y * grid.width + x]! : Number.NaN;
      const meets = !Number.isNaN(cell.value) && test(cell);
      if (meets && start < 0) start = x;
      if (!meets && start >= 0) {
        polygons.push(rowOf(grid.raster, window.row0 + y, window.column0 + start, window.column0 + x));
        start = -1;
      }
    }
  }
  return { polygons, partitions: grid.sources(spansOf(grid)) };
}

/** Columns and rows about an area, and one more on each side for neighbours. */
export function windowOf(raster: Raster, { xy }: Geometry): Window {
  let [column0, row0, column1, row1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    const [x, y] = raster.toGrid(xy[i]!, xy[i + 1]!);
    [column0, column1] = [Math.min(column0, x), Math.max(column1, x)];
    [row0, row1] = [Math.min(row0, y), Math.max(row1, y)];
  }
  return {
    column0: Math.floor(column0) - 2,
    row0: Math.floor(row0) - 2,
    column1: Math.floor(column1) + 3,
    row1: Math.floor(row1) + 3,
  };
}

/** Some cells of one row as a ring with a vertex at every corner, so that neighbouring rows meet without a gap. */
function rowOf(raster: Raster, row: number, from: number, to: number): Geometry {
  const corners: number[] = [];
  for (let column = from; column <= to; column++) corners.push(...raster.toPoint(column, row));
  for (let column = to; column >= from; column--) corners.push(...raster.toPoint(column, row + 1));
  corners.push(corners[0]!, corners[1]!);
  return {
    type: 'Polygon',
    xy: Float64Array.from(corners),
    ends: Uint32Array.of(corners.length / 2),
    parts: Uint32Array.of(1),
  };
}

/** All cells of a grid. */
export const spansOf = ({ column0, row0, width, height }: Grid): Spans => ({
  row0,
  from: new Int32Array(height).fill(column0),
  to: new Int32Array(height).fill(column0 + width),
  count: width * height,
  column0,
  column1: column0 + width,
});
