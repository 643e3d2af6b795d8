import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer } from '../../../../../datasets/dataset.ts';
import { bilinearAt, cellAt, cellOf, cellsWithin, type DegreeGrid, hornAt, rileyAt } from '../../../../oracle/grid.ts';
import { createFixture, dataset, type Fixture, field } from '../../../release-fixture.ts';

const layer: RasterLayer = { kind: 'raster', bands: 1, sampling: 'bilinear', nodata: [-1], partition: 'state' };
const terrain = (layerName: string, args: string) => field(`raster_terrain(dem:${layerName}, ${args})`);
const dem = dataset(
  'dem',
  { fine: layer, coarse: layer, split: layer, plane: layer },
  {
    slope: terrain('fine', 'slope_degrees, window_m=30'),
    percent: terrain('fine', 'slope_percent, window_m=30'),
    aspect: terrain('fine', 'aspect_degrees, window_m=30'),
    sector: field('raster_terrain(dem:fine, aspect_cardinal, window_m=30)', { type: 'string' }),
    tri: terrain('fine', 'tri, window_m=90'),
    tpi: terrain('fine', 'tpi, window_m=400'),
    mean: terrain('fine', 'slope_degrees, window_m=30, stat=mean, over=radius:200'),
    gentle: terrain('fine', 'slope_percent, window_m=30, stat=fraction, over=radius:200, where[value < 20]'),
    north: field(
      "raster_terrain(dem:fine, aspect_cardinal, window_m=30, stat=fraction, over=radius:200, where[value = 'N'])",
    ),
    facing: field('raster_terrain(dem:fine, aspect_cardinal, window_m=30, stat=majority, over=radius:200)', {
      type: 'string',
    }),
    roughest: terrain('fine', 'tri, window_m=90, stat=range, over=radius:100'),
    coarse_slope: terrain('coarse', 'slope_degrees, window_m=30'),
    coarse_tri: terrain('coarse', 'tri, window_m=90'),
    split_slope: terrain('split', 'slope_degrees, window_m=30'),
    split_mean: terrain('split', 'slope_degrees, window_m=30, stat=mean, over=radius:200'),
    split_tpi: terrain('split', 'tpi, window_m=400'),
    plane_aspect: terrain('plane', 'aspect_degrees, window_m=30'),
    plane_sector: field('raster_terrain(dem:plane, aspect_cardinal, window_m=30)', { type: 'string' }),
    plane_slope: terrain('plane', 'slope_percent, window_m=30'),
    bad_mean: terrain('fine', 'aspect_degrees, window_m=30, stat=mean, over=radius:200'),
    bad_kind: terrain('fine', 'curvature, window_m=30'),
    bad_over: terrain('fine', 'slope_degrees, window_m=30, stat=mean, over=county'),
  },
);

const CELL = 1 / 10_800;
const hills = (width: number, height: number, cell: number): DegreeGrid => ({
  west: -110,
  north: 60,
  cell,
  width,
  height,
  values: Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [((i % width) * cell) / CELL, (Math.floor(i / width) * cell) / CELL];
    return 300 + 40 * Math.sin(x / 9) * Math.cos(y / 13) + 15 * Math.sin((x + 2 * y) / 5);
  }),
});
const fine = hills(160, 120, CELL);
const coarse = hills(20, 15, 8 * CELL);
const holed = Float32Array.from(fine.values);
for (let row = 90; row < 120; row++) for (let column = 0; column < 40; column++) holed[row * 160 + column] = -1;
const holes: DegreeGrid = { ...fine, values: holed.map(v => (v === -1 ? Number.NaN : v)) };
const part = (column0: number, column1: number) => ({
  ...fine,
  west: fine.west + column0 * CELL,
  width: column1 - column0,
  values: Float32Array.from({ length: (column1 - column0) * 120 }, (_, i) => {
    const across = column1 - column0;
    return fine.values[Math.floor(i / across) * 160 + column0 + (i % across)]!;
  }),
});
/** Level in its western half; the eastern half falls to the south-south-west. */
const plane = {
  ...fine,
  values: Float32Array.from({ length: 160 * 120 }, (_, i) => {
    const column = i % 160;
    return column < 80 ? 50 : 50 + 3 * (column - 80) - 6 * Math.floor(i / 160);
  }),
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([dem], {
    dem: {
      fine: [{ raster: { ...fine, values: holed }, coverage: 'extent' }],
      coarse: [{ raster: coarse, coverage: 'extent' }],
      split: [
        { raster: part(0, 77), key: 'UT', place: 'west', source: 'west', coverage: 'extent' },
        { raster: part(77, 160), key: 'UT', place: 'east', source: 'east', coverage: 'extent' },
      ],
      plane: [{ raster: plane, coverage: 'extent' }],
    },
  });
});
afterAll(() => fixture.remove());

const at = (lng: number, lat: number, ...names: string[]) => fixture.ask(names, { lng, lat });
/** A place by column and row with fractions. */
const place = (column: number, row: number): [number, number] => [fine.west + column * CELL, fine.north - row * CELL];
const PLACES = [place(80.3, 60.7), place(100.5, 40.5), place(60.01, 70.99), place(120.2, 80.4)] as const;

describe('raster_terrain', () => {
  it('gives Horn slope and aspect of the native cells, in metres at the latitude', async () => {
    for (const [lng, lat] of PLACES) {
      const answers = await at(lng, lat, 'slope', 'percent', 'aspect', 'sector');
      const expected = hornAt(fine, ...cellAt(fine, lng, lat));
      expect(answers.slope!.value).toBeCloseTo(expected.degrees, 6);
      expect(answers.percent!.value).toBeCloseTo(expected.percent, 5);
      expect(answers.aspect!.value).toBeCloseTo(expected.aspect, 5);
      const sectors = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
      expect(answers.sector!.value).toBe(sectors[Math.round(expected.aspect / 45) % 8]);
      expect(answers.slope!.notes).toBeNull();
    }
  });

  it('gives Riley ruggedness of places 30 m apart, and the point less the mean of its disc', async () => {
    for (const [lng, lat] of PLACES) {
      const { tri, tpi } = await at(lng, lat, 'tri', 'tpi');
      expect(tri!.value).toBeCloseTo(rileyAt(fine, lng, lat, 30), 2);
      const cells = cellsWithin(fine, lng, lat, 200).map(([c, r]) => cellOf(fine, c, r));
      expect(cells.length).toBeGreaterThan(1000);
      const mean = cells.reduce((a, b) => a + b, 0) / cells.length;
      expect(tpi!.value).toBeCloseTo(bilinearAt(fine, lng, lat) - mean, 4);
    }
  });

  it('summarises slopes and sectors of the cells of a disc', async () => {
    for (const [lng, lat] of PLACES) {
      const answers = await at(lng, lat, 'mean', 'gentle', 'north', 'facing');
      const cells = cellsWithin(fine, lng, lat, 200).map(([c, r]) => hornAt(fine, c, r));
      const mean = cells.reduce((sum, c) => sum + c.degrees, 0) / cells.length;
      expect(answers.mean!.value).toBeCloseTo(mean, 5);
      expect(answers.gentle!.value).toBeCloseTo(cells.filter(c => c.percent < 20).length / cells.length, 4);
      const faces = (sector: number) =>
        cells.filter(c => c.percent >= 2 && Math.round(c.aspect / 45) % 8 === sector).length;
      expect(answers.north!.value).toBeCloseTo(faces(0) / cells.length, 4);
      const most = [0, 1, 2, 3, 4, 5, 6, 7].reduce((a, b) => (faces(b) > faces(a) ? b : a));
      expect(answers.facing!.value).toBe(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'][most]);
    }
  });

  it('uses the own cells of a coarser DEM and says so', async () => {
    const [lng, lat] = place(83, 61);
    const { coarse_slope, coarse_tri } = await at(lng, lat, 'coarse_slope', 'coarse_tri');
    const [column, row] = cellAt(coarse, lng, lat);
    expect(coarse_slope!.value).toBeCloseTo(hornAt(coarse, column, row).degrees, 6);
    let squares = 0;
    for (const dx of [-1, 0, 1])
      for (const dy of [-1, 0, 1])
        squares += (cellOf(coarse, column + dx, row + dy) - cellOf(coarse, column, row)) ** 2;
    expect(coarse_tri!.value).toBeCloseTo(Math.sqrt(squares), 6);
    expect(coarse_slope!.notes).toBe(
      'cells of dem:coarse (source_of_somewhere) are 83 m wide here: measured over 248 m, not 30 m',
    );
    expect(coarse_tri!.notes).toContain('not 90 m');
  });

  it('crosses the edge between two tiles as if they were one, and cites both', async () => {
    const [lng, lat] = place(76.4, 60.5);
    const answers = await at(lng, lat, 'split_slope', 'slope', 'split_mean', 'mean', 'split_tpi', 'tpi');
    for (const name of ['slope', 'mean', 'tpi']) {
      expect(answers[`split_${name}`]!.value).toBe(answers[name]!.value);
      expect(answers[`split_${name}`]!.source).toBe('west;east');
    }
    expect((await at(...place(30.5, 60.5), 'split_mean')).split_mean!.source).toBe('west');
  });

  it('is absent on level ground for aspect, flat for its sector, and where a neighbour has no data', async () => {
    const level = await at(...place(40.5, 60.5), 'plane_aspect', 'plane_sector', 'plane_slope');
    expect(level.plane_slope!.value).toBe(0);
    expect(level.plane_sector!.value).toBe('flat');
    expect(level.plane_aspect).toMatchObject({ status: 'absent', value: null });
    expect(level.plane_aspect!.notes).toContain('faces nowhere');
    // At 60 north a cell is half as wide as it is high, so the fall of 3 a column and 6 a row faces south-west.
    const falling = await at(...place(120.5, 60.5), 'plane_aspect', 'plane_sector');
    expect(falling.plane_aspect!.value).toBeCloseTo(hornAt(plane, 120, 60).aspect, 5);
    expect(falling.plane_sector!.value).toBe('SW');
    for (const [column, row] of [
      [20.5, 100.5],
      [20.5, 89.5],
      [0.5, 20.5],
    ] as const) {
      const answers = await at(...place(column, row), 'slope', 'aspect', 'tri');
      for (const answer of Object.values(answers)) {
        expect(answer).toMatchObject({ status: 'absent', value: null });
        expect(answer.notes).toContain(
          'no data in the cell of dem:fine (source_of_somewhere) or in one of its neighbors',
        );
      }
    }
  });

  it('counts missing cells against the half that must be valid', async () => {
    const [lng, lat] = place(20.5, 97.5);
    const cells = cellsWithin(holes, lng, lat, 200).map(([c, r]) => hornAt(holes, c, r).degrees);
    const valid = cells.filter(c => !Number.isNaN(c));
    const { mean } = await at(lng, lat, 'mean');
    expect(valid.length * 2 < cells.length).toBe(true);
    expect(mean).toMatchObject({ status: 'absent' });
    expect(mean!.notes).toBe(
      `dem:fine (source_of_somewhere): only ${valid.length} of ${cells.length} cells have data, under half`,
    );
    const [x, y] = place(50.5, 85.5);
    const most = cellsWithin(holes, x, y, 200).map(([c, r]) => hornAt(holes, c, r).degrees);
    const there = most.filter(c => !Number.isNaN(c));
    expect(there.length).toBeLessThan(most.length);
    expect((await at(x, y, 'mean')).mean!.value).toBeCloseTo(there.reduce((a, b) => a + b, 0) / there.length, 5);
  });

  it('refuses what has no meaning, and is absent outside', async () => {
    const answers = await at(...PLACES[0], 'bad_mean', 'bad_kind', 'bad_over', 'roughest');
    expect(answers.bad_mean!.error).toContain('no meaning for directions');
    expect(answers.bad_kind!.error).toContain('no terrain measure curvature');
    expect(answers.bad_over!.error).toContain('expected radius:<meters>');
    expect(answers.roughest!.status).toBe('ok');
    expect((await at(0, 0, 'slope')).slope).toMatchObject({
      status: 'absent',
      notes: 'outside the coverage of dem:fine',
    });
  });

  it('fails when the file is damaged or gone', async () => {
    const other = await createFixture([dem], { dem: { fine: [{ raster: fine, coverage: 'extent' }] } });
    try {
      rmSync(other.path('dem', 'fine', 'raster'));
      const { slope } = await other.ask(['slope'], { lng: PLACES[0][0], lat: PLACES[0][1] });
      expect(slope).toMatchObject({ status: 'failed' });
      expect(slope!.error).toContain('is missing');
    } finally {
      other.remove();
    }
  });
});
