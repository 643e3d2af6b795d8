import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableLayer, VectorLayer } from '../../../../datasets/dataset.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../release-fixture.ts';

const county: VectorLayer = {
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
  columns: {
    fips: { type: 'string' },
    Year: { type: 'integer' },
    people: { type: 'integer' },
    income: { type: 'number' },
    kind: { type: 'string' },
    day: { type: 'date' },
    'Annual Change (%)': { type: 'number' },
  },
};
const tiger = dataset('census_tiger', { county, tract: { ...county } });
const asked = (expression: string, more = {}) => field(expression, more);
const stats = dataset(
  'stats',
  { main: table, single: table, tract: { ...table, key: { column: 'fips', is: 'tract_geoid' } } },
  {
    one: asked('area_key_attr(stats:single, key=county_fips, people)', { type: 'integer' }),
    income: asked('area_key_attr(stats:single, key=county_fips, income, null[-666666666], scale=2)'),
    many: asked('area_key_attr(stats, key=county_fips, people)'),
    sum: asked("area_key_attr(stats, key=county_fips, people, agg=sum, where[kind = 'a'])"),
    mean: asked('area_key_attr(stats, key=county_fips, people, agg=mean)'),
    max: asked('area_key_attr(stats, key=county_fips, people, agg=max)'),
    count: asked('area_key_attr(stats, key=county_fips, people, agg=count)', { type: 'integer' }),
    distinct: asked('area_key_attr(stats, key=county_fips, kind, agg=count_distinct, where[day >= @today-10y])', {
      type: 'integer',
    }),
    any: asked("area_key_attr(stats, key=county_fips, kind, agg=any, where[kind = 'z'])", { type: 'boolean' }),
    latest: asked('area_key_attr(stats, key=county_fips, `Annual Change (%)`, agg=latest)'),
    tract: asked('area_key_attr(stats:tract, key=tract_geoid, people)'),
    count_none: asked('area_key_attr(stats:single, key=county_fips, people, agg=count)', { type: 'integer' }),
    sum_none: asked('area_key_attr(stats:single, key=county_fips, people, agg=sum)'),
    mean_none: asked('area_key_attr(stats:single, key=county_fips, people, agg=mean)'),
    wrong_key: asked('area_key_attr(stats:single, key=tract_geoid, people)'),
  },
);

const square = (geoid: string, x: number) => ({ geometry: rectangle([x, 0, x + 1, 1]), GEOID: geoid });
const row = (fips: string, people: number | null, more = {}) => ({
  fips,
  Year: 2020,
  people,
  income: 10,
  kind: 'a',
  day: '2020-01-01',
  'Annual Change (%)': 1,
  ...more,
});

let fixture: Fixture;
beforeAll(async () => {
  const counties = ['23019', '46102', '51019', '09110', '23003'].map((id, i) => square(id, i * 2));
  fixture = await createFixture([tiger, stats], {
    census_tiger: {
      county: [{ features: counties, source: 'census_tiger', note: 'generalised boundaries' }],
    },
    stats: {
      single: [
        {
          source: 'pep',
          vintage: '2025',
          rows: [row('23019', 152000), row('46113', 14000), row('51515', 6000), row('09001', 1)],
        },
      ],
      main: [
        {
          source: 'yearly',
          rows: [
            row('23019', 1, { 'Annual Change (%)': 3.5, Year: 2024 }),
            row('23019', 2, { kind: 'b', day: '2001-01-01', 'Annual Change (%)': 2, Year: 2023 }),
            row('23019', null, { day: '2021-01-01', Year: 2021 }),
            row('23003', 7, { Year: 2024, 'Annual Change (%)': null }),
            row('23003', 8),
          ],
        },
      ],
      tract: [{ rows: [] }],
    },
  });
});
afterAll(() => fixture.remove());

const at = (x: number, ...names: string[]) => fixture.ask(names, { lng: x + 0.5, lat: 0.5 });

describe('area_key_attr', () => {
  it('answers from the one row of the area and cites the table', async () => {
    const { one, income } = await at(0, 'one', 'income');
    expect(one).toMatchObject({ status: 'ok', value: 152000, source: 'pep', vintage: '2025' });
    expect(one!.notes).toBe('county (county_fips): generalised boundaries');
    expect(income!.value).toBe(20);
  });

  it('calls several rows without an aggregate a schema failure', async () => {
    const { many } = await at(0, 'many');
    expect(many).toMatchObject({ status: 'failed', retryable: false });
    expect(many!.error).toContain('3 rows for county_fips 23019');
  });

  it('aggregates the rows that meet the condition, skipping missing values', async () => {
    const answers = await at(0, 'sum', 'mean', 'max', 'count', 'distinct', 'any', 'latest');
    const values = Object.fromEntries(Object.entries(answers).map(([name, a]) => [name, a.value]));
    expect(values).toEqual({ sum: 1, mean: 1.5, max: 2, count: 2, distinct: 1, any: false, latest: 3.5 });
  });

  it('counts and sums none as zero, has no mean of none, and takes the latest row even when it is empty', async () => {
    const { count_none, sum_none, mean_none } = await at(8, 'count_none', 'sum_none', 'mean_none');
    expect(count_none).toMatchObject({ status: 'ok', value: 0 });
    expect(sum_none).toMatchObject({ status: 'ok', value: 0 });
    expect(mean_none).toMatchObject({ status: 'absent', value: null });
    const { latest } = await at(8, 'latest');
    expect(latest).toMatchObject({ status: 'absent', value: null });
  });

  it('joins a renamed county one to one, and no county that was merged or redrawn', async () => {
    const { one } = await at(2, 'one');
    expect(one).toMatchObject({ status: 'ok', value: 14000 });
    expect(one!.notes).toContain('46102 is 46113');
    expect((await at(4, 'one')).one).toMatchObject({ status: 'absent', value: null });
    expect((await at(6, 'one')).one!.notes).toContain('no one-to-one counterpart');
  });

  it('is absent without a key or a row, and failed when the key layer is not installed or another key is asked', async () => {
    const { one } = await fixture.ask(['one'], { lng: 50, lat: 50 });
    expect(one).toMatchObject({
      status: 'absent',
      notes: expect.stringContaining('No county (county_fips): none of the counties (census_tiger) contains the point'),
    });
    expect((await at(8, 'one')).one!.notes).toContain('is for county 23003 (county_fips)');
    const { tract, wrong_key } = await at(0, 'tract', 'wrong_key');
    expect(tract).toMatchObject({ status: 'failed', retryable: false });
    expect(tract!.error).toContain('data of census tracts (census_tiger:tract) is not installed');
    expect(wrong_key!.error).toContain('keyed by county_fips');
  });

  it('does not look up a tract of one census in a table of another', async () => {
    const tracts = (vintage: string) => ({
      census_tiger: { tract: [{ features: [square('23019000100', 0)], vintage }] },
      stats: { tract: [{ source: 'acs', vintage: '2019-2023', rows: [row('23019000100', 4000)] }] },
    });
    const other = await createFixture([tiger, stats], tracts('2010'));
    const { tract } = await other.ask(['tract'], { lng: 0.5, lat: 0.5 });
    expect(tract).toMatchObject({ status: 'absent', value: null, source: 'acs' });
    expect(tract!.notes).toContain('of the 2010 census, the table (acs) of that of 2020');
    await other.publish(tracts('2024'), 'r2');
    expect((await other.ask(['tract'], { lng: 0.5, lat: 0.5 })).tract!.value).toBe(4000);
    other.remove();
  });
});
