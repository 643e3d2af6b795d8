import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discSpans, offset, stepAt } from '../../../query/evaluate/raster/grid-spans.ts';
import { LNGLAT } from '../../../query/format/cog.ts';
import { discTest } from '../../../query/geometry/disc/disc-test.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRaster, type Raster } from '../../../query/release/raster.ts';
import { metresBetween, pointAt } from '../../oracle/geodesic.ts';
import { writeCog } from '../cog-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-raster-'));
const [columns, rows] = [300, 290];
const cellValue = (column: number, row: number) => column * 1000 + row;
let tiled: Raster;
let polar: Raster;
let projected: Raster;

function raster(name: string, crs: string, west: number, north: number, cell: number): Raster {
  const path = join(folder, `${name}.cog`);
  const value = (column: number, row: number) => (column % 37 === 5 ? Number.NaN : cellValue(column, row));
  writeCog(path, { crs, west, north, cell, width: columns, height: rows, value });
  return openRaster(path, name, createCache(16));
}

beforeAll(() => {
  tiled = raster('tiled', LNGLAT, -70, 45, 0.001);
  polar = raster('polar', LNGLAT, 179.9, 71.4, 0.001);
  projected = raster('projected', '+proj=utm +zone=19 +datum=NAD83 +units=m +no_defs', 400_000, 4_900_000, 30);
});
afterAll(() => {
  for (const open of [tiled, polar, projected]) open.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a window of a raster', () => {
  it('holds its cells across blocks and beyond the edges', async () => {
    const corner = (most: number) => fc.integer({ min: -20, max: most + 20 });
    await fc.assert(
      fc.asyncProperty(
        corner(columns),
        corner(rows),
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 0, max: 80 }),
        async (column0, row0, wide, high) => {
          const cells = await tiled.window(1, column0, row0, column0 + wide, row0 + high);
          expect(cells).toHaveLength(wide * high);
          for (let y = 0; y < high; y++)
            for (let x = 0; x < wide; x++) {
              const [column, row] = [column0 + x, row0 + y];
              const outside = column < 0 || row < 0 || column >= columns || row >= rows;
              const expected = outside || column % 37 === 5 ? Number.NaN : cellValue(column, row);
              if (!Object.is(cells[y * wide + x], expected))
                expect.fail(`cell ${column},${row}: ${cells[y * wide + x]}`);
            }
        },
      ),
      { seed: 3, numRuns: 120 },
    );
  });

  it('agrees with single cells, and refuses a band that the file lacks', async () => {
    const cells = await tiled.window(1, 254, 254, 258, 258);
    for (let i = 0; i < 16; i++) {
      const cell = await tiled.cell(1, 254 + (i % 4), 254 + Math.floor(i / 4));
      expect(cells[i]).toBe(cell ?? Number.NaN);
    }
    await expect(tiled.window(2, 0, 0, 1, 1)).rejects.toThrow('no band 2');
  });

  it('finds its way from grid to ground and back, outside too', () => {
    for (const open of [tiled, projected])
      for (const [column, row] of [
        [0, 0],
        [150.25, 33.75],
        [-40.5, 330],
      ] as const) {
        const [x, y] = open.toGrid(...open.toPoint(column, row));
        expect(x).toBeCloseTo(column, 6);
        expect(y).toBeCloseTo(row, 6);
      }
  });
});

describe('ground steps', () => {
  it('are the metres between neighbouring places, whatever the grid', () => {
    for (const open of [tiled, polar, projected])
      for (const [column, row] of [
        [10.5, 20.5],
        [250.5, 270.5],
      ] as const) {
        const step = stepAt(open, column, row);
        const across = metresBetween(...open.toPoint(column - 0.5, row), ...open.toPoint(column + 0.5, row));
        const down = metresBetween(...open.toPoint(column, row - 0.5), ...open.toPoint(column, row + 0.5));
        expect(Math.hypot(step.columnEast, step.columnNorth)).toBeCloseTo(across, 4);
        expect(Math.hypot(step.rowEast, step.rowNorth)).toBeCloseTo(down, 4);
        for (const [azimuth, east, north] of [
          [90, 25, 0],
          [0, 0, 25],
          [225, -25 * Math.SQRT1_2, -25 * Math.SQRT1_2],
        ] as const) {
          const [columnsAway, rowsAway] = offset(step, east, north);
          const [lng, lat] = open.toPoint(column, row);
          const [x, y] = pointAt(lng, lat, azimuth, 25);
          const there = open.toGrid(x < 0 && lng > 170 ? x + 360 : x, y);
          expect(there[0]).toBeCloseTo(column + columnsAway, 3);
          expect(there[1]).toBeCloseTo(row + rowsAway, 3);
        }
      }
  });
});

describe('a disc', () => {
  const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });

  it('is told from its outside as by Karney, at the rim to a micrometre', () => {
    fc.assert(
      fc.property(
        degrees(-180, 180),
        degrees(-75, 75),
        degrees(0, 360),
        fc.constantFrom(1, 100, 1000, 20_000),
        (lng, lat, azimuth, metres) => {
          const inside = discTest(lng, lat, metres);
          expect(inside(...pointAt(lng, lat, azimuth, metres - 1e-6))).toBe(true);
          expect(inside(...pointAt(lng, lat, azimuth, metres + 1e-6))).toBe(false);
          expect(inside(...pointAt(lng, lat, azimuth, metres * 0.9))).toBe(true);
          expect(inside(...pointAt(lng, lat, azimuth, metres * 1.1))).toBe(false);
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });

  it('holds the cells whose centre Karney puts within, by brute force', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('tiled', 'polar', 'projected'),
        degrees(0, 1),
        degrees(0, 1),
        fc.constantFrom(40, 300, 2500),
        (name, u, v, metres) => {
          const open = { tiled, polar, projected }[name]!;
          const [lng, lat] = open.toPoint(u * columns, v * rows);
          const spans = discSpans(open, lng, lat, metres);
          const rim = [0, 45, 90, 135, 180, 225, 270, 315].map(azimuth => {
            const [x, y] = pointAt(lng, lat, azimuth, metres * 1.5);
            return open.toGrid(x < 0 && lng > 170 ? x + 360 : x, y);
          });
          const [left, right] = [Math.min(...rim.map(p => p[0])) - 2, Math.max(...rim.map(p => p[0])) + 2];
          const [top, bottom] = [Math.min(...rim.map(p => p[1])) - 2, Math.max(...rim.map(p => p[1])) + 2];
          let count = 0;
          for (let row = Math.floor(top); row <= bottom; row++)
            for (let column = Math.floor(left); column <= right; column++) {
              const within = metresBetween(lng, lat, ...open.toPoint(column + 0.5, row + 0.5)) <= metres;
              const from = spans.from[row - spans.row0];
              const held = from !== undefined && column >= from && column < spans.to[row - spans.row0]!;
              if (within) count++;
              if (within !== held) expect.fail(`${name}: cell ${column},${row} of ${metres} m about ${lng},${lat}`);
            }
          expect(spans.count).toBe(count);
        },
      ),
      { seed: 9, numRuns: 45 },
    );
  });

  it('holds no centre just beyond the rim where the chord of a row lies between two centres', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('tiled', 'projected'),
        degrees(0.05, 0.49),
        fc.integer({ min: 4, max: 40 }),
        fc.constantFrom(1, -1),
        fc.constantFrom(1e-3, 1e-4, 1e-6),
        (name, aside, away, side, beyond) => {
          const open = { tiled, projected }[name]!;
          const [lng, lat] = open.toPoint(150.5 + aside, 145.5);
          const row = 145 + side * away;
          const metres = metresBetween(lng, lat, ...open.toPoint(150.5, row + 0.5)) * (1 - beyond);
          const spans = discSpans(open, lng, lat, metres);
          for (let column = 148; column <= 153; column++) {
            const within = metresBetween(lng, lat, ...open.toPoint(column + 0.5, row + 0.5)) <= metres;
            const from = spans.from[row - spans.row0];
            const held = from !== undefined && column >= from && column < spans.to[row - spans.row0]!;
            if (within !== held) expect.fail(`${name}: cell ${column},${row} of ${metres} m about ${lng},${lat}`);
          }
        },
      ),
      { seed: 21, numRuns: 400 },
    );
  });
});
