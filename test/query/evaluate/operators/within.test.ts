import { truncateSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { metresBetween, pointAt } from '../../../oracle/geodesic.ts';
import { metresTo } from '../../../oracle/geometry.ts';
import {
  createFixture,
  dataset,
  type FeatureSpec,
  type Fixture,
  field,
  line,
  point,
  rectangle,
} from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';
import { bothForms } from './forms.ts';

const storms: VectorLayer = {
  kind: 'vector',
  geometry: 'point',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' }, sid: { type: 'string' }, mag: { type: 'number' }, text: { type: 'string' } },
};

const events = dataset(
  'events',
  { main: storms, tracks: { ...storms, geometry: 'line' }, ponds: { ...storms, geometry: 'polygon' }, far: storms },
  {
    count: field('count_within(events, radius_m=1000)', { type: 'integer' }),
    strong: field('count_within(events, radius_m=1000, where[mag >= 4])', { type: 'integer' }),
    named: field('count_within(events, radius_m=1000, distinct=sid)', { type: 'integer' }),
    sum: field('agg_within(events, mag, agg=sum, radius_m=1000)'),
    max: field('agg_within(events, mag, agg=max, radius_m=1000)'),
    max_text: field('agg_within(events, text, agg=max, radius_m=1000)'),
    min: field('agg_within(events, mag, agg=min, radius_m=1000)'),
    tracks: field('count_within(events:tracks, radius_m=5000)', { type: 'integer' }),
    ponds: field('count_within(events:ponds, radius_m=700)', { type: 'integer' }),
    far: field('count_within(events:far, radius_m=100000)', { type: 'integer' }),
    far_sum: field('agg_within(events:far, mag, agg=sum, radius_m=100000)'),
  },
);
const ALL = [...events.fields].map(f => f.name).filter(name => name !== 'min');

const event = (lng: number, lat: number, more: Partial<FeatureSpec> = {}): FeatureSpec => ({
  geometry: point(lng, lat),
  id: `${lng} ${lat}`,
  sid: null,
  mag: 1,
  text: null,
  ...more,
});

/** Exactly 1,000 m east of 10,0.5 as Karney has it, and a millimetre more. */
const [EDGE] = pointAt(10, 0.5, 90, 1000);
const [BEYOND] = pointAt(10, 0.5, 90, 1000.001);
const random = randomOf(20261120);
const scattered = (count: number, lng: number, lat: number, span: number) =>
  Array.from({ length: count }, (_, i) =>
    event(lng + span * (random() - 0.5), lat + span * (random() - 0.5), {
      sid: random() < 0.3 ? null : `S${Math.floor(random() * 12)}`,
      mag: random() < 0.2 ? null : Math.round(random() * 80) / 10,
      text: random() < 0.5 ? `${i};${i % 7}` : 'n/a',
    }),
  );
const main = {
  west: [
    ...scattered(300, 10, 0, 0.05),
    event(10, 0.5),
    event(EDGE, pointAt(10, 0.5, 90, 1000)[1]!),
    event(BEYOND, 0.5),
  ],
  east: scattered(300, 10.05, 0, 0.05),
};
const tracks = Array.from({ length: 60 }, (_, i) => {
  const [x, y] = [10 + 0.5 * (random() - 0.5), 0.5 * (random() - 0.5)];
  return {
    ...event(x, y),
    geometry: line([x, y], [x + 0.3 * (random() - 0.5), y + 0.3 * (random() - 0.5)]),
    id: `t${i}`,
  };
});
const ponds = Array.from({ length: 60 }, (_, i) => ({
  ...event(0, 0),
  geometry: starOf(i + 1, 8, 10 + 0.06 * (random() - 0.5), 0.06 * (random() - 0.5), 0.004).geometry,
  id: `p${i}`,
}));
const far = [...scattered(200, -145, 72, 8), ...scattered(60, 179, 52, 2), ...scattered(60, -179, 52, 2)];

let fixture: Fixture;
beforeAll(async () => {
  const coverage = [rectangle([9, -1, 10.025, 1])];
  fixture = await createFixture([events], {
    events: {
      main: [
        { key: 'ME/a', place: 'west', coverage, features: main.west },
        { key: 'ME/b', place: 'east', coverage: [rectangle([10.025, -1, 11, 1])], features: main.east },
      ],
      tracks: [{ features: tracks }],
      ponds: [{ features: ponds }],
      far: [{ features: far }],
    },
  });
});
afterAll(() => fixture.remove());

const ask = async (lng: number, lat: number, ...names: string[]) =>
  (await bothForms(fixture, names, [{ lng, lat }]))[0]!;

describe('count_within', () => {
  it('counts what lies exactly at the radius and not what lies a millimetre beyond', async () => {
    expect((await ask(10, 0.5, 'count')).count).toMatchObject({ status: 'ok', value: 2 });
  });

  it('is 0 inside the coverage and absent outside', async () => {
    expect((await ask(9.5, 0.5, 'count')).count).toMatchObject({ status: 'ok', value: 0, source: 'source_of_west' });
    expect((await ask(8.9, 0.5, 'count')).count).toMatchObject({
      status: 'absent',
      value: null,
      notes: 'outside the coverage of events',
    });
  });

  it('counts across partition edges, under a condition, and one a value, as brute force does', async () => {
    const all = [...main.west, ...main.east];
    const points = Array.from({ length: 40 }, () => ({
      lng: 10.025 + 0.04 * (random() - 0.5),
      lat: 0.04 * (random() - 0.5),
    }));
    const answers = await bothForms(fixture, ['count', 'strong', 'named', 'sum', 'max', 'max_text'], points);
    for (const [i, { lng, lat }] of points.entries()) {
      const near = all.filter(e => metresBetween(lng, lat, e.geometry.xy[0]!, e.geometry.xy[1]!) <= 1000);
      const values = near.map(e => e.mag as number | null).filter(m => m !== null);
      const texts = near.map(e => String(e.text)).filter(t => t !== 'n/a');
      const a = answers[i]!;
      expect(a.count!.value).toBe(near.length);
      // An event without a magnitude may be a strong one.
      const [strong, open] = [values.filter(m => m >= 4).length, near.length - values.length];
      expect(a.strong!.value).toBe(open ? null : strong);
      if (open) expect(a.strong!.notes).toContain(`(at least ${strong}, at most ${strong + open}): what decides (mag)`);
      expect(a.named!.value).toBe(new Set(near.map(e => e.sid).filter(s => s !== null)).size);
      expect(a.sum!.value).toBeCloseTo(
        values.reduce((sum, m) => sum + m, 0),
        6,
      );
      expect(a.max!.value).toBe(values.length ? Math.max(...values) : null);
      const numbers = texts.filter(t => t !== 'null').map(t => Math.max(...t.split(';').map(Number)));
      expect(a.max_text!.value).toBe(numbers.length ? Math.max(...numbers) : null);
    }
    expect(answers.filter(a => (a.count!.value as number) > 10).length).toBeGreaterThan(20);
    expect(answers.some(a => a.count!.source.includes(';'))).toBe(true);
  });

  it('measures lines and polygons to their nearest place', async () => {
    const points = Array.from({ length: 12 }, () => ({
      lng: 10 + 0.05 * (random() - 0.5),
      lat: 0.05 * (random() - 0.5),
    }));
    const answers = await bothForms(fixture, ['tracks', 'ponds'], points);
    const count = (features: readonly FeatureSpec[], lng: number, lat: number, metres: number) =>
      features.filter(f => metresTo(f.geometry, lng, lat) <= metres).length;
    for (const [i, { lng, lat }] of points.entries()) {
      expect(answers[i]!.tracks!.value).toBe(count(tracks, lng, lat, 5000));
      expect(answers[i]!.ponds!.value).toBe(count(ponds, lng, lat, 700));
    }
    expect(answers.some(a => (a.ponds!.value as number) > 0)).toBe(true);
  });

  it('agrees with brute force at 72°N and across ±180', async () => {
    const points = [
      ...Array.from({ length: 12 }, () => ({ lng: -145 + 4 * (random() - 0.5), lat: 71.5 + 2 * (random() - 0.5) })),
      ...Array.from({ length: 12 }, (_, i) => ({
        lng: (i % 2 ? 180 : -180) + (i % 2 ? -1 : 1) * 0.5 * random(),
        lat: 52,
      })),
      { lng: -180, lat: 52 },
      { lng: 180, lat: 52 },
    ];
    const answers = await bothForms(fixture, ['far', 'far_sum'], points);
    for (const [i, { lng, lat }] of points.entries()) {
      const near = far.filter(e => metresBetween(lng, lat, e.geometry.xy[0]!, e.geometry.xy[1]!) <= 100_000);
      expect(answers[i]!.far!.value, `${lng},${lat}`).toBe(near.length);
      expect(answers[i]!.far_sum!.value).toBeCloseTo(
        near.reduce((sum, e) => sum + ((e.mag as number | null) ?? 0), 0),
        6,
      );
      expect(near.length).toBeGreaterThan(0);
    }
  });
});

describe('agg_within', () => {
  it('sums to 0 where nothing is found, but has no greatest of none', async () => {
    const { sum, max } = await ask(9.5, 0.5, 'sum', 'max');
    expect(sum).toMatchObject({ status: 'ok', value: 0 });
    expect(max).toMatchObject({
      status: 'absent',
      value: null,
      notes: 'none of the events (source_of_west) with a value (mag) lies within 1 km',
    });
  });

  it('fails for an aggregate that does not exist', async () => {
    const { min } = await ask(10, 0, 'min');
    expect(min).toMatchObject({ status: 'failed', retryable: false });
    expect(min!.error).toContain('agg=min');
  });
});

describe('both forms', () => {
  it('agree at scattered points, inside, across and outside of coverages', async () => {
    const points = Array.from({ length: 150 }, () => ({
      lng: 10 + 0.5 * (random() - 0.5),
      lat: 2.2 * (random() - 0.5),
    }));
    const answers = await bothForms(fixture, ALL, points, 40);
    expect(new Set(answers.map(a => a.count!.status))).toEqual(new Set(['ok', 'absent']));
  });

  it('agree where a source does not publish a column, and where a file is damaged', async () => {
    const broken = await createFixture([events], {
      events: {
        main: [
          {
            key: 'ME/a',
            place: 'west',
            coverage: [rectangle([9, -1, 10, 1])],
            source: 'silent',
            unpublished: ['mag'],
            features: [event(9.999, 0)],
          },
          {
            key: 'ME/b',
            place: 'east',
            coverage: [rectangle([10, -1, 11, 1])],
            features: [event(10.001, 0, { mag: 6 })],
          },
        ],
        ponds: [{ features: ponds }],
        tracks: [{ features: tracks }],
        far: [{ features: far }],
      },
    });
    try {
      truncateSync(broken.path('events', 'ponds', 'features'), 500);
      const points = [
        { lng: 9.999, lat: 0 },
        { lng: 10.001, lat: 0 },
        { lng: 10.5, lat: 0 },
      ];
      const [west, east, empty] = await bothForms(broken, ALL, points);
      expect(west!.count!.value).toBe(2);
      expect(west!.sum).toMatchObject({ status: 'absent', notes: 'this copy (silent) lacks it (mag)' });
      expect(east!.sum).toMatchObject({ status: 'ok', value: 6 });
      expect(east!.sum!.notes).toContain('this copy (silent) lacks it (mag)');
      expect(empty!.sum!.value).toBe(0);
      expect(west!.ponds).toMatchObject({ status: 'failed', retryable: true });
      expect(west!.tracks!.status).toBe('ok');
    } finally {
      broken.remove();
    }
  });
});
