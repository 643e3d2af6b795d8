import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer } from '../../../../../datasets/dataset.ts';
import type { Geometry } from '../../../../../datasets/geometry.ts';
import { toGeoJSON } from '../../../../oracle/geojson.ts';
import { contains, isValid } from '../../../../oracle/geometry.ts';
import { cellOf, centre, type DegreeGrid } from '../../../../oracle/grid.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../../release-fixture.ts';
import { starOf } from '../../../star.ts';
import { answersOver, statisticsOf } from '../../area/answers-over.ts';

const layer: RasterLayer = { kind: 'raster', bands: 1, sampling: 'nearest', nodata: [250], partition: 'state' };
const cover = dataset(
  'cover',
  { main: layer, height: layer, split: layer },
  {
    name: field('raster_sample(cover, 1, map=nlcd_classes)', { type: 'string' }),
    forest: field('raster_zonal(cover, 1, stat=fraction, over=radius:1000, where[value in (41,42)])'),
    common: field('raster_zonal(cover, 1, stat=majority, over=radius:1000, map=nlcd_classes)', { type: 'string' }),
    height: field('raster_sample(cover:height, 1)', { unit: 'm' }),
    feet: field('raster_sample(cover:height, 1, scale=2, offset=1, null[101])'),
    relief: field('raster_zonal(cover:height, 1, stat=range, over=radius:1000)'),
    split: field('raster_sample(cover:split, 1)'),
    slope: field('raster_terrain(cover:height, slope_percent, window_m=90)', { unit: 'percent' }),
    steep: field(
      'raster_terrain(cover:height, slope_percent, window_m=90, stat=fraction, over=radius:500, where[value < 5])',
    ),
    faces: field('raster_terrain(cover:height, aspect_cardinal, window_m=90)', { type: 'string' }),
    azimuth: field('raster_terrain(cover:height, aspect_degrees, window_m=90)'),
    tpi: field('raster_terrain(cover:height, tpi, window_m=900)'),
  },
);

const CELL = 0.0003;
const CODES = [11, 21, 41, 42, 250];
const [width, height] = [700, 600];
const grid = (value: (i: number, x: number, y: number) => number, w = width, west = -112): DegreeGrid => ({
  west,
  north: 48,
  cell: CELL,
  width: w,
  height,
  values: Float32Array.from({ length: w * height }, (_, i) => value(i, i % w, Math.floor(i / w))),
});
const codes = grid(i => CODES[((i * 7919 + (i >> 4)) >>> 3) % CODES.length]!);
const heights = grid((_, x, y) => 100 + Math.round(30 * Math.sin(x / 40) + 20 * Math.cos(y / 30)) + (x + y) / 50);
const half = (of: DegreeGrid, from: number, to: number): DegreeGrid => ({
  ...of,
  west: of.west + from * CELL,
  width: to - from,
  values: Float32Array.from({ length: (to - from) * height }, (_, i) =>
    cellOf(of, from + (i % (to - from)), Math.floor(i / (to - from))),
  ),
});
const star = (seed: number, size: number): Geometry => {
  for (let i = seed; ; i += 100) {
    const { geometry } = starOf(i, 20, -111.9, 47.91, size);
    if (isValid(geometry)) return geometry;
  }
};
const site = star(1, 0.08);

/** Values of the cells whose centre GEOS finds in the site. */
function* inside(g: DegreeGrid, geometry: Geometry): Generator<[number, number, number]> {
  for (let row = 0; row < g.height; row++)
    for (let column = 0; column < g.width; column++) {
      const [x, y] = centre(g, column, row);
      if (x < -111.99 || x > -111.81 || y < 47.82 || y > 48) continue;
      if (contains(geometry, x, y)) yield [cellOf(g, column, row), column, row];
    }
}

describe('raster operators over an area', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture([cover], {
      cover: {
        main: [{ raster: codes, coverage: 'extent' }],
        height: [{ raster: heights, coverage: 'extent' }],
        split: [
          { key: 'a', raster: half(heights, 0, 330), coverage: 'extent' },
          { key: 'b', raster: half(heights, 330, width), coverage: 'extent' },
        ],
      },
    });
  });
  afterAll(() => fixture.remove());

  const cells = [...inside(codes, site)];
  const tall = [...inside(heights, site)].map(([value]) => value);
  const mean = tall.reduce((sum, v) => sum + v, 0) / tall.length;

  it('counts the cells whose centre GEOS finds inside, of every class', async () => {
    const { name, forest, common } = await answersOver(fixture, ['name', 'forest', 'common'], site);
    const said = statisticsOf(name, 'shares');
    const share = (...of: number[]) => cells.filter(([v]) => of.includes(v)).length / cells.length;
    expect(said.shares.map(one => one.value).sort()).toEqual([
      'Deciduous Forest',
      'Developed, Open Space',
      'Evergreen Forest',
      'Open Water',
    ]);
    for (const [value, code] of [
      ['Open Water', 11],
      ['Deciduous Forest', 41],
    ] as const)
      expect(said.shares.find(one => one.value === value)!.share).toBeCloseTo(share(code), 4);
    expect(said.without_value).toBeCloseTo(share(250), 4);
    expect(statisticsOf(common, 'shares')).toEqual(said);
    const wood = statisticsOf(forest, 'covered');
    expect(wood.share).toBeCloseTo(share(41, 42), 4);
    expect(wood.uncovered).toBeCloseTo(share(11, 21), 4);
    expect(wood.without_value).toBeCloseTo(share(250), 4);
  });

  it('least, mean and greatest are those of the cells, also across two tiles', async () => {
    const answers = await answersOver(fixture, ['height', 'relief', 'split', 'feet'], site);
    for (const name of ['height', 'relief', 'split']) {
      const said = statisticsOf(answers[name], 'range');
      expect(said.cells).toBe(tall.length);
      expect(said.min).toBeCloseTo(minmax(tall)[0], 1);
      expect(said.max).toBeCloseTo(minmax(tall)[1], 1);
      expect(said.mean).toBeCloseTo(mean, 1);
      expect(said.without_value).toBe(0);
    }
    const feet = statisticsOf(answers.feet, 'range');
    const kept = tall.filter(v => v !== 101).map(v => v * 2 + 1);
    expect(feet.mean).toBeCloseTo(kept.reduce((sum, v) => sum + v, 0) / kept.length, 6);
  });

  it('agrees with zonal statistics of GDAL: gdalwarp with a cutline', { tags: ['GDAL'] }, async () => {
    const cutline = join(fixture.home, 'site.geojson');
    writeFileSync(cutline, JSON.stringify(toGeoJSON(site)));
    const out = join(fixture.home, 'cut.tif');
    const source = fixture.path('cover', 'height', 'raster');
    const run = spawnSync('gdalwarp', ['-q', '-cutline', cutline, '-dstnodata', '-9999', source, out]);
    expect(run.status, String(run.stderr)).toBe(0);
    const info = spawnSync('gdalinfo', ['-json', '-stats', out], { encoding: 'utf8' });
    const { minimum, maximum, mean: of } = JSON.parse(info.stdout).bands[0];
    const { height: said } = await answersOver(fixture, ['height'], site);
    const range = statisticsOf(said, 'range');
    expect(range.min).toBeCloseTo(minimum, 1);
    expect(range.max).toBeCloseTo(maximum, 1);
    expect(Math.abs(range.mean - of)).toBeLessThan(0.06);
    rmSync(out);
  });

  it('slopes are those of gdaldem, cell by cell and class by class', { tags: ['GDAL'] }, async () => {
    // At the equator a degree is nearly as long either way, so that gdaldem's one scale fits both within 0.4 %.
    const level = { ...heights, west: 10, north: 0.09 };
    const there = await createFixture([cover], { cover: { height: [{ raster: level, coverage: 'extent' }] } });
    try {
      const [slopes, cut] = [join(there.home, 'slope.tif'), join(there.home, 'cut.tif')];
      const cutline = join(there.home, 'site.geojson');
      const { geometry } = starOf(7, 20, 10.1, 0, 0.07);
      expect(isValid(geometry)).toBe(true);
      writeFileSync(cutline, JSON.stringify(toGeoJSON(geometry)));
      const scale = String((111_319.49 + 110_574.28) / 2);
      const source = there.path('cover', 'height', 'raster');
      for (const [program, ...args] of [
        ['gdaldem', 'slope', '-q', '-p', '-s', scale, source, slopes],
        ['gdalwarp', '-q', '-cutline', cutline, '-dstnodata', '-9999', slopes, cut],
      ]) {
        const run = spawnSync(program!, args);
        expect(run.status, String(run.stderr)).toBe(0);
      }
      const { stdout } = spawnSync('gdal_translate', ['-q', '-of', 'XYZ', cut, '/vsistdout/'], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      const values = stdout.split('\n').flatMap(text => {
        const value = Number(text.split(' ')[2]);
        return text && value !== -9999 ? [value] : [];
      });
      const said = statisticsOf((await answersOver(there, ['slope'], geometry)).slope, 'range');
      expect(said.cells).toBe(values.length);
      const average = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(Math.abs(said.mean / average - 1)).toBeLessThan(0.005);
      expect(Math.abs(said.max / minmax(values)[1] - 1)).toBeLessThan(0.005);
      const ends = [0, 2, 5, 10, 15, 25, Infinity];
      for (const [i, { share }] of said.classes!.entries()) {
        const of = values.filter(value => value >= ends[i]! && value < ends[i + 1]!).length / values.length;
        expect(Math.abs(share - of)).toBeLessThan(0.01);
      }
      expect(said.classes!.filter(({ share }) => share > 0.05).length).toBeGreaterThan(1);
    } finally {
      there.remove();
    }
  });

  it('a share of slopes is that of the classes below it', async () => {
    const { slope, steep } = await answersOver(fixture, ['slope', 'steep'], site);
    const under5 = statisticsOf(slope, 'range')
      .classes!.slice(0, 2)
      .reduce((sum, { share }) => sum + share, 0);
    expect(statisticsOf(steep, 'covered').share).toBeCloseTo(under5, 3);
  });

  it('sectors are counted; directions in degrees and positions have no statistics', async () => {
    const { faces, azimuth, tpi } = await answersOver(fixture, ['faces', 'azimuth', 'tpi'], site);
    const said = statisticsOf(faces, 'shares');
    expect(said.shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 3);
    expect(said.shares.map(({ value }) => value)).toContain('flat');
    expect([azimuth, tpi]).toEqual([null, null]);
  });

  it('the point form says the same of one cell; a site without a centre has its own cell', async () => {
    const [lng, lat] = centre(heights, 300, 300);
    const tiny = rectangle([lng - 1e-5, lat - 4e-5, lng - 0.5e-5, lat - 1e-5]);
    const { height: said, slope } = await answersOver(fixture, ['height', 'slope'], tiny);
    const point = await fixture.ask(['height', 'slope'], { lng, lat });
    const range = statisticsOf(said, 'range');
    expect(range).toMatchObject({ cells: 1, min: point.height!.value, mean: point.height!.value });
    expect(statisticsOf(slope, 'range').max).toBe(point.slope!.value);
  });

  it('beyond the raster nothing is said, and half beyond it the rest has no value', async () => {
    const beyond = await answersOver(fixture, ['height'], rectangle([-100, 40, -99.9, 40.1]));
    expect(beyond.height).toMatchObject({ status: 'absent', notes: ['outside the coverage of cover:height'] });
    const edge = rectangle([-112.03, 47.9, -111.97, 47.95]);
    const { height: said } = await answersOver(fixture, ['height'], edge);
    expect(statisticsOf(said, 'range').without_value).toBeCloseTo(0.5, 2);
  });
});

function minmax(values: readonly number[]): [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) [min, max] = [Math.min(min, value), Math.max(max, value)];
  return [min, max];
}
