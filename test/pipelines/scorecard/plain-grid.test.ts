import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Partition } from '../../../datasets/release.ts';
import { cellAt, plainGrids } from '../../../pipelines/scorecard/plain-grid.ts';
import { LNGLAT } from '../../../query/format/cog.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRaster, sample } from '../../../query/release/raster.ts';
import { writeCog } from '../../query/cog-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-plain-grid-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A grid of 300 by 290 cells with columns without data, and the partition that has it. */
function grid(name: string, crs: string, west: number, north: number, cell: number): [string, readonly Partition[]] {
  const path = join(folder, `${name}.cog`);
  const value = (column: number, row: number) => (column % 37 === 5 ? Number.NaN : column * 1000 + row);
  writeCog(path, { crs, west, north, cell, width: 300, height: 290, value });
  const { size: bytes } = statSync(path);
  return [path, [{ files: [{ role: 'raster', path: `${name}.cog`, bytes }] }] as unknown as readonly Partition[]];
}

it.each([
  ['in degrees', LNGLAT, -70, 45, 0.001, -70, 45, 0.3, 0.29],
  [
    'on a projection',
    '+proj=utm +zone=19 +datum=NAD83 +units=m +no_defs',
    400_000,
    4_900_000,
    30,
    -70.25,
    44.25,
    0.11,
    0.08,
  ],
])('a grid %s says at a place what it says where places are answered', async (name, crs, west, north, cell, ...box) => {
  const [path, partitions] = grid(name.replaceAll(' ', '-'), crs, west, north, cell);
  const grids = await plainGrids(folder, partitions);
  const raster = openRaster(path, path, createCache(16));
  const [left, top, wide, high] = box as [number, number, number, number];
  let values = 0;
  try {
    for (let i = 1; i <= 200; i++) {
      const place = [left + ((i * 0.618034) % 1) * wide, top - ((i * 0.754878) % 1) * high] as const;
      for (const sampling of ['nearest', 'bilinear'] as const) {
        const said = await cellAt(grids, 1, place, sampling);
        const expected = await sample(raster, 1, ...place, sampling);
        if (typeof said === 'number') expect(said).toBeCloseTo(expected!, 6);
        else expect([said, expected ?? 'none']).toEqual(['none', 'none']);
        values += Number(typeof said === 'number');
      }
    }
  } finally {
    raster.close();
  }
  expect(values).toBeGreaterThan(100);
  expect(await cellAt(grids, 1, [left - 9, top], 'nearest')).toBe('none');
  expect(await cellAt([...grids, ...grids], 1, [left + wide / 2, top - high / 2], 'nearest')).toBe('undecidable');
});
