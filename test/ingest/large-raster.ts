import { closeSync, openSync, writeSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { tiffHead } from '../../query/format/tiff-tags.ts';

const TILE = 256;
/** Columns and rows: 1.6 GB of cells of 32 bits. */
export const LARGE_SIDE = 20_224;
const PATTERNS = 7;
/** Offset of the tiles. Nothing is written before it, so that the file takes little room. */
const BEYOND = 5 * 2 ** 30;

/** The value of a cell of the large raster. */
export const largeValue = (column: number, row: number): number => {
  const tile = Math.floor(row / TILE) * Math.ceil(LARGE_SIDE / TILE) + Math.floor(column / TILE);
  return (tile % PATTERNS) * 1000 + (row % TILE) + (column % TILE) / TILE;
};

/** Writes a BigTIFF with 1.6 GB of cells, all of whose tiles lie beyond 4 GB. */
export function writeLargeRaster(path: string): void {
  const across = LARGE_SIDE / TILE;
  const tiles = Array.from({ length: PATTERNS }, (_, k) => {
    const cells = new Float32Array(TILE * TILE);
    for (let i = 0; i < cells.length; i++) cells[i] = k * 1000 + Math.floor(i / TILE) + (i % TILE) / TILE;
    return deflateSync(new Uint8Array(cells.buffer), { level: 1 });
  });
  const starts: number[] = [];
  let end = BEYOND;
  for (const tile of tiles) {
    starts.push(end);
    end += tile.length;
  }
  const each = Array.from({ length: across * across }, (_, i) => i % PATTERNS);
  const head = tiffHead([
    [256, 'long8', [LARGE_SIDE]],
    [257, 'long8', [LARGE_SIDE]],
    [258, 'short', [32]],
    [259, 'short', [8]],
    [262, 'short', [1]],
    [277, 'short', [1]],
    [322, 'short', [TILE]],
    [323, 'short', [TILE]],
    [324, 'long8', each.map(k => starts[k]!)],
    [325, 'long8', each.map(k => tiles[k]!.length)],
    [339, 'short', [3]],
    [33550, 'double', [1, 1, 0]],
    [33922, 'double', [0, 0, 0, 500_000, 4_500_000, 0]],
    // UTM zone 12 on NAD83, of areas.
    [34735, 'short', [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 26912]],
  ]);
  const file = openSync(path, 'w');
  writeSync(file, head, 0, head.length, 0);
  for (const [k, tile] of tiles.entries()) writeSync(file, tile, 0, tile.length, starts[k]!);
  closeSync(file);
}
