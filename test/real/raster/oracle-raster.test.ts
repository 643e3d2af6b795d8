import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { run } from '../../../pipelines/run.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { Survey } from '../../oracle/survey.ts';
import { exportedWhole } from '../../pipelines/release/exported-whole.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { randomOf } from '../../query/star.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';
import { type Asked, asker, expectAbsent, expectMetres, expectValue, type LngLat, where } from '../oracle/subject.ts';
import { gdal, NO_GDAL, publishedFeatures } from '../published.ts';

const ready = present && gdal && spawnSync('gdaltransform', ['--version']).status === 0;
if (!ready) console.warn(present ? NO_GDAL : MISSING);

/** A raster as GDAL decodes it: every cell, and lng,lat as fractions of its columns and rows. */
class Grid {
  readonly width: number;
  readonly height: number;
  readonly #cells: Float32Array;
  readonly #nodata: number | undefined;
  readonly #path: string;

  /** @param file below ../shared/data. @param folder for GDAL's raw copy. */
  constructor(file: string, folder: string) {
    this.#path = join(SOURCES, file);
    const info = JSON.parse(execFileSync('gdalinfo', ['-json', this.#path], { encoding: 'utf8' })) as {
      size: [number, number];
      bands: { noDataValue?: number }[];
    };
    [this.width, this.height] = info.size;
    this.#nodata = info.bands[0]!.noDataValue;
    const raw = join(folder, 'raw.bin');
    execFileSync('gdal_translate', ['-q', '-of', 'ENVI', '-ot', 'Float32', '-b', '1', this.#path, raw]);
    const bytes = readFileSync(raw);
    this.#cells = new Float32Array(bytes.buffer, bytes.byteOffset, this.width * this.height);
  }

  /** Column and row of each point, the upper left corner of the raster being 0,0. */
  locate(points: readonly LngLat[]): [number, number][] {
    const text = execFileSync('gdaltransform', ['-i', '-t_srs', 'EPSG:4326', '-output_xy', this.#path], {
      input: points.map(p => p.join(' ')).join('\n'),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return text
      .trim()
      .split('\n')
      .map(line => line.split(' ').map(Number) as [number, number]);
  }

  /** Lng,lat of a column and row. */
  place(columns: readonly (readonly [number, number])[]): LngLat[] {
    const text = execFileSync('gdaltransform', ['-t_srs', 'EPSG:4326', '-output_xy', this.#path], {
      input: columns.map(p => p.join(' ')).join('\n'),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return text
      .trim()
      .split('\n')
      .map(line => line.split(' ').map(Number) as [number, number]);
  }

  /** The cell's value, null without data, undefined beyond the raster. */
  cell(column: number, row: number): number | null | undefined {
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return undefined;
    const value = this.#cells[row * this.width + column]!;
    return value === this.#nodata || Number.isNaN(value) ? null : value;
  }

  /** Between the centres of the four cells about a place; those without data have no weight. Nothing where its own cell has none. */
  bilinear(column: number, row: number): number | null | undefined {
    const own = this.cell(Math.floor(column), Math.floor(row));
    if (own === undefined || own === null) return own;
    const [left, top] = [Math.floor(column - 0.5), Math.floor(row - 0.5)];
    const [u, v] = [column - 0.5 - left, row - 0.5 - top];
    let sum = 0;
    let weights = 0;
    for (const [i, j, weight] of [
      [0, 0, (1 - u) * (1 - v)],
      [1, 0, u * (1 - v)],
      [0, 1, (1 - u) * v],
      [1, 1, u * v],
    ] as const) {
      const value = this.cell(left + i, top + j);
      if (value === null || value === undefined) continue;
      sum += value * weight;
      weights += weight;
    }
    return sum / weights;
  }
}

/** Classes of the National Land Cover Database legend (MRLC). */
const NLCD: Readonly<Record<number, string>> = {
  11: 'Open Water',
  12: 'Perennial Ice/Snow',
  21: 'Developed, Open Space',
  22: 'Developed, Low Intensity',
  23: 'Developed, Medium Intensity',
  24: 'Developed, High Intensity',
  31: 'Barren Land',
  41: 'Deciduous Forest',
  42: 'Evergreen Forest',
  43: 'Mixed Forest',
  52: 'Shrub/Scrub',
  71: 'Grassland/Herbaceous',
  81: 'Pasture/Hay',
  82: 'Cultivated Crops',
  90: 'Woody Wetlands',
  95: 'Emergent Herbaceous Wetlands',
};

/** Columns and rows over a raster and a twentieth of its size beyond: random ones, corners and edges. */
function scatter({ width, height }: Grid, count: number, seed: number): [number, number][] {
  const random = randomOf(seed);
  const at = (share: number, size: number) => (share * 1.1 - 0.05) * size;
  return [
    ...Array.from({ length: count }, (): [number, number] => [at(random(), width), at(random(), height)]),
    // Within the outer half cell, where bilinear has fewer neighbours.
    ...Array.from({ length: 20 }, (_, i): [number, number] => [i % 2 ? 0.25 : width - 0.25, random() * height]),
    ...Array.from({ length: 20 }, (_, i): [number, number] => [random() * width, i % 2 ? 0.25 : height - 0.25]),
  ];
}

/** So close to the edge of a cell that the last digits of a projection decide: cells. */
const onEdge = ([column, row]: readonly [number, number]) =>
  Math.abs(column - Math.round(column)) < 1e-4 || Math.abs(row - Math.round(row)) < 1e-4;

describe('raster_sample on Zion and Alexandria, against GDAL', { tags: ['published-files', 'GDAL'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-rasters-'));
  let ask: ReturnType<typeof asker>;
  beforeAll(async () => {
    for (const name of ['zion-ut', 'alexandria-va'])
      await run({ home, sources: SOURCES, place: builtInPlace(name), threads: 0, progress: SILENT });
    ask = asker(home);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([
    ['raster/zion-ut/srtm_dem.tif', 'nasa_srtm'],
    ['raster/alexandria-va/dtm_2m.tif', 'usgs_3dep_lidar'],
  ])('elevation is bilinear between the cells of %s', async (file, source) => {
    const grid = new Grid(file, home);
    const columns = scatter(grid, 400, 71);
    const asked = await ask(['elevation'], grid.place(columns));
    const located = grid.locate(asked.map(({ lng, lat }): LngLat => [lng, lat]));
    const seen = { ok: 0, nodata: 0, outside: 0 };
    for (const [i, a] of asked.entries()) {
      const at = located[i]!;
      expect(Math.hypot(at[0] - columns[i]![0], at[1] - columns[i]![1])).toBeLessThan(1e-3);
      if (onEdge(at)) continue;
      const expected = grid.bilinear(...at);
      if (expected === undefined) {
        seen.outside++;
        expectAbsent(a, 'elevation', 'outside the coverage of elevation (usgs_3dep');
      } else if (expected === null) {
        seen.nodata++;
        expectAbsent(a, 'elevation', 'no data');
      } else {
        seen.ok++;
        expect(a.answers.elevation!.status, where(a, 'elevation')).toBe('ok');
        expect(Math.abs((a.answers.elevation!.value as number) - expected), where(a, 'elevation')).toBeLessThan(0.055);
        expect(a.answers.elevation).toMatchObject({ source });
      }
    }
    expect(seen.ok).toBeGreaterThan(300);
    expect(seen.outside).toBeGreaterThan(20);
  });

  it('both are exported whole', async () => {
    const { stored, exported } = await exportedWhole(openRelease(home).manifest, join(home, 'releases'));
    expect(exported).toEqual(stored);
  });

  it('land cover is the class of the cell', async () => {
    const grid = new Grid('raster/zion-ut/nlcd2011_original_classes.tif', home);
    const asked = await ask(['land_cover_class'], grid.place(scatter(grid, 500, 72)));
    const located = grid.locate(asked.map(({ lng, lat }): LngLat => [lng, lat]));
    const classes = new Set<string>();
    let outside = 0;
    for (const [i, a] of asked.entries()) {
      const at = located[i]!;
      if (onEdge(at)) continue;
      const code = grid.cell(Math.floor(at[0]), Math.floor(at[1]));
      if (code === undefined) {
        outside++;
        expectAbsent(a, 'land_cover_class', 'outside the coverage of land cover (mrlc_nlcd:land_cover)');
      } else if (code === null || code === 250 || code === 127) expectAbsent(a, 'land_cover_class', 'no data');
      else {
        classes.add(NLCD[code]!);
        expectValue(a, 'land_cover_class', NLCD[code]);
        expect(a.answers.land_cover_class).toMatchObject({ source: 'mrlc_nlcd', vintage: '2011' });
      }
    }
    expect(classes.size).toBeGreaterThan(5);
    expect(outside).toBeGreaterThan(20);
  });

  it('buildings on the lidar tile have their area and height', async () => {
    const buildings = new Survey(
      publishedFeatures('raster/alexandria-va/buildings.geojson').map(({ geometry, properties: p }) => ({
        geometry,
        value: { height: p.HEIGHT as number | null, area: p.SQMETERS as number | null },
      })),
    );
    expect(buildings.features).toHaveLength(84);
    const middles = buildings.features.map(({ box: [w, s, e, n] }): LngLat => [(w + e) / 2, (s + n) / 2]);
    const asked: Asked[] = await ask(
      ['building_at_point', 'building_footprint_area_m2', 'building_height_m', 'nearest_building_distance_m'],
      middles,
    );
    let inside = 0;
    for (const a of asked) {
      const [hit] = buildings.at(a.lng, a.lat);
      if (hit) inside++;
      expectValue(a, 'building_at_point', hit !== undefined);
      expectValue(a, 'building_footprint_area_m2', hit?.value.area ?? null);
      expectValue(a, 'building_height_m', hit?.value.height ?? null);
      expectMetres(a, 'nearest_building_distance_m', buildings.nearest(a.lng, a.lat)[0]!.metres);
    }
    expect(inside).toBeGreaterThan(50);
  });
});
