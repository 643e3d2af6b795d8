import { afterAll, describe, expect, it } from 'vitest';
import type { RasterLayer, TableLayer, VectorLayer } from '../../../../datasets/dataset.ts';
import { EDGES } from '../../../oracle/edges.ts';
import { area, metresTo } from '../../../oracle/geometry.ts';
import { createFixture, dataset, type Fixture, field } from '../../release-fixture.ts';
import { randomOf } from '../../star.ts';

const polygons = (joinKey: string, column: string): VectorLayer => ({
  kind: 'vector',
  geometry: 'polygon',
  joinKey,
  partition: 'national',
  columns: { [column]: { type: 'string' } },
});
const people: TableLayer = {
  kind: 'table',
  key: { column: 'fips', is: 'county_fips' },
  partition: 'national',
  columns: { fips: { type: 'string' }, people: { type: 'integer' } },
};
const grid = (sampling: RasterLayer['sampling']): RasterLayer => ({
  kind: 'raster',
  bands: 1,
  sampling,
  partition: 'national',
});
const datasets = [
  dataset('census_tiger', { county: polygons('GEOID', 'GEOID') }),
  dataset(
    'stats',
    { main: people },
    {
      people: field('area_key_attr(stats, key=county_fips, people)'),
      doubled: field('derived(expr[2 * p], p=@people)', { confidence: 'min_inputs' }),
    },
  ),
  dataset(
    'parcel_store',
    { main: polygons('parcel_key', 'parcel_key') },
    {
      key: field('parcel_attr(parcel_key)', { type: 'string', confidence: 'parcel_match' }),
      match: field('parcel_attr(@match_type)', { type: 'string', confidence: 'parcel_match' }),
      away: field('parcel_attr(@match_distance_m)', { confidence: 'parcel_match' }),
      size: field('parcel_attr(@area_m2)', { confidence: 'parcel_match' }),
    },
  ),
  dataset(
    'ground',
    { smooth: grid('bilinear'), cells: grid('nearest') },
    {
      smooth: field('raster_sample(ground:smooth, 1)'),
      cell: field('raster_sample(ground:cells, 1)'),
    },
  ),
];

describe('area_key_attr, derived and parcel_attr on the edges of polygons', () => {
  const shapes = EDGES.filter(edge => edge.geometry.type.endsWith('Polygon'));
  expect(shapes.length).toBeGreaterThan(25);
  it.each(shapes.map(edge => [edge.name, edge] as const))('%s', async (_, { geometry, lng, lat, inside }) => {
    const fixture = await createFixture(datasets, {
      census_tiger: { county: [{ features: [{ geometry, GEOID: '23019' }] }] },
      stats: { main: [{ rows: [{ fips: '23019', people: 21 }] }] },
      parcel_store: { main: [{ features: [{ geometry, parcel_key: 'it' }] }] },
    });
    try {
      const a = await fixture.ask(['people', 'doubled', 'key', 'match', 'away', 'size'], { lng, lat });
      const given = (value: unknown) => ({ status: value === null ? 'absent' : 'ok', value });
      expect(a.people).toMatchObject(given(inside ? 21 : null));
      expect(a.doubled).toMatchObject(given(inside ? 42 : null));
      const metres = metresTo(geometry, lng, lat);
      expect(metres === 0).toBe(inside);
      const matched = metres <= 30;
      expect(a.key).toMatchObject(given(matched ? 'it' : null));
      expect(a.match).toMatchObject(given(inside ? 'contains' : matched ? 'nearest' : null));
      expect(a.away!.confidence).toBe(inside ? 'high' : matched ? 'medium' : 'low');
      if (!matched) return;
      expect(Math.abs((a.away!.value as number) - metres)).toBeLessThanOrEqual(0.1);
      // A sliver's area is a difference of two great ones: neither sum holds more digits than a hundredth of a metre.
      const expected = area(geometry);
      expect(Math.abs((a.size!.value as number) - expected)).toBeLessThan(0.01 + expected * 1e-9);
    } finally {
      fixture.remove();
    }
  });
});

describe('raster_sample where the envelope ends', () => {
  const cell = 1 / 64;
  const [width, height] = [24, 16];
  const values = Float32Array.from({ length: width * height }, (_, i) => ((i * 7919) % 1009) / 8);
  const fixtures: Fixture[] = [];
  afterAll(() => {
    for (const fixture of fixtures) fixture.remove();
  });

  /** Plain arithmetic over the numbers that were written: between cell centres, those beyond the grid left out. */
  function expected(column: number, row: number): { cell: number; smooth: number } {
    const [left, top] = [Math.floor(column - 0.5), Math.floor(row - 0.5)];
    let sum = 0;
    let weights = 0;
    for (const i of [left, left + 1])
      for (const j of [top, top + 1]) {
        if (i < 0 || j < 0 || i >= width || j >= height) continue;
        const weight = (1 - Math.abs(column - 0.5 - i)) * (1 - Math.abs(row - 0.5 - j));
        sum += weight * values[j * width + i]!;
        weights += weight;
      }
    return { cell: values[Math.floor(row) * width + Math.floor(column)]!, smooth: sum / weights };
  }

  it.each([
    ['72 degrees north', -146, 72],
    ['the antimeridian from the east', -180, 52],
    ['the antimeridian from the west', 180 - width * cell, 52],
    ['the west of the Aleutian rectangle', 172, 54],
    ['the south of the envelope', -67, 18 + height * cell],
  ])('%s', async (_, west, north) => {
    const raster = { width, height, west, north, cell, values };
    const fixture = await createFixture(datasets, {
      ground: { smooth: [{ raster, coverage: 'extent' }], cells: [{ raster, coverage: 'extent' }] },
    });
    fixtures.push(fixture);
    const random = randomOf(81);
    for (let i = 0; i < 40; i++) {
      const [column, row] = [random() * width, random() * height];
      const a = await fixture.ask(['cell', 'smooth'], { lng: west + column * cell, lat: north - row * cell });
      const { cell: own, smooth } = expected(column, row);
      expect(a.cell!.value).toBe(own);
      expect(a.smooth!.value).toBeCloseTo(smooth, 6);
    }
    for (const [lng, lat] of [
      [west + (width + 0.5) * cell, north - 3 * cell],
      [west + 3 * cell, north - (height + 0.5) * cell],
    ] as const) {
      const { cell: beyond } = await fixture.ask(['cell'], { lng: lng > 180 ? lng - 360 : lng, lat });
      expect(beyond).toMatchObject({ status: 'absent', value: null, notes: 'outside the coverage of ground:cells' });
    }
  });
});
