import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../release-fixture.ts';

const zones: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'id',
  partition: 'county',
  columns: {
    id: { type: 'string' },
    zone: { type: 'string' },
    level: { type: 'integer' },
    bfe: { type: 'number' },
    FLD_ZONE: { type: 'string' },
    sfha: { type: 'string' },
  },
};
const attr = (expression: string, type: 'string' | 'number' | 'integer' = 'string', confidence = 'edge_m(30)') =>
  field(expression, { type, confidence });

const flood = dataset(
  'flood',
  { area: zones, panel: zones, plain: zones },
  {
    zone: attr('polygon_attr(flood:area, zone)'),
    zone_const: attr('polygon_attr(flood:area, zone)', 'string', 'const(medium)'),
    level_min: attr('polygon_attr(flood:area, level, pick=min)', 'integer'),
    level_max: attr('polygon_attr(flood:area, level, pick=max, map=usdm_categories)'),
    bfe: attr("polygon_attr(flood:area, bfe, scale=0.3048, null[-9999], where[sfha = 'T'])", 'number'),
    within: field("polygon_within(flood:area, coverage=flood:panel, where[sfha = 'T'])", {
      type: 'boolean',
      confidence: 'edge_m(30)',
    }),
    within_plain: field('polygon_within(flood:plain)', { type: 'boolean' }),
    gone: field('polygon_within(flood:panel, coverage=flood:area)', { type: 'boolean' }),
  },
);

/** 0.001 degrees are about 111 m here. */
const big = rectangle([0, 0, 0.02, 0.02], [0.012, 0.012, 0.014, 0.014]);
const coverage = [rectangle([-0.05, -0.05, 0.05, 0.05])];
const row = (id: string, geometry: ReturnType<typeof rectangle>, more = {}) => ({
  geometry,
  id,
  zone: `zone ${id}`,
  level: 1,
  bfe: 10,
  FLD_ZONE: 'AE',
  sfha: 'T',
  ...more,
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([flood], {
    flood: {
      area: [
        {
          key: 'ME/23019',
          place: 'east',
          coverage,
          source: 'q3',
          vintage: '1998',
          note: 'stands in for flood',
          features: [
            row('big', big, { level: 3 }),
            row('b', rectangle([0.002, 0.002, 0.006, 0.006]), { level: 1, zone: '', bfe: -9999 }),
            row('a', rectangle([0.002, 0.002, 0.006, 0.006]), { level: 2, zone: 'twin a' }),
            row('out', rectangle([-0.04, -0.04, -0.03, -0.03]), { FLD_ZONE: 'AREA NOT INCLUDED', sfha: 'F' }),
          ],
        },
        {
          key: 'ME/23027',
          place: 'west',
          coverage: [rectangle([-0.2, -0.05, -0.1, 0.05])],
          source: 'west_zones',
          unpublished: ['sfha'],
          features: [row('w', rectangle([-0.15, 0, -0.14, 0.01]))],
        },
      ],
      panel: [
        { key: 'ME/23019', place: 'east', coverage, features: [row('p1', rectangle([-0.045, -0.045, 0.03, 0.03]))] },
      ],
    },
  });
});
afterAll(() => fixture.remove());

const at = (lng: number, lat: number, ...names: string[]) => fixture.ask(names, { lng, lat });

describe('polygon_attr', () => {
  it('answers with the containing polygon and cites its partition', async () => {
    const { zone } = await at(0.01, 0.01, 'zone');
    expect(zone).toMatchObject({
      status: 'ok',
      value: 'zone big',
      source: 'q3',
      vintage: '1998',
      sourceUrl: 'https://example.org/q3',
      notes: 'stands in for flood',
      confidence: 'high',
    });
  });

  it('takes the smallest of overlapping polygons, then the smaller join key, with no fall-through', async () => {
    const { zone, bfe } = await at(0.004, 0.004, 'zone', 'bfe');
    expect(zone!.value).toBe('twin a');
    expect(bfe!.value).toBeCloseTo(3.048, 9);
  });

  it('takes the extreme value with pick, and the label with map', async () => {
    const { level_min, level_max } = await at(0.004, 0.004, 'level_min', 'level_max');
    expect(level_min!.value).toBe(1);
    expect(level_max!.value).toBe('D3');
  });

  it('counts the boundary as inside, and the hole not', async () => {
    const onEdge = await at(0, 0.01, 'zone');
    expect(onEdge.zone).toMatchObject({ value: 'zone big', confidence: 'medium' });
    const inHole = await at(0.013, 0.013, 'zone', 'zone_const');
    expect(inHole.zone).toMatchObject({ status: 'absent', value: null, confidence: 'high' });
    expect(inHole.zone!.notes).toContain('None of the flood:area (q3) contains the point');
    expect(inHole.zone_const!.confidence).toBe('medium');
    const nearHole = await at(0.01205, 0.013, 'zone');
    expect(nearHole.zone).toMatchObject({ status: 'absent', confidence: 'medium' });
  });

  it('is absent outside every coverage, naming the dataset', async () => {
    const { zone } = await at(1, 1, 'zone');
    expect(zone).toMatchObject({ status: 'absent', source: 'flood', notes: 'outside the coverage of flood:area' });
  });

  it('is absent where the source does not publish a column the condition reads', async () => {
    const { bfe, zone } = await at(-0.145, 0.005, 'bfe', 'zone');
    expect(bfe).toMatchObject({ status: 'absent', source: 'west_zones' });
    expect(bfe!.notes).toContain('this copy (west_zones) lacks it (sfha)');
    expect(zone!.value).toBe('zone w');
  });
});

describe('polygon_within', () => {
  it('is true inside, with the farthest of the containing boundaries deciding the confidence', async () => {
    const near = await at(0.0021, 0.004, 'within');
    expect(near.within).toMatchObject({ status: 'ok', value: true, confidence: 'high' });
  });

  it('is false where the coverage layer maps the point, high away from polygons and medium close to one', async () => {
    expect((await at(0.025, 0.025, 'within')).within).toMatchObject({ value: false, confidence: 'high' });
    expect((await at(0.0202, 0.01, 'within')).within).toMatchObject({ value: false, confidence: 'medium' });
  });

  it('is absent where no panel maps the point and in areas that were not included', async () => {
    expect((await at(0.04, 0.04, 'within')).within).toMatchObject({ status: 'absent', value: null });
    expect((await at(-0.035, -0.035, 'within')).within).toMatchObject({ status: 'absent', value: null });
  });

  it('fails when the layer is not in the release', async () => {
    const { within_plain } = await at(0, 0, 'within_plain');
    expect(within_plain).toMatchObject({ status: 'failed', retryable: false, confidence: 'low', value: null });
    expect(within_plain!.error).toContain('data of flood:plain is not installed in this release');
  });
});
