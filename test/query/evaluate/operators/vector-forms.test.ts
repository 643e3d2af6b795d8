import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { isValid } from '../../../oracle/geometry.ts';
import {
  createFixture,
  dataset,
  type FeatureSpec,
  type Fixture,
  field,
  line,
  rectangle,
} from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';
import { bothForms } from './forms.ts';

const areas: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' }, level: { type: 'integer' }, FLD_ZONE: { type: 'string' } },
};
const edge = (expression: string, type: 'integer' | 'string' | 'boolean' | 'number' = 'integer') =>
  field(expression, { type, confidence: 'edge_m(30)' });
const land = dataset(
  'land',
  { main: areas, panel: areas, roads: { ...areas, geometry: 'line' } },
  {
    level: edge('polygon_attr(land, level)'),
    id: field('polygon_attr(land, id)', { type: 'string' }),
    most: edge('polygon_attr(land, level, pick=max)'),
    low: edge('polygon_attr(land, level, where[level < 3])'),
    within: edge('polygon_within(land, coverage=land:panel, where[level >= 2])', 'boolean'),
    plain: edge('polygon_within(land)', 'boolean'),
    road: field('nearest_distance(land:roads, max_km=5)', { unit: 'm' }),
    road_id: field('nearest_attr(land:roads, id, max_km=5)', { type: 'string' }),
    road_3: field('nearest_distance(land:roads, max_km=300, where[level = 3])', { unit: 'm' }),
    pond: field('nearest_distance(land, max_km=1)', { unit: 'm' }),
    pond_level: field('nearest_attr(land, level, max_km=1)', { type: 'integer' }),
  },
);
const NAMES = land.fields.map(f => f.name);

const random = randomOf(77);
const row = (geometry: FeatureSpec['geometry'], id: string): FeatureSpec => ({
  geometry,
  id,
  level: random() < 0.15 ? null : Math.floor(random() * 5),
  FLD_ZONE: random() < 0.1 ? 'AREA NOT INCLUDED' : 'AE',
});
const stars = (count: number, lng: number, lat: number, span: number) =>
  Array.from({ length: count }, (_, i) => ({
    geometry: starOf(
      Math.floor(random() * 1e6),
      8 + (i % 30),
      lng + span * (random() - 0.5),
      lat + span * (random() - 0.5),
      0.002 + 0.02 * random() ** 3,
    ).geometry,
    id: i,
  }))
    .filter(s => isValid(s.geometry))
    .map(s => row(s.geometry, `s${s.id}`));
const county = [rectangle([9.8, -0.2, 10.03, 0.2])];
const spec = {
  main: [
    {
      key: 'ME/a',
      place: 'west',
      coverage: county,
      features: [...stars(120, 10, 0, 0.2), row(rectangle([9, -1, 11, 1]), 'all')],
    },
    { key: 'ME/b', place: 'east', coverage: [rectangle([10.03, -0.2, 10.2, 0.2])], features: stars(40, 10.1, 0, 0.15) },
    { key: 'US', place: 'nation', features: stars(20, 10.3, 0, 0.1) },
  ],
  panel: [
    {
      key: 'ME',
      place: 'west',
      coverage: [rectangle([9.7, -0.3, 10.03, 0.2])],
      features: [row(rectangle([9.9, -0.1, 10, 0.1]), 'p')],
    },
  ],
  roads: [
    {
      key: 'ME/a',
      features: Array.from({ length: 200 }, (_, i) => {
        const [x, y] = [10 + 0.3 * (random() - 0.5), 0.3 * (random() - 0.5)];
        return row(line([x, y], [x + 0.02 * (random() - 0.5), y + 0.02 * (random() - 0.5)]), `r${i}`);
      }),
    },
    { key: 'ME/b', features: [row(line([11.2, -1], [11.2, 1]), 'far')] },
  ],
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([land], { land: spec });
});
afterAll(() => fixture.remove());

const scatter = (count: number, lng: number, lat: number, span: number) =>
  Array.from({ length: count }, () => ({ lng: lng + span * (random() - 0.5), lat: lat + span * (random() - 0.5) }));

describe('both forms of polygon and nearest operators', () => {
  it.each([
    ['in a batch that lies in one coverage', 10, 0, 0.01, 64],
    ['in a batch across coverages', 10.03, 0, 0.05, 64],
    ['in wide batches, in and out of every coverage', 10.1, 0, 0.6, 100],
    ['where whole polygons hold the batch', 9.95, 0.02, 0.0005, 32],
  ])('agree %s', async (_, lng, lat, span, chunk) => {
    const answers = await bothForms(fixture, NAMES, scatter(200, lng, lat, span), chunk);
    expect(answers.filter(a => a.road!.status === 'ok').length).toBeGreaterThan(20);
    expect(answers.some(a => a.id!.status === 'ok')).toBe(true);
    expect(new Set(answers.map(a => a.within!.status)).size).toBeGreaterThan(0);
  });

  it('agree on corners of polygons and of coverages, where boundaries decide', async () => {
    const points = [...county[0]!.xy].flatMap((_, i, xy) => (i % 2 ? [] : [{ lng: xy[i]!, lat: xy[i + 1]! }]));
    for (const { geometry } of spec.main[0]!.features.slice(0, 12))
      for (let v = 0; v < 6; v++) points.push({ lng: geometry.xy[2 * v]!, lat: geometry.xy[2 * v + 1]! });
    const answers = await bothForms(fixture, NAMES, points, 30);
    expect(answers.some(a => a.plain!.value === true)).toBe(true);
  });

  it('agree where files are damaged: only the fields that need them fail', async () => {
    const broken = await createFixture([land], { land: { ...spec, main: [spec.main[0]!] } });
    try {
      const path = broken.path('land', 'roads', 'features');
      truncateSync(path, readFileSync(path).length - 40);
      const coverage = broken.path('land', 'panel', 'coverage');
      const bytes = readFileSync(coverage);
      bytes[bytes.length - 20]! ^= 0xff;
      writeFileSync(coverage, bytes);
      const answers = await bothForms(broken, NAMES, scatter(40, 9.99, 0, 0.1), 40);
      expect(answers.every(a => a.road!.status === 'failed')).toBe(true);
      expect(answers.some(a => a.level!.status === 'ok')).toBe(true);
      expect(answers.some(a => a.within!.status === 'failed')).toBe(true);
    } finally {
      broken.remove();
    }
  });
});
