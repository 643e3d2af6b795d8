import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { geodesicArea } from '../../../../query/geometry/area/geodesic-area.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../release-fixture.ts';

const main: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'parcel_key',
  partition: 'county',
  columns: {
    parcel_key: { type: 'string' },
    apn: { type: 'string' },
    parval: { type: 'number' },
    saledate: { type: 'date' },
    owner: { type: 'string' },
  },
};
const more = (type: 'string' | 'number' | 'date') => ({ type, confidence: 'parcel_match' });
const parcels = dataset(
  'parcel_store',
  { main },
  {
    apn: field('parcel_attr(apn)', more('string')),
    value: field('parcel_attr(parval)', more('number')),
    sold: field('parcel_attr(saledate)', more('date')),
    owner: field('parcel_attr(owner)', more('string')),
    area: field('parcel_attr(@area_m2)', more('number')),
    match: field('parcel_attr(@match_type)', more('string')),
    away: field('parcel_attr(@match_distance_m)', more('number')),
    acres: field('derived(expr[a / 4046.8564224], a=@area)', { confidence: 'min_inputs' }),
  },
);
const all = ['apn', 'value', 'sold', 'owner', 'area', 'match', 'away'];

const row = (key: string, x0: number, x1: number, extra = {}) => ({
  geometry: rectangle([x0, 0, x1, 0.001]),
  parcel_key: key,
  apn: `apn ${key}`,
  parval: 100000,
  saledate: '2020-05-01',
  owner: null,
  ...extra,
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([parcels], {
    parcel_store: {
      main: [
        {
          key: 'ME/23019',
          place: 'bangor',
          source: 'bangor_parcels',
          coverage: [rectangle([-0.1, -0.1, 0.1, 0.1])],
          unpublished: ['owner'],
          features: [
            row('a', 0, 0.001),
            row('b', 0.001, 0.002, { parval: null }),
            row('c', 0.0015, 0.002),
            // 0.0002 degrees (22 m) from d to e, a street between them; 1 degree is 111,320 m here.
            row('d', 0.003, 0.004),
            row('e', 0.0042, 0.005),
          ],
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

const at = (lng: number, lat: number, ...names: string[]) => fixture.ask(names.length ? names : all, { lng, lat });

describe('parcel_attr', () => {
  it('answers from the containing parcel', async () => {
    const a = await at(0.0005, 0.0005, ...all, 'acres');
    expect(a.apn).toMatchObject({ value: 'apn a', confidence: 'high', source: 'bangor_parcels' });
    expect(a.value!.value).toBe(100000);
    expect(a.sold!.value).toBe('2020-05-01');
    expect(a.match!.value).toBe('contains');
    expect(a.away!.value).toBe(0);
    const area = geodesicArea(rectangle([0, 0, 0.001, 0.001]));
    expect(a.area!.value).toBeCloseTo(area, 6);
    expect(a.acres).toMatchObject({ status: 'ok', confidence: 'high' });
    expect(a.acres!.value).toBeCloseTo(area / 4046.8564224, 9);
    expect(a.owner).toMatchObject({ status: 'absent', notes: 'this copy (bangor_parcels) lacks it (owner)' });
  });

  it('is ambiguous, and so absent, where several parcels hold the point, on a shared boundary too', async () => {
    for (const lng of [0.0018, 0.001]) {
      const { apn, acres } = await at(lng, 0.0005, 'apn', 'acres');
      expect(apn).toMatchObject({ status: 'absent', value: null, confidence: 'low' });
      expect(apn!.notes).toContain('2 parcels contain the point');
      expect(acres!.status).toBe('absent');
    }
  });

  it('takes the one parcel within 30 m, saying how it matched', async () => {
    const a = await at(0.00305, -0.0001);
    expect(a.apn).toMatchObject({ value: 'apn d', confidence: 'medium' });
    expect(a.match!.value).toBe('nearest');
    expect(a.away!.value).toBeCloseTo(11.1, 1);
  });

  it('takes the nearer of two when it is clearly nearer, and neither at comparable distance', async () => {
    expect((await at(0.00405, 0.0005)).apn!.value).toBe('apn d');
    const { apn } = await at(0.00411, 0.0005);
    expect(apn).toMatchObject({ status: 'absent' });
    expect(apn!.notes).toContain('2 parcels lie within 30 m');
  });

  it('is absent with the reason where no parcel is near or no parcel data is', async () => {
    expect((await at(0.05, 0.05)).apn!.notes).toContain('no parcel contains the point');
    expect((await at(5, 5)).apn).toMatchObject({ status: 'absent', notes: 'no parcel data covers the point' });
    expect((await at(0.0014, 0.0005)).value).toMatchObject({
      status: 'absent',
      notes: 'the source leaves it empty (parval)',
    });
  });

  it('fails when the store is down, the derived field with it', async () => {
    const down = await createFixture([parcels], {
      parcel_store: { main: [{ features: [row('a', 0, 0.001)] }] },
    });
    rmSync(down.path('parcel_store', 'main', 'features'));
    const { apn, acres } = await down.ask(['acres', 'apn'], { lng: 0.0005, lat: 0.0005 });
    expect(apn).toMatchObject({ status: 'failed', confidence: 'low' });
    expect(apn!.error).toContain('is missing');
    expect(acres).toMatchObject({ status: 'failed' });
    expect(acres!.error).toContain('(area), from which it is calculated, failed');
    down.remove();
  });
});
