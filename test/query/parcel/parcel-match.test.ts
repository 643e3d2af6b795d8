import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../datasets/dataset.ts';
import { matchParcel } from '../../../query/engine/match-task.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import type { ParcelVerdict } from '../../../query/parcel/parcel-match.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, rectangle } from '../release-fixture.ts';

const text = { type: 'string' } as const;
const main: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'parcel_key',
  partition: 'county',
  parquet: true,
  columns: {
    apn: text,
    address: text,
    city: text,
    szip5: text,
    centroid_lon: { type: 'number' },
    centroid_lat: { type: 'number' },
    parcel_key: text,
    ord: { type: 'integer' },
  },
};

let fixture: Fixture;
let row = 0;
const parcel = (key: string, x0: number, x1: number, address: string | null, more = {}) => ({
  geometry: rectangle([x0, 0, x1, 0.001]),
  apn: `apn ${key}`,
  address,
  city: 'Bangor',
  szip5: '04401',
  centroid_lon: (x0 + x1) / 2,
  centroid_lat: 0.0005,
  parcel_key: key,
  ord: row++,
  ...more,
});

beforeAll(async () => {
  fixture = await createFixture([dataset('parcel_store', { main })], {
    parcel_store: {
      main: [
        {
          key: 'ME/23019',
          place: 'bangor',
          source: 'bangor_parcels',
          coverage: [rectangle([-0.1, -0.1, 0.1, 0.1])],
          features: [
            parcel('a', 0, 0.001, '1 Main Street'),
            parcel('b', 0.001, 0.002, '3 MAIN ST'),
            parcel('c', 0.0015, 0.002, '5 MAIN ST.'),
            // 22 m of street between d and e; a degree is 111,320 m here.
            parcel('d', 0.003, 0.004, '7 North Main St'),
            parcel('e', 0.0042, 0.005, '9 MAIN ST'),
            parcel('f', 0.02, 0.021, '11 MAIN ST'),
            parcel('g', 0.03, 0.031, '12 ELM ST', { city: 'Brewer', szip5: '04412' }),
            parcel('h', 0.04, 0.041, '12 ELM ST'),
            parcel('i', 0.05, 0.051, '20 OAK ST'),
            parcel('j', 0.06, 0.061, '20 OAK ST'),
            parcel('k', 0.08, 0.081, '13 - 17 PINE ST'),
            parcel('l', 0.085, 0.086, '40 PINE ST REAR'),
            parcel('m', 0.09, 0.091, '1317 PINE ST'),
            // A stack: two records of one geometry.
            parcel('z', 0.07, 0.071, '30 OAK ST UNIT 2'),
            parcel('y', 0.07, 0.071, '30 OAK ST UNIT 1'),
          ],
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

const ask = (lng: number, lat: number, address: string | null = null, geometry = false): Promise<ParcelVerdict> =>
  matchParcel(
    { point: { lng, lat }, address, geometry },
    {
      release: openRelease(fixture.home),
      catalog: fixture.catalog,
      cache: createCache(64),
      deadline: Date.now() + 20_000,
    },
  );
const matched = async (...args: Parameters<typeof ask>) => {
  const verdict = await ask(...args);
  if (verdict.status !== 'matched') throw new Error(JSON.stringify(verdict));
  return verdict.parcel;
};

describe('matching a point to a parcel', () => {
  it('takes the one that contains it, with its row, its interior point and a public id', async () => {
    const found = await matched(0.0005, 0.0004);
    expect(found).toMatchObject({
      parcelId: parcelId('a'),
      apn: 'apn a',
      address: '1 Main Street',
      source: 'bangor_parcels',
      matchType: 'contains',
      metres: 0,
      analysisPoint: { lng: 0.0005, lat: 0.0005 },
      geometry: null,
      ref: { partition: 'ME/23019', ord: 0 },
    });
    expect(found.properties.city).toBe('Bangor');
    expect(found.parcelId).toMatch(/^pcl_[\w-]{22}$/);
    expect((await matched(0.0005, 0.0004, null, true)).geometry?.xy).toHaveLength(10);
  });

  it('gives different parcels different ids', () => {
    expect(new Set(['a', 'b', '23019:1', '23019:2', null].map(parcelId)).size).toBe(5);
  });

  it('is ambiguous on a shared boundary, in overlaps and on stacks; candidates by area, then key', async () => {
    const apns = async (lng: number) => {
      const verdict = await ask(lng, 0.0005);
      if (verdict.status !== 'ambiguous') throw new Error(JSON.stringify(verdict));
      expect(verdict.reason).toBe('2 parcels contain the point');
      expect(verdict.candidates.every(c => c.matchType === 'contains' && c.metres === 0)).toBe(true);
      return verdict.candidates.map(c => c.apn);
    };
    expect(await apns(0.0018)).toEqual(['apn c', 'apn b']);
    expect(await apns(0.0705)).toEqual(['apn y', 'apn z']);
    expect((await apns(0.001)).sort()).toEqual(['apn a', 'apn b']);
  });

  it('takes one within 30 m with its distance, unless another is as near', async () => {
    expect(await matched(0.00305, -0.0001)).toMatchObject({ apn: 'apn d', matchType: 'nearest', metres: 11.1 });
    const verdict = await ask(0.0041, 0.0005);
    expect(verdict).toMatchObject({ status: 'ambiguous', reason: expect.stringContaining('within 30 m') });
    if (verdict.status === 'ambiguous')
      expect(verdict.candidates.map(c => [c.apn, c.matchType, c.metres])).toEqual([
        ['apn e', 'nearest', 11.1],
        ['apn d', 'nearest', 11.1],
      ]);
  });

  it('says why there is none', async () => {
    expect(await ask(0.01, 0.05)).toEqual({
      status: 'no_match',
      reason: 'no parcel contains the point or lies within 30 m',
    });
    expect(await ask(5, 5)).toEqual({ status: 'unavailable', reason: 'no parcel data covers the point' });
  });

  it('is unavailable, with the reason, where the store cannot be read', async () => {
    const down = await createFixture([dataset('parcel_store', { main })], {
      parcel_store: { main: [{ key: 'ME/23019', features: [parcel('a', 0, 0.001, null)] }] },
    });
    try {
      rmSync(down.path('parcel_store', 'main', 'features'));
      const evaluation = { catalog: down.catalog, cache: createCache(64), deadline: Date.now() + 20_000 };
      const request = { point: { lng: 0.0005, lat: 0.0005 }, address: null, geometry: false };
      const verdict = await matchParcel(request, { ...evaluation, release: openRelease(down.home) });
      expect(verdict).toMatchObject({ status: 'unavailable', reason: expect.stringMatching(/cannot be read/) });
      expect(await matchParcel(request, { ...evaluation, release: null })).toMatchObject({
        status: 'unavailable',
        reason: expect.stringContaining('no release is installed'),
      });
    } finally {
      down.remove();
    }
  });
});

describe('matching an address to a parcel', () => {
  it('matches by situs where the point lies in none, however the street is written', async () => {
    expect(await matched(0.0195, 0.0005, '11 MAIN ST, BANGOR, ME 04401')).toMatchObject({
      apn: 'apn f',
      matchType: 'address',
      metres: 55.7,
    });
    expect(await matched(0.0041, 0.0005, '7 N MAIN ST, BANGOR, ME 04401')).toMatchObject({ apn: 'apn d' });
    expect(await matched(0.0041, 0.0005, '7 n. main street')).toMatchObject({ apn: 'apn d', matchType: 'address' });
  });

  it('leaves a point inside a parcel to that parcel, but where the roll calls another one by the address', async () => {
    expect(await matched(0.0005, 0.0005, '2 MAIN ST, BANGOR, ME 04401')).toMatchObject({
      apn: 'apn a',
      matchType: 'contains',
    });
    expect(await matched(0.0005, 0.0005, '11 MAIN ST, BANGOR, ME 04401')).toMatchObject({
      apn: 'apn f',
      matchType: 'address',
    });
    // Two parcels are called so, and neither is guessed.
    expect(await matched(0.0005, 0.0005, '20 OAK ST, BANGOR, ME 04401')).toMatchObject({ apn: 'apn a' });
  });

  it('takes the unit of a stack that is asked for, whatever a unit is called', async () => {
    for (const unit of ['UNIT 2', '# 2', 'APT 02', '#2'])
      expect(await matched(0.0705, 0.0005, `30 OAK ST ${unit}, BANGOR, ME`), unit).toMatchObject({
        apn: 'apn z',
        matchType: 'contains',
      });
    // From a point on another lot as well.
    expect(await matched(0.0005, 0.0005, '30 OAK ST UNIT 1, BANGOR, ME')).toMatchObject({ apn: 'apn y' });
    for (const line of ['30 OAK ST', '30 OAK ST UNIT 9'])
      expect((await ask(0.0705, 0.0005, `${line}, BANGOR, ME`)).status, line).toBe('ambiguous');
    // Of a house without rows of units a unit is the house.
    expect(await matched(0.0195, 0.0005, '11 MAIN ST APT 3, BANGOR, ME 04401')).toMatchObject({ apn: 'apn f' });
  });

  it('tells towns apart by city and ZIP code', async () => {
    expect(await matched(0.035, 0.0005, '12 ELM ST, BREWER, ME 04412')).toMatchObject({ apn: 'apn g' });
    expect(await matched(0.035, 0.0005, '12 ELM ST, BANGOR, ME')).toMatchObject({ apn: 'apn h' });
  });

  it('does not choose among several, nor guess at another number', async () => {
    for (const address of ['20 OAK ST, BANGOR, ME 04401', '12 ELM ST', '1 MAIN ST, ORONO, ME 04473', 'ELM ST', '1'])
      expect((await ask(0.035, 0.0005, address)).status, address).toBe('no_match');
    expect((await ask(0.035, 0.0005, '2 OAK ST, BANGOR, ME 04401')).status).toBe('no_match');
  });
});

describe('a situs of several numbers', () => {
  it('is matched by its ends and the numbers of its side between them', async () => {
    for (const number of ['13', '15', '17', '13-17'])
      expect(await matched(0.035, 0.0005, `${number} PINE ST, BANGOR, ME 04401`)).toMatchObject({
        apn: 'apn k',
        matchType: 'address',
      });
    for (const number of ['14', '16', '11', '19', '137', '40', '13A'])
      expect((await ask(0.035, 0.0005, `${number} PINE ST, BANGOR, ME 04401`)).status, number).toBe('no_match');
    expect(await matched(0.035, 0.0005, '40 REAR PINE ST, BANGOR, ME 04401')).toMatchObject({ apn: 'apn l' });
    expect(await matched(0.035, 0.0005, '1317 PINE ST, BANGOR, ME 04401')).toMatchObject({ apn: 'apn m' });
  });
});
