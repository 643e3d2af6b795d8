import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { evaluate } from '../../../../query/evaluate/evaluate.ts';
import type { Cache } from '../../../../query/release/cache.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, field, line, rectangle } from '../../release-fixture.ts';
import { randomOf } from '../../star.ts';

const shapes: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' }, level: { type: 'integer' } },
};
const ground = dataset(
  'ground',
  { main: shapes, roads: { ...shapes, geometry: 'line' } },
  {
    zone: field('polygon_attr(ground, id)', { type: 'string' }),
    low: field('polygon_within(ground, where[level < 3])', { type: 'boolean' }),
    road: field('nearest_distance(ground:roads, max_km=5)', { unit: 'm' }),
    road_id: field('nearest_attr(ground:roads, id, max_km=5, where[level < 4])', { type: 'string' }),
    zones_near: field('count_within(ground, radius_m=400)', { type: 'integer' }),
    zones_about: field('count_within(ground, radius_m=2500, where[level < 3])', { type: 'integer' }),
    levels_about: field('count_within(ground, radius_m=3000, distinct=level)', { type: 'integer' }),
    roads_about: field('count_within(ground:roads, radius_m=1500)', { type: 'integer' }),
    level_sum: field('agg_within(ground:roads, level, radius_m=1200, agg=sum)'),
    level_max: field('agg_within(ground, level, radius_m=700, agg=max, where[level < 4])'),
    near_zone: field('nearest_distance(ground, max_km=2, where[level = 1])', { unit: 'm' }),
  },
);
const NAMES = ground.fields.map(f => f.name);
const random = randomOf(9);
const around = (span: number): [number, number] => [10 + span * (random() - 0.5), 45 + span * (random() - 0.5)];
const main = Array.from({ length: 60 }, (_, i) => {
  const [x, y] = around(0.06);
  return { geometry: rectangle([x, y, x + 0.004 * random(), y + 0.004 * random()]), id: `z${i}`, level: i % 5 };
});
const roads = Array.from({ length: 80 }, (_, i) => {
  const from = around(0.06);
  return { geometry: line(from, [from[0] + 0.01, from[1] + 0.01 * random()]), id: `r${i}`, level: i % 6 };
});

describe('what points of one cell share', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture([ground], {
      ground: { main: [{ key: 'ME/a', features: main }], roads: [{ key: 'ME/a', features: roads }] },
    });
  });
  afterAll(() => fixture.remove());

  it('answers as the searches of points that come alone', async () => {
    const release = openRelease(fixture.home);
    const shared = createCache(64);
    const ask = async (cache: Cache, [lng, lat]: [number, number]) => {
      const asked = { release, catalog: fixture.catalog, cache, deadline: Date.now() + 20_000 };
      const answers = await evaluate(NAMES, { lng, lat }, asked);
      return NAMES.map(name => ({ ...answers[name], fetchedAt: '' }));
    };
    let held = 0;
    // Some sixty cells: each is asked about many times.
    for (let i = 0; i < 600; i++) {
      const at = around(0.05);
      const answers = await ask(shared, at);
      // A cache of its own knows no cell.
      expect(answers, `at ${at}`).toEqual(await ask(createCache(8), at));
      if (answers[0]!.status === 'ok') held++;
    }
    expect(held).toBeGreaterThan(20);
    expect(held).toBeLessThan(580);
  });
});
