import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VectorLayer } from '../../../datasets/dataset.ts';
import { createFixture, dataset, type Fixture, field, point, rectangle } from '../release-fixture.ts';

const zones: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'ID',
  partition: 'national',
  columns: { ID: { type: 'string' }, lost: { type: 'number' } },
};
const spots: VectorLayer = { ...zones, geometry: 'point' };
const county: VectorLayer = { ...zones, joinKey: 'GEOID', columns: { GEOID: { type: 'string' } } };

/** A field of every operator that reads columns, by the column that the files lack, and one that does without it. */
const LACKING = {
  attr: 'polygon_attr(zones, lost)',
  attr_where: 'polygon_attr(zones, ID, where[lost > 1])',
  inside: 'polygon_within(zones, where[lost > 1])',
  share: 'overlap_fraction(zones, over=radius:500, where[lost > 1])',
  near: 'nearest_distance(spots, max_km=50, where[lost > 1])',
  near_attr: 'nearest_attr(spots, lost, max_km=50)',
  counted: 'count_within(spots, radius_m=5000, where[lost > 1])',
  distinct: 'count_within(spots, radius_m=5000, distinct=lost)',
  summed: 'agg_within(spots, lost, agg=sum, radius_m=5000)',
  station: 'station_value(spots, lost, method=idw, k=3, max_km=50)',
  tabled: 'area_key_attr(stats, key=county_fips, lost)',
  tabled_where: 'area_key_attr(stats, key=county_fips, people, agg=sum, where[lost > 1])',
  derived: 'derived(expr[a + 1], a=area_key_attr(stats, key=county_fips, lost))',
} as const;
const SOUND = {
  zone: 'polygon_attr(zones, ID)',
  within: 'polygon_within(zones)',
  distance: 'nearest_distance(spots, max_km=50)',
  count: 'count_within(spots, radius_m=5000)',
  people: 'area_key_attr(stats, key=county_fips, people)',
} as const;

const fieldsOf = (expressions: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(expressions).map(([name, expression]) => [name, field(expression, { type: 'number' })]),
  );

let fixture: Fixture;
beforeAll(async () => {
  const datasets = [
    dataset('census_tiger', { county }),
    dataset(
      'zones',
      { main: zones },
      {
        ...fieldsOf({ ...LACKING, ...SOUND }),
        zone: field(SOUND.zone, { type: 'string' }),
      },
    ),
    dataset('spots', { main: spots }),
    dataset('stats', {
      main: {
        kind: 'table',
        key: { column: 'fips', is: 'county_fips' },
        partition: 'national',
        columns: { fips: { type: 'string' }, people: { type: 'integer' }, lost: { type: 'number' } },
      },
    }),
  ];
  const square = rectangle([0, 0, 1, 1]);
  fixture = await createFixture(datasets, {
    census_tiger: { county: [{ features: [{ geometry: square, GEOID: '23019' }] }] },
    zones: { main: [{ features: [{ geometry: square, ID: 'a' }], stored: ['ID'] }] },
    spots: { main: [{ features: [{ geometry: point(0.5, 0.5), ID: 'a' }], stored: ['ID'] }] },
    stats: { main: [{ rows: [{ fips: '23019', people: 7 }], stored: ['fips', 'people'] }] },
  });
});
afterAll(() => fixture?.remove());

it('a file without a column makes the fields that read it failed, not retryable, and names the column', async () => {
  const answers = await fixture.ask([...Object.keys(LACKING), ...Object.keys(SOUND)], { lng: 0.503, lat: 0.504 });
  for (const name of Object.keys(LACKING)) {
    expect(answers[name], name).toMatchObject({ status: 'failed', value: null, retryable: false, confidence: 'low' });
    expect(answers[name]!.error, name).toMatch(/no column lost/);
  }
  for (const name of Object.keys(SOUND)) expect(answers[name]!.status, name).toBe('ok');
  expect(answers.people!.value).toBe(7);
});
