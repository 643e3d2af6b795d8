import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCache } from '../../query/release/cache.ts';
import { openRaster } from '../../query/release/raster.ts';
import { LARGE_SIDE, largeValue, writeLargeRaster } from './large-raster.ts';
import { rasterStore } from './published-raster.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-large-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'large.tif');
beforeAll(() => writeLargeRaster(path));
const store = rasterStore();

describe('a raster of 1.6 GB beyond the first 4 GB of its file', () => {
  it('is stored in memory that does not grow with it', async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const stored = await store(path, {}, {}, () => {
      most = Math.max(most, process.memoryUsage().rss);
    });
    expect((most - before) / 2 ** 20).toBeLessThan(700);
    const raster = openRaster(stored, 'large', createCache(64));
    for (const [column, row] of [0, 255, 256, 9_999, 15_000, LARGE_SIDE - 1].flatMap((c, _, all) =>
      all.map(r => [c, r] as const),
    ))
      expect(await raster.cell(1, column, row), `${column} ${row}`).toBe(largeValue(column, row));
    raster.close();
  }, 900_000);

  it('stops at the next block when it is told to', async () => {
    const stop = new AbortController();
    let blocks = 0;
    const each = () => {
      if (++blocks === 3) stop.abort();
    };
    await expect(store(path, {}, {}, each, stop.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(blocks).toBe(3);
  });
});
