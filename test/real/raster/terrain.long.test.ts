import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { discSpans } from '../../../query/evaluate/raster/grid-spans.ts';
import { Grid } from '../../../query/evaluate/raster/mosaic.ts';
import { heightAt, measure, ruggedness } from '../../../query/evaluate/raster/terrain.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRaster, type Raster } from '../../../query/release/raster.ts';
import { rasterStore } from '../../ingest/published-raster.ts';
import { metresBetween, pointAt } from '../../oracle/geodesic.ts';

const data = fileURLToPath(new URL('../../../../shared/data/raster/', import.meta.url));
const gdal = spawnSync('gdalinfo', ['--version']).status === 0;
const ready = existsSync(data) && gdal;
if (!ready) console.warn('skipped: terrain against gdaldem needs ../shared/data and gdal-bin (Debian package)');

const folder = mkdtempSync(join(tmpdir(), 'plat-terrain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, ...args: string[]) => execFileSync(program, [...args, '-q'], { cwd: folder });

/** All cells of a raster that GDAL wrote, read as text so that no code of ours is in between. */
function cellsOf(file: string): number[] {
  execFileSync('gdal_translate', ['-q', '-of', 'XYZ', file, 'cells.xyz'], { cwd: folder });
  return execFileSync('cut', ['-d', ' ', '-f', '3', 'cells.xyz'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n')
    .map(Number);
}

async function whole(raster: Raster): Promise<Grid> {
  const window = { column0: 0, row0: 0, column1: raster.width, row1: raster.height };
  const values = await raster.window(1, 0, 0, raster.width, raster.height);
  return new Grid(window, values, [{ raster, partition: null as never }], null);
}

const store = rasterStore();
const RADIANS = Math.PI / 180;
/** The greater of two differences; NaN, which a comparison would let pass, is the greatest. */
const worse = (worst: number, difference: number) =>
  Number.isNaN(difference) ? Infinity : Math.max(worst, Math.abs(difference));
const between = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180);

describe('terrain against gdaldem', { tags: ['published-files', 'GDAL'] }, () => {
  it('slope, aspect and ruggedness of Zion in degrees, with the metric cell of each row', async () => {
    const path = join(data, 'zion-ut/srtm_dem.tif');
    const raster = openRaster(await store(path), 'zion', createCache(64));
    const grid = await whole(raster);
    let [slopes, aspects] = [0, 0];
    // The worst of thousands of cells each: one expectation a cell takes longer than all else.
    const off = { slope: 0, ruggedness: 0, aspect: 0 };
    const rows = [1, 100, 228, 350, 455];
    for (const row of rows) {
      // gdaldem takes one scale for a whole grid, so it gets three rows and the true size of a cell in the middle one.
      const [lng, lat] = raster.toPoint(0.5, row + 0.5);
      const [east] = raster.toPoint(1.5, row + 0.5);
      const half = (raster.toPoint(0, row)[1] - raster.toPoint(0, row + 1)[1]) / 2;
      const dx = metresBetween(lng, lat, east, lat);
      const dy = metresBetween(lng, lat - half, lng, lat + half);
      const corners = ['0', String(3 * dy), String(raster.width * dx), '0'];
      run(
        'gdal_translate',
        '-srcwin',
        '0',
        String(row - 1),
        String(raster.width),
        '3',
        '-a_srs',
        'EPSG:32612',
        '-ot',
        'Float64',
        '-a_ullr',
        ...corners,
        path,
        'rows.tif',
      );
      run('gdaldem', 'slope', 'rows.tif', 'slope.tif');
      run('gdaldem', 'aspect', 'rows.tif', 'aspect.tif');
      run('gdaldem', 'TRI', '-alg', 'Riley', 'rows.tif', 'tri.tif');
      const [slope, aspect, tri] = ['slope.tif', 'aspect.tif', 'tri.tif'].map(cellsOf) as [
        number[],
        number[],
        number[],
      ];
      for (let column = 1; column < raster.width - 1; column++) {
        const at = raster.width + column;
        off.slope = worse(off.slope, measure(grid, 'slope_degrees', column, row, null) - slope[at]!);
        off.ruggedness = worse(off.ruggedness, ruggedness(grid, column + 0.5, row + 0.5, null) - tri[at]!);
        slopes++;
        const ours = measure(grid, 'aspect_degrees', column, row, null);
        if (aspect[at] === -9999) expect(ours).toBeNaN();
        else {
          // gdaldem's aspect takes cells for square: its two components are per cell, not per metre.
          const [across, up] = [Math.sin(aspect[at]! * RADIANS) / dx, Math.cos(aspect[at]! * RADIANS) / dy];
          off.aspect = worse(off.aspect, between(ours, Math.atan2(across, up) / RADIANS));
          aspects++;
        }
      }
    }
    expect(off.slope).toBeLessThan(0.0005);
    expect(off.ruggedness).toBeLessThan(0.0005);
    expect(off.aspect).toBeLessThan(0.01);
    expect(slopes).toBe(rows.length * (raster.width - 2));
    expect(aspects).toBeGreaterThan(slopes * 0.9);
    raster.close();
  });

  it('slope and aspect of the Alexandria lidar grid: grid north of UTM turned to true north', async () => {
    const path = join(data, 'alexandria-va/dtm_2m.tif');
    const raster = openRaster(await store(path), 'alexandria', createCache(64));
    const grid = await whole(raster);
    run('gdaldem', 'slope', path, 'utm_slope.tif', '-p');
    run('gdaldem', 'aspect', path, 'utm_aspect.tif');
    const [slope, aspect] = ['utm_slope.tif', 'utm_aspect.tif'].map(cellsOf) as [number[], number[]];
    let compared = 0;
    for (let row = 1; row < raster.height - 1; row += 3)
      for (let column = 1; column < raster.width - 1; column += 3) {
        const at = row * raster.width + column;
        const ours = measure(grid, 'slope_percent', column, row, null);
        if (slope[at] === -9999) {
          expect(ours).toBeNaN();
          continue;
        }
        // UTM shrinks or stretches the ground by up to 0.04 percent.
        expect(Math.abs(ours - slope[at]!)).toBeLessThan(0.001 * slope[at]! + 1e-4);
        if (slope[at]! < 0.5) continue;
        const [lng, lat] = raster.toPoint(column + 0.5, row + 0.5);
        // Convergence of UTM zone 18 (central meridian -75): tan γ = tan(λ - λ0) sin φ, on the sphere.
        const convergence = Math.atan(Math.tan((lng + 75) * RADIANS) * Math.sin(lat * RADIANS)) / RADIANS;
        expect(between(measure(grid, 'aspect_degrees', column, row, null), aspect[at]! + convergence)).toBeLessThan(
          0.05,
        );
        compared++;
      }
    expect(compared).toBeGreaterThan(3000);
    raster.close();
  });

  it('ruggedness of places 30 m apart, resampled by gdalwarp about the point', async () => {
    const path = join(data, 'alexandria-va/dtm_2m.tif');
    const raster = openRaster(await store(path), 'alexandria', createCache(64));
    const grid = await whole(raster);
    for (const [column, row] of [
      [60.3, 80.7],
      [141.5, 130.2],
      [220.1, 199.9],
    ] as const) {
      const [lng, lat] = raster.toPoint(column, row);
      const about = `+proj=aeqd +lat_0=${lat} +lon_0=${lng} +datum=NAD83 +units=m`;
      rmSync(join(folder, 'about.tif'), { force: true });
      run(
        'gdalwarp',
        '-t_srs',
        about,
        '-te',
        '-45',
        '-45',
        '45',
        '45',
        '-tr',
        '30',
        '30',
        '-r',
        'bilinear',
        '-ovr',
        'NONE',
        '-et',
        '0',
        '-wo',
        'XSCALE=1',
        '-wo',
        'YSCALE=1',
        path,
        'about.tif',
      );
      run('gdaldem', 'TRI', '-alg', 'Riley', 'about.tif', 'about_tri.tif');
      expect(ruggedness(grid, column, row, 30)).toBeCloseTo(cellsOf('about_tri.tif')[4]!, 3);
      expect(heightAt(grid, column, row)).toBeCloseTo(cellsOf('about.tif')[4]!, 3);
    }
    raster.close();
  });

  it('discs of land cover in UTM and heights in degrees hold exactly the centres that Karney puts within', async () => {
    for (const [file, metres] of [
      ['zion-ut/nlcd2011_original_classes.tif', 1000],
      ['zion-ut/srtm_dem.tif', 1000],
      ['alexandria-va/dtm_2m.tif', 100],
    ] as const) {
      const raster = openRaster(await store(join(data, file)), file, createCache(64));
      for (const [u, v] of [
        [0.5, 0.5],
        [0.1, 0.9],
        [0.73, 0.02],
      ] as const) {
        const [lng, lat] = raster.toPoint(u * raster.width, v * raster.height);
        const spans = discSpans(raster, lng, lat, metres);
        const inside = (column: number, row: number) => {
          const from = spans.from[row - spans.row0];
          return from !== undefined && column >= from && column < spans.to[row - spans.row0]!;
        };
        const rim = Array.from({ length: 360 }, (_, azimuth) => raster.toGrid(...pointAt(lng, lat, azimuth, metres)));
        const [left, right] = [Math.min(...rim.map(p => p[0])) - 3, Math.max(...rim.map(p => p[0])) + 3].map(
          Math.floor,
        );
        const [top, bottom] = [Math.min(...rim.map(p => p[1])) - 3, Math.max(...rim.map(p => p[1])) + 3].map(
          Math.floor,
        );
        let count = 0;
        for (let row = top!; row <= bottom!; row++)
          for (let column = left!; column <= right!; column++) {
            const within = metresBetween(lng, lat, ...raster.toPoint(column + 0.5, row + 0.5)) <= metres;
            if (within) count++;
            if (within !== inside(column, row))
              expect.fail(`${file}: cell ${column},${row} of the disc about ${lng},${lat}`);
          }
        expect(spans.count).toBe(count);
      }
      raster.close();
    }
  });

  it('the mean slope about a point of Zion leaves out a cell whose centre lies 12 cm beyond the rim', async () => {
    const raster = openRaster(await store(join(data, 'zion-ut/srtm_dem.tif')), 'zion-rim', createCache(64));
    const grid = await whole(raster);
    const [lng, lat] = [-113.16038853451977, 37.206995693755054];
    expect(metresBetween(lng, lat, ...raster.toPoint(95.5, 372.5))).toBeCloseTo(500.12, 2);
    const [slopes, held]: [number[], number[]] = [[], []];
    const spans = discSpans(raster, lng, lat, 500);
    for (let row = 340; row < 400; row++)
      for (let column = 60; column < 130; column++) {
        const slope = measure(grid, 'slope_degrees', column, row, null) as number;
        if (metresBetween(lng, lat, ...raster.toPoint(column + 0.5, row + 0.5)) <= 500) slopes.push(slope);
        const from = spans.from[row - spans.row0];
        if (from !== undefined && column >= from && column < spans.to[row - spans.row0]!) held.push(slope);
      }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(held).toEqual(slopes);
    expect(held).toHaveLength(113);
    expect(mean(held)).toBeCloseTo(17.4769, 4);
    raster.close();
  });
});
