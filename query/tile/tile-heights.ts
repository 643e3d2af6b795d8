import type { Box } from '../../datasets/geometry.ts';
import { layerLacking } from '../../datasets/lack-words.ts';
import { TERRAIN } from '../../datasets/map-layers.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { PartitionSet } from '../release/lists/partition-set.ts';
import { rastersAbout } from '../release/partitions-about.ts';
import { bilinear, type Raster } from '../release/raster.ts';
import { boxOfTile, latAt, lngAt, type TileName } from './tile-grid.ts';

/** Cells along the side of a tile. */
export const CELLS = 256;
/** Cells of a raster that one tile is made of, at most: more would fill the memory of a worker. */
const MOST_CELLS = 4_000_000;
/** Cells of a tile between two places whose column and row in a raster are calculated; those between lie on a line. */
const LATTICE = 16;

/** Heights at the middles of a tile's cells and of some around it. */
export interface TileHeights {
  /** Cells along a side, margins included. */
  readonly side: number;
  readonly margin: number;
  /** Meters, row by row from the north; NaN where nothing is known. */
  readonly values: Float64Array;
}

/** Columns and rows of a raster at the cells of a tile. */
function gridOf(raster: Raster, { z, x, y }: TileName, margin: number, side: number) {
  const count = Math.ceil(side / LATTICE) + 1;
  const knots = Array.from({ length: count * count }, (_, i) => {
    const cell = (k: number) => (k * LATTICE - margin + 0.5) / CELLS;
    return raster.toGrid(lngAt(x + cell(i % count), z), latAt(y + cell(Math.floor(i / count)), z));
  });
  return (column: number, row: number): readonly [number, number] => {
    const [i, j] = [Math.floor(column / LATTICE), Math.floor(row / LATTICE)];
    const [u, v] = [column / LATTICE - i, row / LATTICE - j];
    const at = (axis: 0 | 1) => {
      const knot = (di: number, dj: number) => knots[(j + dj) * count + i + di]![axis];
      return (knot(0, 0) * (1 - u) + knot(1, 0) * u) * (1 - v) + (knot(0, 1) * (1 - u) + knot(1, 1) * u) * v;
    };
    return [at(0), at(1)];
  };
}

/** The cells of a raster's window, each the mean of a square of cells: what is finer than a tile would flicker in it. */
async function coarseWindow(raster: Raster, [c0, r0, c1, r1]: Box, square: number) {
  const cells = await raster.window(1, c0, r0, c1, r1);
  if (square === 1) return { cells, width: c1 - c0 };
  const [across, width] = [c1 - c0, Math.ceil((c1 - c0) / square)];
  const sums = new Float64Array(width * Math.ceil((r1 - r0) / square));
  const counts = new Uint32Array(sums.length);
  for (let i = 0; i < cells.length; i++) {
    const value = cells[i]!;
    if (Number.isNaN(value)) continue;
    const at = Math.floor(Math.floor(i / across) / square) * width + Math.floor((i % across) / square);
    sums[at]! += value;
    counts[at]!++;
  }
  return { cells: sums.map((sum, i) => (counts[i]! > 0 ? sum / counts[i]! : Number.NaN)), width };
}

/** Fills the cells of a tile that have no height yet from a raster. */
async function fill(raster: Raster, tile: TileName, { side, margin, values }: TileHeights): Promise<void> {
  const grid = gridOf(raster, tile, margin, side);
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < side; i += 3)
    for (const [column, row] of [grid(i, 0), grid(i, side - 1), grid(0, i), grid(side - 1, i)]) {
      [west, east] = [Math.min(west, column), Math.max(east, column)];
      [north, south] = [Math.min(north, row), Math.max(south, row)];
    }
  const square = Math.max(1, Math.floor((east - west) / side));
  const [c0, r0] = [Math.max(0, Math.floor(west) - 2), Math.max(0, Math.floor(north) - 2)];
  const [c1, r1] = [Math.min(raster.width, Math.ceil(east) + 2), Math.min(raster.height, Math.ceil(south) + 2)];
  if (c0 >= c1 || r0 >= r1 || (c1 - c0) * (r1 - r0) > MOST_CELLS) return;
  const { cells, width } = await coarseWindow(raster, [c0, r0, c1, r1], square);
  const height = cells.length / width;
  const cell = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < width && row < height ? cells[row * width + column]! : Number.NaN;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i]!)) continue;
    const [column, row] = grid(i % side, Math.floor(i / side));
    values[i] = bilinear(cell, (column - c0) / square, (row - r0) / square);
  }
}

/**
 * The heights of a tile from the release's own terrain: the finest raster that has one at a cell. Null where none has any.
 * @param margin cells around the tile; four at most.
 * @throws Fault or DamagedFile when the release has no terrain, or a file about the tile cannot be read.
 */
export async function heightsOf(tile: TileName, margin: number, layers: Layers): Promise<TileHeights | null> {
  const { dataset, layer } = TERRAIN.source;
  const version = layers.release.layer(dataset, layer);
  if (!version) throw new Fault(layerLacking(dataset, layer));
  const side = CELLS + 2 * margin;
  const heights = { side, margin, values: new Float64Array(side * side).fill(Number.NaN) };
  const rasters: Raster[] = [];
  for (const partition of rastersAbout(PartitionSet.of(version), boxOfTile(tile)))
    rasters.push(await layers.raster(partition));
  rasters.sort((a, b) => a.cellArea - b.cellArea);
  for (const raster of rasters) if (heights.values.includes(Number.NaN)) await fill(raster, tile, heights);
  return heights.values.every(Number.isNaN) ? null : heights;
}

/**
 * Heights without gaps: where nothing is known the ground goes on level from the nearest cell of its row, or of its column, so that
 * no cliff stands at the edge of what is known.
 */
export function levelled({ side, values }: TileHeights): Float64Array {
  const out = values.slice();
  const spread = (start: number, step: number) => {
    for (let turn = 0, from = start, by = step; turn < 2; turn++, from = start + step * (side - 1), by = -step)
      for (let i = 0, last = Number.NaN, at = from; i < side; i++, at += by)
        if (Number.isNaN(out[at]!)) out[at] = last;
        else last = out[at]!;
  };
  for (let row = 0; row < side; row++) spread(row * side, 1);
  for (let column = 0; column < side; column++) spread(column, side);
  return out;
}
