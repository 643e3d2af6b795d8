import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCache } from '../../../query/release/cache.ts';
import { openRaster, sample } from '../../../query/release/raster.ts';
import { rasterStore } from '../../ingest/published-raster.ts';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const gdal = spawnSync('gdallocationinfo', ['--version']).status === 0;
const ready = existsSync(data) && gdal;
if (!ready) console.warn('skipped: real rasters need ../shared/data and gdal-bin (Debian package)');

const store = rasterStore();
const FILES = [
  'raster/zion-ut/nlcd2011_original_classes.tif',
  'raster/zion-ut/srtm_dem.tif',
  'raster/alexandria-va/dtm_2m.tif',
  'fixtures/derived/zion_srtm_cog.tif',
  'fixtures/derived/zion_nlcd2011_cog.tif',
];

/** lng,lat of the raster's corners and centre according to GDAL. */
function boxOf(path: string): { west: number; south: number; east: number; north: number } {
  const info = JSON.parse(execFileSync('gdalinfo', ['-json', path], { encoding: 'utf8' })) as {
    wgs84Extent: { coordinates: number[][][] };
  };
  const ring = info.wgs84Extent.coordinates[0]!;
  const [x, y] = [ring.map(c => c[0]!), ring.map(c => c[1]!)];
  return { west: Math.min(...x), east: Math.max(...x), south: Math.min(...y), north: Math.max(...y) };
}

describe('rasters as published, against gdallocationinfo', { tags: ['published-files', 'GDAL'] }, () => {
  // Where none is there the tag skips them all, which needs something to skip.
  it.each(ready ? FILES.filter(file => existsSync(data + file)) : FILES)('%s', async file => {
    const path = data + file;
    const { west, south, east, north } = boxOf(path);
    const points = Array.from({ length: 200 }, (_, i) => [
      west + (((i * 0.6180339887) % 1) * 1.04 - 0.02) * (east - west),
      south + (((i * 0.7548776662) % 1) * 1.04 - 0.02) * (north - south),
    ]);
    const output = execFileSync('gdallocationinfo', ['-valonly', '-wgs84', path], {
      input: points.map(p => p.join(' ')).join('\n'),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const nodata = (
      JSON.parse(execFileSync('gdalinfo', ['-json', path], { encoding: 'utf8' })) as {
        bands: { noDataValue?: number }[];
      }
    ).bands[0]!.noDataValue;
    const lines = output.split('\n');
    const raster = openRaster(await store(path), file, createCache(64));
    let compared = 0;
    for (const [i, [lng, lat]] of points.entries()) {
      const theirs = lines[i]!.trim();
      const ours = await sample(raster, 1, lng!, lat!, 'nearest');
      if (theirs === '') expect(ours).toBeUndefined();
      else if (nodata !== undefined && Number(theirs) === nodata) expect(ours).toBeNull();
      else {
        expect(ours).toBeCloseTo(Number(theirs), 3);
        compared++;
      }
    }
    raster.close();
    expect(compared).toBeGreaterThan(20);
  });
});
