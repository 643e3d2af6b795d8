import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer, TableLayer, VectorLayer } from '../../datasets/dataset.ts';
import { bothForms } from './evaluate/operators/forms.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from './release-fixture.ts';

const raster: RasterLayer = { kind: 'raster', bands: 1, sampling: 'nearest', nodata: [], partition: 'national' };
const polygons: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'GEOID',
  partition: 'national',
  columns: { GEOID: { type: 'string' } },
};
const table: TableLayer = {
  kind: 'table',
  key: { column: 'fips', is: 'county_fips' },
  partition: 'national',
  columns: { fips: { type: 'string' }, people: { type: 'integer' } },
};
const datasets = [
  dataset('grids', { tiles: raster }, { tiles: field('raster_sample(grids:tiles, 1)') }),
  dataset('census_tiger', { county: polygons }),
  dataset('stats', { main: table }, { people: field('area_key_attr(stats, key=county_fips, people)') }),
  dataset('zones', { main: polygons }, { zone: field('polygon_attr(zones, GEOID)', { type: 'string' }) }),
];

// Every partition here is of one place and one key, as several files of a place are.
let fixture: Fixture;
beforeAll(async () => {
  const tile = (west: number, value: number) => ({
    raster: { width: 4, height: 4, west, north: 1, cell: 0.25, values: Array.from({ length: 16 }, () => value) },
    coverage: 'extent' as const,
    source: `tile_${value}`,
  });
  const shape = (west: number, GEOID: string) => ({ geometry: rectangle([west, 0, west + 1, 1]), GEOID });
  fixture = await createFixture(datasets, {
    grids: { tiles: [tile(0, 1), tile(1, 2), tile(2, 3)] },
    census_tiger: {
      // One county, in two files that say different things of themselves.
      county: [
        { features: [shape(0, '23019')], source: 'first', note: 'first boundaries' },
        { features: [shape(1, '23019')], source: 'second', note: 'second boundaries' },
      ],
    },
    stats: { main: [{ rows: [{ fips: '23019', people: 7 }] }] },
    zones: {
      main: [
        { features: [shape(0, 'a')], coverage: [rectangle([0, 0, 1, 1])], source: 'bounded' },
        { features: [shape(0, 'b'), shape(1, 'c')], source: 'anywhere' },
      ],
    },
  });
});
afterAll(() => fixture.remove());

describe('files of one place under one key are told apart in both forms', () => {
  const points = [0.5, 1.5, 2.5, 0.4, 1.4, 2.4].map(lng => ({ lng, lat: 0.5 }));

  it('tiles of a raster', async () => {
    const answers = await bothForms(fixture, ['tiles'], points);
    expect(answers.map(({ tiles }) => [tiles!.value, tiles!.source])).toEqual(
      [1, 2, 3, 1, 2, 3].map(value => [value, `tile_${value}`]),
    );
  });

  it('polygons that a table is looked up by', async () => {
    const answers = await bothForms(fixture, ['people'], points);
    const notes = answers.slice(0, 2).map(({ people }) => [people!.value, people!.notes]);
    expect(notes).toEqual([
      [7, expect.stringContaining('first boundaries')],
      [7, expect.stringContaining('second boundaries')],
    ]);
  });

  it('a file with a coverage of its own and one that covers everywhere', async () => {
    const answers = await bothForms(fixture, ['zone'], points);
    expect(answers.slice(0, 3).map(({ zone }) => [zone!.value, zone!.source])).toEqual([
      ['a', 'bounded'],
      ['c', 'anywhere'],
      [null, 'anywhere'],
    ]);
  });
});
