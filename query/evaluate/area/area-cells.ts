import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Coverage } from '../../release/coverage.ts';
import { Fault } from '../../release/fault.ts';
import { PartitionSet } from '../../release/lists/partition-set.ts';
import { rastersAbout } from '../../release/partitions-about.ts';
import type { Raster } from '../../release/raster.ts';
import { definitionOf } from '../context.ts';
import { byFineness, type Grid, readGrid, type Tile, type Window, windowBox } from '../raster/mosaic.ts';
import type { AreaContext } from './area.ts';

/** The rasters of a layer about an area, the finest first. */
interface TilesOver {
  readonly tiles: readonly Tile[];
  readonly searched: PartitionSet;
  /** Whom an absence cites. */
  readonly covering: readonly Partition[];
}

/** Some cells whose centres lie in an area: of row `runs[i]` those from `runs[i + 1]` up to `runs[i + 2]`, exclusive. */
interface Block {
  readonly window: Window;
  readonly runs: Int32Array;
}

/** Side of a block of cells that is read at once, and of one that is asked about at once at the area's edge. */
const [BLOCK, SQUARE] = [128, 16];

/** @throws Fault when the layer is no raster or not installed, or a raster about the area is unreadable. */
async function tilesOver(ctx: AreaContext, source: SourceRef): Promise<TilesOver> {
  if (definitionOf(ctx, source).kind !== 'raster') throw new Fault(`${nameOf(source)} is no raster`);
  return ctx.memo(`tiles over ${nameOf(source)}`, async () => {
    const version = ctx.layers.version(source.dataset, source.layer);
    const tiles: Tile[] = [];
    for (const partition of rastersAbout(PartitionSet.of(version), ctx.area.box)) {
      const raster = await ctx.layers.raster(partition);
      const window = windowOver(raster, ctx);
      if (window.column1 > 0 && window.row1 > 0 && window.column0 < raster.width && window.row0 < raster.height)
        tiles.push({ partition, raster });
    }
    // What a place brings answers before what covers everywhere.
    const isBounded = ({ partition }: Tile) => Number(partition.coverage !== 'everywhere');
    tiles.sort((a, b) => isBounded(b) - isBounded(a) || byFineness(a, b));
    const holding = tiles.map(({ partition }) => partition);
    const covering = holding.length ? holding : Coverage.of(version).at([]).covering;
    return { tiles, searched: PartitionSet.from(holding), covering };
  });
}

/** Columns and rows of a raster's grid that the area's box may meet. */
function windowOver(raster: Raster, { area: { geometry } }: AreaContext): Window {
  let [column0, row0, column1, row1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < geometry.xy.length; i += 2) {
    const [x, y] = raster.toGrid(geometry.xy[i]!, geometry.xy[i + 1]!);
    [column0, column1] = [Math.min(column0, x), Math.max(column1, x)];
    [row0, row1] = [Math.min(row0, y), Math.max(row1, y)];
  }
  // Edges that are straight in lng,lat bend on a projected grid, by less than a hundredth of their length.
  const [dx, dy] = [(column1 - column0) / 100 + 1, (row1 - row0) / 100 + 1];
  return {
    column0: Math.floor(column0 - dx),
    row0: Math.floor(row0 - dy),
    column1: Math.ceil(column1 + dx),
    row1: Math.ceil(row1 + dy),
  };
}

/** The cells of a grid whose centre lies in the area, in blocks; the cell at its interior point where it holds none. */
async function blocksOf(ctx: AreaContext, raster: Raster): Promise<readonly Block[]> {
  const blocks: Block[] = [];
  await addBlocks(ctx, raster, windowOver(raster, ctx), blocks);
  if (blocks.length) return blocks;
  const { lng, lat } = ctx.area.point;
  const [column, row] = raster.toGrid(lng, lat).map(Math.floor) as [number, number];
  const window = { column0: column, row0: row, column1: column + 1, row1: row + 1 };
  return [{ window, runs: Int32Array.of(row, column, column + 1) }];
}

async function addBlocks(ctx: AreaContext, raster: Raster, window: Window, blocks: Block[]): Promise<void> {
  const { grid } = ctx.area.prepared;
  if (grid.quick(windowBox(raster, window)) === 'outside') return;
  const { column0, row0, column1, row1 } = window;
  const [width, height] = [column1 - column0, row1 - row0];
  if (width > BLOCK || height > BLOCK) {
    const half = (size: number) => Math.ceil(size / 2 / BLOCK) * BLOCK;
    const [x, y] = [column0 + half(width), row0 + half(height)];
    if (width >= height) {
      await addBlocks(ctx, raster, { ...window, column1: x }, blocks);
      await addBlocks(ctx, raster, { ...window, column0: x }, blocks);
    } else {
      await addBlocks(ctx, raster, { ...window, row1: y }, blocks);
      await addBlocks(ctx, raster, { ...window, row0: y }, blocks);
    }
    return;
  }
  await ctx.pause();
  const runs = runsOf(ctx, raster, window);
  if (runs.length) blocks.push({ window, runs });
}

function runsOf(ctx: AreaContext, raster: Raster, { column0, row0, column1, row1 }: Window): Int32Array {
  const { grid } = ctx.area.prepared;
  const runs: number[] = [];
  const width = column1 - column0;
  const rows = new Uint8Array(width * SQUARE);
  for (let top = row0; top < row1; top += SQUARE) {
    const bottom = Math.min(row1, top + SQUARE);
    rows.fill(0);
    for (let left = column0; left < column1; left += SQUARE) {
      const right = Math.min(column1, left + SQUARE);
      const quick = grid.quick(windowBox(raster, { column0: left, row0: top, column1: right, row1: bottom }));
      if (quick === 'outside') continue;
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++)
          if (quick === 'inside' || grid.holds(...raster.toPoint(column + 0.5, row + 0.5)))
            rows[(row - top) * width + column - column0] = 1;
    }
    for (let row = top; row < bottom; row++) {
      const at = (row - top) * width;
      for (let x = 0; x < width; x++) {
        if (!rows[at + x]) continue;
        const from = x;
        while (x < width && rows[at + x]) x++;
        runs.push(row, column0 + from, column0 + x);
      }
    }
  }
  return Int32Array.from(runs);
}

/** What is wanted of the cells. */
export interface CellRequest {
  readonly source: SourceRef;
  readonly band: number;
  /** Cells around each one that its measure needs. */
  readonly margin: (tile: Tile, column: number, row: number) => number;
  /** The measured values of a grid in its order; NaN for none. */
  readonly values: (grid: Grid) => Float64Array;
}

/**
 * Visits the cells whose centre lies in the area, block by block, on the grid of the finest raster; cells beyond it come
 * from the others, as in raster_zonal.
 * @param visit is told the measured value, NaN for none.
 * @returns the partitions that cells came from, and the tile; or why there is no cell.
 * @throws Fault when a block of a raster is unreadable.
 */
export async function visitCells(
  ctx: AreaContext,
  { source, band, margin, values }: CellRequest,
  visit: (value: number) => void,
): Promise<
  { readonly partitions: ReadonlySet<Partition>; readonly tile: Tile } | { readonly covering: readonly Partition[] }
> {
  const { tiles, searched, covering } = await tilesOver(ctx, source);
  const [tile] = tiles;
  if (!tile) return { covering };
  const key = `cells over ${ctx.layers.file(tile.partition, 'raster').sha256}`;
  const blocks = await ctx.memo(key, () => blocksOf(ctx, tile.raster));
  const partitions = new Set<Partition>();
  for (const { window, runs } of blocks) {
    await ctx.pause();
    const around = margin(tile, window.column0, window.row0);
    const wider: Window = {
      column0: window.column0 - around,
      row0: window.row0 - around,
      column1: window.column1 + around,
      row1: window.row1 + around,
    };
    const grid = await readGrid(ctx, tile, searched, band, wider);
    const cells = values(grid);
    for (let i = 0; i < runs.length; i += 3) {
      const at = grid.index(0, runs[i]!);
      for (let column = runs[i + 1]!; column < runs[i + 2]!; column++) visit(cells[at + column]!);
    }
    for (const partition of grid.owners) partitions.add(partition);
  }
  return { partitions, tile };
}
