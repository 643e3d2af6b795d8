import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metresBetween, pointAt } from '../../../oracle/geodesic.ts';
import { createFixture, dataset, type Fixture, field, point, rectangle } from '../../release-fixture.ts';

const value = (args: string, more = {}) =>
  field(`station_value(normals, ${args})`, { confidence: 'station_km(25;75)', ...more });
const normals = dataset(
  'normals',
  {
    main: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'ID',
      columns: { ID: { type: 'string' }, TAVG: { type: 'number' }, SNOW: { type: 'number' } },
      partition: 'state',
    },
  },
  {
    idw: value('TAVG, method=idw, k=3, max_km=150'),
    celsius: value('TAVG, method=idw, k=3, max_km=150, scale=0.5555556, offset=-17.7777778'),
    nearest: value('TAVG, method=nearest, k=3, max_km=150'),
    one: value('TAVG, method=idw, k=1, max_km=150'),
    close: value('TAVG, method=idw, k=3, max_km=20'),
    snow: value('SNOW, method=idw, k=3, max_km=150'),
    badly: value('TAVG, method=spline, k=3, max_km=150'),
  },
);

interface Row {
  readonly ID: string;
  readonly lng: number;
  readonly lat: number;
  readonly TAVG: number | null;
  readonly SNOW: number | null;
}
const CENTRE = [-100, 40] as const;
const rows: Row[] = Array.from({ length: 40 }, (_, i) => ({
  ID: `S${String(i).padStart(3, '0')}`,
  lng: CENTRE[0] + 3 * Math.sin(i * 12.9898),
  lat: CENTRE[1] + 2 * Math.sin(i * 78.233 + 1),
  TAVG: i % 4 === 1 ? null : Math.round((50 + 10 * Math.sin(i)) * 10) / 10,
  SNOW: null,
}));
// Two at one place of which the smaller key counts first, in one that is farther from all others.
const [twinLng, twinLat] = [-96, 43];
rows.push({ ID: 'T2', lng: twinLng, lat: twinLat, TAVG: 10, SNOW: null });
rows.push({ ID: 'T1', lng: twinLng, lat: twinLat, TAVG: 20, SNOW: null });

const spec = (list: readonly Row[]) =>
  list.map(({ ID, lng, lat, TAVG, SNOW }) => ({ geometry: point(lng, lat), ID, TAVG, SNOW }));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([normals], {
    normals: {
      main: [
        {
          features: spec(rows.filter(r => r.lng < -100)),
          key: 'W',
          source: 'west',
          unpublished: ['SNOW'],
          coverage: [rectangle([-104, 36, -100, 44])],
          place: 'west',
        },
        {
          features: spec(rows.filter(r => r.lng >= -100)),
          key: 'E',
          source: 'east',
          coverage: [rectangle([-100, 36, -94, 44])],
          place: 'east',
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

/** Inverse distances squared over the k nearest stations that have the value, by Karney, looking at every one. */
function truth(lng: number, lat: number, k: number, kilometres: number): { value: number; nearest: number } | null {
  const near = rows
    .filter(r => r.TAVG !== null)
    .map(r => ({ r, metres: metresBetween(lng, lat, r.lng, r.lat) }))
    .filter(s => s.metres <= kilometres * 1000)
    .sort((a, b) => a.metres - b.metres || (a.r.ID < b.r.ID ? -1 : 1))
    .slice(0, k);
  if (!near.length) return null;
  const used = near[0]!.metres <= 100 ? [near[0]!] : near;
  const weight = (metres: number) => (used.length === 1 ? 1 : 1 / metres ** 2);
  const weights = used.reduce((sum, s) => sum + weight(s.metres), 0);
  return { value: used.reduce((sum, s) => sum + s.r.TAVG! * weight(s.metres), 0) / weights, nearest: near[0]!.metres };
}
const confidence = (metres: number) => (metres <= 25_000 ? 'high' : metres <= 75_000 ? 'medium' : 'low');

describe('station_value', () => {
  it('weighs the nearest stations that have the column, over partitions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: -103.9, max: -94.1, noNaN: true }),
        fc.double({ min: 36.1, max: 43.9, noNaN: true }),
        async (lng, lat) => {
          const answers = await fixture.ask(['idw', 'celsius', 'nearest', 'one', 'close'], { lng, lat });
          for (const [name, k, kilometres] of [
            ['idw', 3, 150],
            ['one', 1, 150],
            ['nearest', 1, 150],
            ['close', 3, 20],
          ] as const) {
            const expected = truth(lng, lat, k, kilometres);
            if (!expected) {
              expect(answers[name]).toMatchObject({ status: 'absent', value: null, confidence: 'low' });
              expect(answers[name]!.notes).toContain(`with a value (TAVG) lies within ${kilometres} km`);
            } else {
              expect(answers[name]!.value).toBeCloseTo(expected.value, 6);
              expect(answers[name]!.confidence).toBe(confidence(expected.nearest));
            }
          }
          const fahrenheit = truth(lng, lat, 3, 150);
          if (fahrenheit) expect(answers.celsius!.value).toBeCloseTo(fahrenheit.value * 0.5555556 - 17.7777778, 6);
        },
      ),
      { seed: 11, numRuns: 80 },
    );
  });

  it('lets a station within 100 m answer alone, and takes the smaller key of two at one place', async () => {
    const [lng, lat] = pointAt(twinLng, twinLat, 70, 99.9);
    expect((await fixture.ask(['idw'], { lng, lat })).idw!.value).toBe(20);
    const [x, y] = pointAt(twinLng, twinLat, 70, 100.5);
    expect((await fixture.ask(['idw'], { lng: x, lat: y })).idw!.value).toBeCloseTo(15, 4);
  });

  it('says which source lacks the column, and refuses unknown methods', async () => {
    const [west, east] = [
      await fixture.ask(['snow', 'badly'], { lng: -102, lat: 40 }),
      await fixture.ask(['snow'], { lng: -97, lat: 40 }),
    ];
    expect(west.snow).toMatchObject({ status: 'absent', confidence: 'low' });
    expect(west.snow!.notes).toContain('this copy (west) lacks it (SNOW)');
    expect(west.badly!.error).toContain('method=spline: expected idw or nearest');
    expect(east.snow!.notes).toContain('with a value (SNOW) lies within 150 km');
    expect((await fixture.ask(['idw'], { lng: -80, lat: 40 })).idw!.notes).toBe('outside the coverage of normals');
  });

  it('fails when the file of the stations is gone', async () => {
    const other = await createFixture([normals], { normals: { main: [{ features: spec(rows) }] } });
    try {
      rmSync(other.path('normals', 'main', 'features'));
      const { idw } = await other.ask(['idw'], { lng: -100, lat: 40 });
      expect(idw).toMatchObject({ status: 'failed', confidence: 'low' });
    } finally {
      other.remove();
    }
  });
});
