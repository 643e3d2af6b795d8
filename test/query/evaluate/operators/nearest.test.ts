import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import { createFixture, dataset, type Fixture, field, line, point, rectangle } from '../../release-fixture.ts';
import { answersOver, statisticsOf } from '../area/answers-over.ts';
import { bothForms } from './forms.ts';

const sites: VectorLayer = {
  kind: 'vector',
  geometry: 'point',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' }, name: { type: 'string' }, volts: { type: 'string' } },
};
const roads: VectorLayer = { ...sites, geometry: 'line' };
const ponds: VectorLayer = { ...sites, geometry: 'polygon' };

const power = dataset(
  'power',
  { main: sites, roads, ponds, far: sites },
  {
    near: field('nearest_distance(power, max_km=50)', { unit: 'm' }),
    name: field('nearest_attr(power, name, max_km=50)', { type: 'string' }),
    near_115: field('nearest_distance(power, max_km=50, where[volts >= 115000])'),
    kv: field('nearest_attr(power, volts, max_km=50, scale=0.001)'),
    close: field('nearest_distance(power, max_km=1)'),
    road: field('nearest_distance(power:roads, max_km=50)'),
    pond: field('nearest_distance(power:ponds, max_km=50)'),
    pond_1m: field('nearest_distance(power:ponds, max_km=50)', { precision: 1 }),
    far: field('nearest_distance(power:far, max_km=5000)'),
  },
);

const coverage = [rectangle([9, -1, 12, 1])];
const site = (id: string, lng: number, lat: number, more = {}) => ({
  geometry: point(lng, lat),
  id,
  name: `site ${id}`,
  volts: '69000',
  ...more,
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([power], {
    power: {
      main: [
        {
          key: 'ME/a',
          place: 'west',
          coverage,
          source: 'osm_west',
          features: [
            site('1', 9.9, 0),
            site('tie_b', 9.99, 0),
            site('5', 10.3, 0, { volts: '132000;33000', name: null }),
          ],
        },
        {
          key: 'ME/b',
          place: 'east',
          coverage: [rectangle([12, -1, 13, 1])],
          source: 'osm_east',
          features: [site('2', 10.1, 0), site('tie_a', 10.01, 0)],
        },
        { key: 'US', place: 'nation', source: 'national', features: [site('n', 10, 0), site('m', -70, 40)] },
      ],
      roads: [{ features: [{ geometry: line([9, 0.1], [11, 0.1]), id: 'r', name: 'Main', volts: null }] }],
      ponds: [{ features: [{ geometry: rectangle([9.5, -0.5, 10.5, 0.5]), id: 'p', name: 'P', volts: null }] }],
      far: [{ features: [site('dateline', -179.9, 52)] }],
    },
  });
});
afterAll(() => fixture.remove());

const at = (lng: number, lat: number, ...names: string[]) => fixture.ask(names, { lng, lat });

describe('nearest_distance and nearest_attr', () => {
  it('finds the nearest across partition edges and cites the partition that holds it', async () => {
    const { near, name } = await at(10.08, 0, 'near', 'name');
    expect(near).toMatchObject({ status: 'ok', source: 'osm_east' });
    expect(near!.value).toBe(Math.round(distance(10.08, 0, 10.1, 0) * 10) / 10);
    expect(name!.value).toBe('site 2');
  });

  it('breaks ties across partitions by the join key as text', async () => {
    const { name } = await at(10, 0, 'name');
    expect(name).toMatchObject({ value: 'site tie_a', source: 'osm_east' });
  });

  it('leaves the national partition out where a place covers the point, and uses it elsewhere', async () => {
    expect((await at(10, 0, 'near')).near!.value).toBeGreaterThan(1000);
    expect((await at(-70, 40.1, 'near')).near).toMatchObject({ status: 'ok', source: 'national' });
  });

  it('reads several numbers in one text as the largest and never falls through to the next feature', async () => {
    const { near_115, kv, name } = await at(10.31, 0, 'near_115', 'kv', 'name');
    expect(near_115!.value).toBe(Math.round(distance(10.31, 0, 10.3, 0) * 10) / 10);
    expect(kv!.value).toBe(132);
    expect(name).toMatchObject({ status: 'absent', value: null, notes: 'the source leaves it empty (name)' });
  });

  it('is absent beyond max_km', async () => {
    const { close } = await at(10.05, 0.5, 'close');
    expect(close).toMatchObject({ status: 'absent', notes: 'no power (osm_west) within 1 km' });
  });

  it('measures to the line, is zero inside a polygon, and crosses the antimeridian', async () => {
    const { road, pond } = await at(10, 0, 'road', 'pond');
    expect(road!.value).toBe(Math.round(distance(10, 0, 10, 0.1) * 10) / 10);
    expect(pond!.value).toBe(0);
    const { far } = await at(179.9, 52, 'far');
    expect(far!.value).toBe(Math.round(distance(179.9, 52, 180.1, 52) * 10) / 10);
  });
});

describe('a distance below a step', () => {
  it('is a step and not 0, which says that the feature is met, in all forms', async () => {
    // Some 3 cm and 0.4 m east of the pond; on its edge; inside.
    const points = [10.5 + 3e-7, 10.5 + 3.6e-6, 10.5, 10.4999].map(lng => ({ lng, lat: 0 }));
    const said = await bothForms(fixture, ['pond', 'pond_1m'], points);
    expect(said.map(({ pond, pond_1m }) => [pond!.value, pond_1m!.value])).toEqual([
      [0.1, 1],
      [0.4, 1],
      [0, 0],
      [0, 0],
    ]);
    for (const [west, metres] of [
      [10.5 + 3e-7, 1],
      [10.5, 0],
    ] as const) {
      const { pond_1m } = await answersOver(fixture, ['pond_1m'], rectangle([west, 0, 10.51, 0.01]));
      expect(statisticsOf(pond_1m, 'distance').metres).toBe(metres);
    }
  });
});

describe('a damaged file', () => {
  it('fails its own fields with a reason and leaves the others', async () => {
    const broken = await createFixture([power], {
      power: {
        main: [{ features: [site('1', 10, 0)] }],
        roads: [{ features: [{ geometry: line([9, 0.1], [11, 0.1]), id: 'r', name: 'Main', volts: null }] }],
        ponds: [{ features: [{ geometry: rectangle([9.5, -0.5, 10.5, 0.5]), id: 'p', name: 'P', volts: null }] }],
      },
    });
    try {
      const bytes = readFileSync(broken.path('power', 'roads', 'features'));
      bytes[bytes.length - 10]! ^= 1;
      writeFileSync(broken.path('power', 'roads', 'features'), bytes);
      truncateSync(broken.path('power', 'ponds', 'features'), 100);
      const { near, road, pond } = await broken.ask(['near', 'road', 'pond'], { lng: 10, lat: 0 });
      expect(near).toMatchObject({ status: 'ok', value: 0 });
      expect(road).toMatchObject({ status: 'failed', retryable: true, value: null });
      expect(road!.error).toMatch(/features file [0-9a-f]{12} is damaged/);
      expect(pond).toMatchObject({ status: 'failed', retryable: true });
      expect(pond!.error).toMatch(/holds 100 bytes/);
    } finally {
      broken.remove();
    }
  });

  it('names a column that the file lacks', async () => {
    const lacking = await createFixture([power], {
      power: { main: [{ features: [{ geometry: point(10, 0), id: '1' }], stored: ['id'] }] },
    });
    try {
      const { near, near_115, name } = await lacking.ask(['near', 'near_115', 'name'], { lng: 10, lat: 0 });
      expect(near!.status).toBe('ok');
      expect(near_115).toMatchObject({ status: 'failed', retryable: false });
      expect(near_115!.error).toContain('no column volts');
      expect(name).toMatchObject({ status: 'failed', retryable: false });
      expect(name!.error).toContain('no column name');
    } finally {
      lacking.remove();
    }
  });
});
