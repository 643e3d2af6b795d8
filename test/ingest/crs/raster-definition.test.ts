import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCache } from '../../../query/release/cache.ts';
import { openRaster } from '../../../query/release/raster.ts';
import { rasterStore } from '../published-raster.ts';

const SIDE = 40;
const folder = mkdtempSync(join(tmpdir(), 'plat-raster-crs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gdal = (program: string, args: readonly string[], input = '') =>
  execFileSync(program, args, { encoding: 'utf8', input, stdio: 'pipe' });

/** A GeoTIFF in a CRS around a place. No two of its cells have the same value. */
function geotiff(crs: string, [lng, lat]: readonly [number, number]): string {
  const name = crs.replace(/\W+/g, '-').slice(0, 40);
  const [grid, path] = [join(folder, `${name}.asc`), join(folder, `${name}.tif`)];
  const lines = Array.from({ length: SIDE }, (_, y) => Array.from({ length: SIDE }, (_, x) => y * SIDE + x).join(' '));
  const corner = `xllcorner ${lng - 0.05}\nyllcorner ${lat - 0.05}\ncellsize ${0.1 / SIDE}\nnodata_value -9999`;
  writeFileSync(grid, `ncols ${SIDE}\nnrows ${SIDE}\n${corner}\n${lines.join('\n')}\n`);
  gdal('gdalwarp', ['-q', '-s_srs', 'EPSG:4326', '-t_srs', crs, grid, path]);
  return path;
}

const store = rasterStore();

async function ingested(path: string) {
  return { raster: openRaster(await store(path), path, createCache(4)) };
}

describe('the CRS of a GeoTIFF', { tags: ['GDAL'] }, () => {
  const LANSING = [-84.55, 42.73] as const;
  it.each([
    ['EPSG:2253', LANSING],
    ['EPSG:26916', LANSING],
    ['EPSG:5070', LANSING],
    ['EPSG:4269', LANSING],
    ['EPSG:3857', LANSING],
    ['EPSG:2898', LANSING],
    ['ESRI:102123', LANSING],
    ['EPSG:26931', [-134.4, 58.3]],
    ['ESRI:103600', [-95.2, 47.1]],
    // Spelled out in keys, in US survey feet and in international feet.
    [
      '+proj=lcc +lat_0=41.5 +lon_0=-84.3666666666667 +lat_1=43.6666666666667 +lat_2=42.1 +x_0=4000000 +y_0=0 +ellps=GRS80 +units=us-ft',
      LANSING,
    ],
    ['+proj=tmerc +lat_0=41.5 +lon_0=-84.3 +k=0.99996 +x_0=1000 +y_0=0 +ellps=GRS80 +units=ft', LANSING],
  ] as const)('%s answers a point as GDAL does', async (crs, place) => {
    const path = geotiff(crs, place);
    const { raster } = await ingested(path);
    for (const [dx, dy] of [
      [0.0011, 0.0012],
      [0.031, -0.022],
      [-0.027, 0.034],
    ] as const) {
      const [lng, lat] = [place[0] + dx, place[1] + dy];
      const expected = Number(gdal('gdallocationinfo', ['-valonly', '-wgs84', path], `${lng} ${lat}\n`));
      const cell = raster.locate(lng, lat);
      expect(cell, `${lng} ${lat}`).not.toBeNull();
      expect(await raster.cell(1, Math.floor(cell![0]), Math.floor(cell![1]))).toBe(expected);
    }
    raster.close();
  });

  it('is refused by name where its cells cannot be placed', async () => {
    await expect(ingested(geotiff('EPSG:26716', LANSING))).rejects.toMatchObject({
      code: 'crs_unknown',
      message: expect.stringMatching(/NAD27 \/ UTM zone 16N.*shift grid.*PLAT_PROJ_GRIDS/),
    });
  });
});
