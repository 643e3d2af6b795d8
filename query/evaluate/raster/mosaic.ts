import type { Box } from '../../../datasets/geometry.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Coverage } from '../../release/coverage.ts';
import { Fault, Interrupted } from '../../release/fault.ts';
import { mayHold } from '../../release/layers.ts';
import type { PartitionSet } from '../../release/lists/partition-set.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import { rastersAbout } from '../../release/partitions-about.ts';
import type { Raster } from '../../release/raster.ts';
import { type Batch, type Context, definitionOf, layerAt } from '../context.ts';
import type { Spans } from './grid-spans.ts';

/** A raster of a layer and the partition that holds it. */
export interface Tile {
  readonly partition: Partition;
  readonly raster: Raster;
}

/** What a raster layer holds at a point. */
export interface TilesAt {
  /** Partitions whose coverage holds the point. */
  readonly covering: readonly Partition[];
  readonly searched: PartitionSet;
  /** Tiles whose cells hold the point: the finest grid first, then by partition key. */
  readonly atPoint: readonly Tile[];
}

/** Orders tiles by the size of their cells, the finest first. Equal ones stay in the order of the release. */
export const byFineness = (a: Tile, b: Tile) =>
  a.raster.cellArea - b.raster.cellArea ||
  Number(a.partition.key > b.partition.key) - Number(a.partition.key < b.partition.key);

/**
 * The tiles of a raster layer at the request's point, found once a request. Tiles of one product may overlap.
 * @throws Fault when the layer is not installed or no raster, or a file that could hold the point is unreadable.
 */
export function tilesAt(ctx: Context, source: SourceRef): MaybePromise<TilesAt> {
  return ctx.memo(keyOf(source), async () => {
    if (definitionOf(ctx, source).kind !== 'raster') throw new Fault(`${nameOf(source)} is no raster`);
    const { covering, searched } = await layerAt(ctx, source);
    if (!covering.length) return { covering, searched, atPoint: [] };
    const { lng, lat } = ctx.point;
    const atPoint: Tile[] = [];
    for (const partition of rastersAbout(searched, [lng, lat, lng, lat])) {
      if (!mayHold(partition, lng, lat)) continue;
      try {
        const raster = await ctx.layers.raster(partition);
        if (raster.locate(lng, lat)) atPoint.push({ partition, raster });
      } catch (error) {
        // What was allowed for in its box does not make an unreadable tile one of the point's.
        if (touches([lng, lat, lng, lat], partition, 0)) throw error;
      }
    }
    return { covering, searched, atPoint: atPoint.sort(byFineness) };
  });
}

const keyOf = (source: SourceRef) => `tiles ${source.dataset}:${source.layer}`;

/** The tiles at each point of a batch, one object for the points that share them. */
interface Told {
  readonly tiles: readonly TilesAt[];
  /** Each point on the grid of its finest tile, column and row with fractions; null where it has none. */
  readonly at: readonly (readonly [number, number] | null)[];
}

/**
 * Tells every point of a batch its tiles, so that tilesAt does not look again: each raster about the batch is opened once.
 * @returns the same tiles; null where points are not told, because more than rasters decides the coverage, one of them cannot be
 * read, or a pack ends among them: then every point finds out on its own.
 */
export function tellTiles(batch: Batch, source: SourceRef): Promise<Told | null> {
  return batch.memo(`told ${keyOf(source)}`, async () => {
    const { layers, box } = batch;
    const version = layers.release.layer(source.dataset, source.layer);
    if (!version) return null;
    if (batch.contexts.some(({ point }) => layers.isBeyond(point))) return null;
    const coverage = Coverage.of(version);
    let bounded: readonly Partition[];
    let searched: PartitionSet;
    const tiles: Tile[] = [];
    try {
      bounded = layers.coveringAbout(coverage, box);
      const rastersDecide = bounded.every(p => p.coverage === 'extent' && p.files.some(f => f.role === 'raster'));
      if (!rastersDecide || (bounded.length && coverage.at([]).covering.length)) return null;
      ({ searched } = coverage.at(bounded.slice(0, 1)));
      for (const partition of rastersAbout(searched, box))
        tiles.push({ partition, raster: await layers.raster(partition) });
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      return null;
    }
    tiles.sort(byFineness);
    const byKey = new Map<string, TilesAt>();
    let last: TilesAt | null = null;
    const at: (readonly [number, number] | null)[] = [];
    const told = batch.contexts.map(({ point: { lng, lat } }) => {
      const atPoint: Tile[] = [];
      let first: readonly [number, number] | null = null;
      for (const tile of tiles) {
        const place = mayHold(tile.partition, lng, lat) ? tile.raster.locate(lng, lat) : null;
        if (!place) continue;
        first ??= place;
        atPoint.push(tile);
      }
      at.push(first);
      if (last && atPoint.length === last.atPoint.length && atPoint.every((tile, i) => tile === last!.atPoint[i]))
        return last;
      // A place may have several tiles under one key.
      const key = atPoint.map(tile => tiles.indexOf(tile)).join();
      let told = byKey.get(key);
      if (!told) {
        const { covering } = coverage.at(bounded.length ? atPoint.map(t => t.partition) : []);
        told = { covering, searched, atPoint };
        byKey.set(key, told);
      }
      last = told;
      return told;
    });
    batch.tell(keyOf(source), told);
    return { tiles: told, at };
  });
}

/** Cells of a rectangle of a raster's grid, which may reach beyond the raster: neighbouring tiles fill it. */
export class Grid {
  readonly raster: Raster;
  readonly column0: number;
  readonly row0: number;
  readonly width: number;
  readonly height: number;
  /** Row by row from the top; NaN where there is no data. */
  readonly values: Float64Array;
  /** Which tile each cell came from, as an index of `tiles`; null where all came from the first. */
  readonly #owners: Uint8Array | null;
  readonly #tiles: readonly Tile[];
  readonly #own: readonly Partition[];
  readonly #derived = new Map<string, Float64Array>();

  constructor(window: Window, values: Float64Array, tiles: readonly Tile[], owners: Uint8Array | null) {
    this.raster = tiles[0]!.raster;
    this.column0 = window.column0;
    this.row0 = window.row0;
    this.width = window.column1 - window.column0;
    this.height = window.row1 - window.row0;
    this.values = values;
    this.#tiles = tiles;
    this.#own = [tiles[0]!.partition];
    this.#owners = owners;
  }

  /** Index into `values` of a column and row of the raster's grid; they must lie within the rectangle. */
  index(column: number, row: number): number {
    return (row - this.row0) * this.width + (column - this.column0);
  }

  /** The value of a cell; NaN for no data and outside the rectangle. */
  at(column: number, row: number): number {
    const [x, y] = [column - this.column0, row - this.row0];
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? this.values[y * this.width + x]! : Number.NaN;
  }

  /** Something computed of all cells, made once a key. */
  derived(key: string, compute: () => Float64Array): Float64Array {
    let cached = this.#derived.get(key);
    if (!cached) {
      cached = compute();
      this.#derived.set(key, cached);
    }
    return cached;
  }

  /** The partitions that cells of the rectangle came from; the grid's own is always among them. */
  get owners(): readonly Partition[] {
    if (!this.#owners) return this.#own;
    return [...new Set(this.#owners).add(0)].map(i => this.#tiles[i]!.partition);
  }

  /**
   * The partitions that the cells of some spans came from; the grid's own is always among them.
   * @param around cells to each side of the spans that count too.
   */
  sources({ row0, from, to }: Spans, around = 0): readonly Partition[] {
    const owners = this.#owners;
    if (!owners) return this.#own;
    const used = new Set([0]);
    for (let i = 0; i < from.length; i++)
      for (let row = row0 + i - around; row <= row0 + i + around; row++)
        for (let column = from[i]! - around; column < to[i]! + around; column++)
          if (!Number.isNaN(this.at(column, row))) used.add(owners[this.index(column, row)]!);
    return [...used].sort((a, b) => a - b).map(i => this.#tiles[i]!.partition);
  }
}

/** Whole columns and rows of a raster's grid, the last ones exclusive. */
export interface Window {
  readonly column0: number;
  readonly row0: number;
  readonly column1: number;
  readonly row1: number;
}

/** The lng,lat box of a window, from points along its sides, with a hundredth to spare for their curves. */
export function windowBox(raster: Raster, { column0, row0, column1, row1 }: Window): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const u of [0, 0.25, 0.5, 0.75, 1])
    for (const v of [0, 0.25, 0.5, 0.75, 1]) {
      const [lng, lat] = raster.toPoint(column0 + u * (column1 - column0), row0 + v * (row1 - row0));
      [west, east] = [Math.min(west, lng), Math.max(east, lng)];
      [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    }
  const [dx, dy] = [(east - west) / 100, (north - south) / 100];
  return [west - dx, south - dy, east + dx, north + dy];
}

/** Whether a lng,lat box touches that of a partition, widened by a share of its size: boxes may be made of corners. */
function touches(box: Box, { box: b }: Partition, share: number): boolean {
  if (!b) return true;
  const [dx, dy] = [(b[2] - b[0]) * share, (b[3] - b[1]) * share];
  if (box[1] > b[3] + dy || box[3] < b[1] - dy) return false;
  // A window continued across 180 meets the tile that begins at -180.
  return [-360, 0, 360].some(turned => box[0] + turned <= b[2] + dx && box[2] + turned >= b[0] - dx);
}

/** Partitions beside the first that may hold cells of a window: told by their boxes alone, so that none is opened. */
export function neighbours(tile: Tile, searched: PartitionSet, window: Window): Partition[] {
  if (searched.isOnly(tile.partition)) return [];
  const box = windowBox(tile.raster, window);
  return rastersAbout(searched, box).filter(partition => partition !== tile.partition && touches(box, partition, 0.1));
}

/**
 * Reads a window of a tile's grid. A cell beyond the tile, or without data in it, takes the value of the cell that holds
 * its centre in the next tile that has one, the finest first: exact for tiles cut from one grid, the nearest cell else.
 * @throws Fault when a block of a tile that could hold such a cell cannot be read.
 */
export async function readGrid(
  ctx: Pick<Context, 'layers'>,
  tile: Tile,
  searched: PartitionSet,
  band: number,
  window: Window,
): Promise<Grid> {
  const { raster } = tile;
  const { column0, row0, column1, row1 } = window;
  const values = await raster.window(band, column0, row0, column1, row1);
  const others = values.includes(Number.NaN) ? neighbours(tile, searched, window) : [];
  if (!others.length) return new Grid(window, values, [tile], null);
  const rest: Tile[] = [];
  for (const partition of others)
    try {
      rest.push({ partition, raster: await ctx.layers.raster(partition) });
    } catch (error) {
      if (touches(windowBox(raster, window), partition, 0)) throw error;
    }
  const tiles = [tile, ...rest.sort(byFineness).slice(0, 254)];
  const owners = new Uint8Array(values.length);
  for (let t = 1; t < tiles.length; t++) {
    const other = tiles[t]!.raster;
    const wanted: { at: number; column: number; row: number }[] = [];
    for (let at = 0; at < values.length; at++) {
      if (!Number.isNaN(values[at]!)) continue;
      const [x, y] = [at % (column1 - column0), Math.floor(at / (column1 - column0))];
      const [lng, lat] = raster.toPoint(column0 + x + 0.5, row0 + y + 0.5);
      const cell = other.locate(lng, lat) ?? other.locate(lng > 0 ? lng - 360 : lng + 360, lat);
      if (cell) wanted.push({ at, column: Math.floor(cell[0]), row: Math.floor(cell[1]) });
    }
    if (!wanted.length) continue;
    let [c0, r0, c1, r1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { column, row } of wanted) {
      [c0, c1] = [Math.min(c0, column), Math.max(c1, column + 1)];
      [r0, r1] = [Math.min(r0, row), Math.max(r1, row + 1)];
    }
    const cells = await other.window(band, c0, r0, c1, r1);
    for (const { at, column, row } of wanted) {
      values[at] = cells[(row - r0) * (c1 - c0) + (column - c0)]!;
      owners[at] = t;
    }
  }
  return new Grid(window, values, tiles, owners);
}
