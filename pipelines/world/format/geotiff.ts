import { deflateSync } from 'node:zlib';
import { FileSink, patchFile } from './sink.ts';

/** A grid of the area: north-up, its upper left corner and cell size in the units of its CRS. */
export interface Grid {
  readonly epsg: 4269 | 4326 | 26919;
  readonly left: number;
  readonly top: number;
  readonly cellX: number;
  readonly cellY: number;
  readonly columns: number;
  readonly rows: number;
  readonly sample: 'uint8' | 'int16' | 'uint16' | 'float32';
  readonly nodata: number | null;
  /** Value of the cell, column from the west, row from the north. */
  readonly value: (column: number, row: number) => number;
}

const TILE = 256;
const SAMPLES = {
  uint8: { bytes: 1, format: 1, put: (b: Buffer, v: number, at: number) => b.writeUInt8(v, at) },
  uint16: { bytes: 2, format: 1, put: (b: Buffer, v: number, at: number) => b.writeUInt16LE(v, at) },
  int16: { bytes: 2, format: 2, put: (b: Buffer, v: number, at: number) => b.writeInt16LE(v, at) },
  float32: { bytes: 4, format: 3, put: (b: Buffer, v: number, at: number) => b.writeFloatLE(v, at) },
} as const;

type Tag = readonly [tag: number, type: 2 | 3 | 4 | 12, values: readonly number[] | string];
const WIDTH = { 2: 1, 3: 2, 4: 4, 12: 8 } as const;

/** GeoKeyDirectory of a CRS (OGC GeoTIFF 1.1): model type, pixel-is-area, CRS code and unit. */
function geoKeys(epsg: Grid['epsg']): number[] {
  return epsg === 26919
    ? [1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, epsg, 3076, 0, 1, 9001]
    : [1, 1, 0, 4, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, epsg, 2054, 0, 1, 9102];
}

function directory(tags: readonly Tag[], at: number): Buffer {
  const sorted = [...tags].sort((a, b) => a[0] - b[0]);
  const head = Buffer.alloc(2 + 12 * sorted.length + 4);
  head.writeUInt16LE(sorted.length, 0);
  const extra: Buffer[] = [];
  let offset = at + head.length;
  for (const [i, [tag, type, values]] of sorted.entries()) {
    const list = typeof values === 'string' ? [...Buffer.from(`${values}\0`)] : values;
    const data = Buffer.alloc(Math.max(4, Math.ceil((list.length * WIDTH[type]) / 2) * 2));
    for (const [k, value] of list.entries()) {
      if (type === 2) data.writeUInt8(value, k);
      else if (type === 3) data.writeUInt16LE(value, 2 * k);
      else if (type === 4) data.writeUInt32LE(value, 4 * k);
      else data.writeDoubleLE(value, 8 * k);
    }
    const entry = 2 + 12 * i;
    head.writeUInt16LE(tag, entry);
    head.writeUInt16LE(type, entry + 2);
    head.writeUInt32LE(list.length, entry + 4);
    if (list.length * WIDTH[type] <= 4) data.copy(head, entry + 8, 0, 4);
    else {
      head.writeUInt32LE(offset, entry + 8);
      extra.push(data);
      offset += data.length;
    }
  }
  return Buffer.concat([head, ...extra]);
}

/**
 * Writes a tiled, deflated GeoTIFF of one band, tile by tile: no more than one tile is in memory.
 * @returns the number of cells.
 */
export async function writeGeotiff(path: string, grid: Grid): Promise<number> {
  const { bytes, format, put } = SAMPLES[grid.sample];
  const sink = await FileSink.open(path);
  await sink.write(Buffer.alloc(8));
  const offsets: number[] = [];
  const sizes: number[] = [];
  for (let top = 0; top < grid.rows; top += TILE)
    for (let left = 0; left < grid.columns; left += TILE) {
      const tile = Buffer.alloc(TILE * TILE * bytes);
      for (let y = 0; y < Math.min(TILE, grid.rows - top); y++)
        for (let x = 0; x < Math.min(TILE, grid.columns - left); x++)
          put(tile, grid.value(left + x, top + y), (y * TILE + x) * bytes);
      const packed = deflateSync(tile, { level: 6 });
      offsets.push(sink.offset);
      sizes.push(packed.length);
      await sink.write(packed);
    }
  if (sink.offset % 2) await sink.write(Buffer.alloc(1));
  const start = sink.offset;
  const tags: Tag[] = [
    [256, 4, [grid.columns]],
    [257, 4, [grid.rows]],
    [258, 3, [bytes * 8]],
    [259, 3, [8]],
    [262, 3, [1]],
    [277, 3, [1]],
    [284, 3, [1]],
    [322, 3, [TILE]],
    [323, 3, [TILE]],
    [324, 4, offsets],
    [325, 4, sizes],
    [339, 3, [format]],
    [33550, 12, [grid.cellX, grid.cellY, 0]],
    [33922, 12, [0, 0, 0, grid.left, grid.top, 0]],
    [34735, 3, geoKeys(grid.epsg)],
    ...(grid.nodata === null ? [] : [[42113, 2, String(grid.nodata)] as const]),
  ];
  await sink.write(directory(tags, start));
  await sink.close();
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(start, 4);
  await patchFile(path, head);
  return grid.columns * grid.rows;
}
