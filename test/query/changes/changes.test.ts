import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import { LOOK_MS } from '../../../query/release/verified-file.ts';
import { type Published, Town } from './town.ts';

const town = new Town();
afterAll(() => town.remove());

const lot = (no: string, column: number, row = 0) => ({ no, column, row });
const FIRST: Published = {
  lots: [lot('1', 0), lot('2', 1), lot('3', 2), lot('4', 3), { ...lot('5', 4), wide: true }, lot('7', 6), lot('8', 7)],
  wet: [3],
  zone: 'R1',
  population: 150_000,
};
/**
 * Lot 1 is worth more, 2 was given the number 20, 3 and 4 are one under the number 3, 5 is split into 5 and 6, 7 is gone, 8
 * stays and 9 is new. The wetland moved from the fourth column to the eighth.
 */
const SECOND: Published = {
  lots: [
    { ...lot('1', 0), value: 120 },
    lot('20', 1),
    { ...lot('3', 2), wide: true },
    lot('5', 4),
    lot('6', 5),
    lot('8', 7),
    lot('9', 8),
  ],
  wet: [7],
  zone: 'R1',
  population: 150_000,
};
const THIRD: Published = { ...SECOND, zone: 'R2', population: 151_000 };
const key = (no: string) => `23019:${no}`;
const FIELDS = ['apn', 'parval', 'within_nwi_wetland', 'zoning', 'county_population'];
let [first, second, third] = ['', '', ''];

beforeAll(async () => {
  first = await town.publish(FIRST);
  second = await town.publish(SECOND);
  third = await town.publish(THIRD);
}, 120_000);

const ok = (value: unknown) => ({ value, status: 'ok' });

describe('what differs between two releases', () => {
  it('is told of each layer that differs, in rows', async () => {
    const { layers, parcels, gaps } = await town.compare(first, second);
    expect(layers).toEqual([
      // Keys that go on: 1, 2 (now 20), 3, 5 and 8. Of these 8 is as it was.
      { dataset: 'parcel_store', layer: 'main', added: 2, removed: 2, changed: 4 },
      // Nothing tells one wetland from another but what it is.
      { dataset: 'usfws_nwi', layer: 'main', added: 1, removed: 1, changed: 0 },
    ]);
    expect([parcels, gaps]).toEqual([[], []]);
    expect((await town.compare(first, first, { fields: FIELDS })).layers).toEqual([]);
    expect((await town.compare(second, first)).layers[0]).toMatchObject({ added: 2, removed: 2, changed: 4 });
  });

  it('is told of parcels by their keys, which stay through new numbers, splits and merges', async () => {
    const { parcels, gaps } = await town.compare(first, second, { fields: FIELDS });
    expect(gaps).toEqual([]);
    const byKey = new Map(parcels.map(parcel => [parcel.parcel_key, parcel]));
    expect([...byKey].map(([of, { change }]) => `${of} ${change}`).sort()).toEqual([
      '23019:1 changed',
      '23019:2 changed',
      '23019:4 removed',
      '23019:6 added',
      '23019:7 removed',
      '23019:8 changed',
      '23019:9 added',
    ]);
    expect(byKey.get(key('1'))).toMatchObject({ state: 'ME', county_fips: '23019' });
    expect(byKey.get(key('1'))!.fields).toEqual({ parval: { before: ok(100), after: ok(120) } });
    // Renumbered: the same ground goes on under its key.
    expect(byKey.get(key('2'))!.fields).toEqual({ apn: { before: ok('2'), after: ok('20') } });
    expect(byKey.get(key('8'))!.fields).toEqual({ within_nwi_wetland: { before: ok(false), after: ok(true) } });
    // Of a split the piece that keeps the number goes on, here with values as they were; the other one is new.
    expect(byKey.get(key('6'))!.fields).toMatchObject({
      apn: { before: null, after: ok('6') },
      zoning: { before: null, after: ok('R1') },
      county_population: { before: null, after: ok(150_000) },
    });
    expect(byKey.get(key('4'))!.fields).toMatchObject({ within_nwi_wetland: { before: ok(true), after: null } });
  });

  it('is told of values that come from a table or another layer, though no parcel changed', async () => {
    const { layers, parcels } = await town.compare(second, third, { fields: FIELDS });
    expect(layers).toEqual([
      { dataset: 'census_pep', layer: 'main', added: 0, removed: 0, changed: 1 },
      { dataset: 'local_zoning', layer: 'main', added: 1, removed: 1, changed: 0 },
    ]);
    expect(parcels).toHaveLength(7);
    for (const { change, fields } of parcels)
      expect([change, fields]).toEqual([
        'changed',
        {
          zoning: { before: ok('R1'), after: ok('R2') },
          county_population: { before: ok(150_000), after: ok(151_000) },
        },
      ]);
  });

  it('comes in pages of any size, each thing once', async () => {
    const whole = await town.compare(first, third, { fields: FIELDS });
    expect(whole.pages).toBe(1);
    for (const [limit, rows] of [
      [1, Infinity],
      [3, Infinity],
      [1000, 1],
      [2, 4],
    ] as const) {
      const { pages, ...paged } = await town.compare(first, third, { fields: FIELDS, limit, rows });
      expect(pages).toBeGreaterThan(2);
      expect({ ...paged, pages: 1 }).toEqual(whole);
    }
  });

  it('leaves out other states, and says what it cannot compare', async () => {
    expect(await town.compare(first, third, { state: 'VT', fields: FIELDS })).toMatchObject({ parcels: [], gaps: [] });
    expect((await town.compare(first, third, { state: 'ME' })).layers.length).toBeGreaterThan(2);
    const { parcels, gaps } = await town.compare(first, second, { fields: ['elevation', 'parval'] });
    expect(gaps).toEqual([
      {
        dataset: 'parcel_store',
        layer: 'main',
        partition: 'ME/23019',
        field: 'elevation',
        reason: 'elevation is not told of these parcels',
      },
    ]);
    expect(parcels.find(parcel => parcel.parcel_key === key('1'))).toBeDefined();
    const { partitions } = openReleaseById(town.home, first).layer('usfws_nwi', 'main')!;
    rmSync(join(town.home, 'releases', partitions[0]!.files.find(file => file.role === 'features')!.path));
    // Until then the file is what it was when it was looked at last.
    await new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));
    const torn = await town.compare(first, second);
    expect(torn.layers.map(({ dataset }) => dataset)).toEqual(['parcel_store']);
    expect(torn.gaps).toMatchObject([
      { dataset: 'usfws_nwi', field: null, reason: expect.stringContaining('missing') },
    ]);
  });
});

describe('what differs in a stack', () => {
  const stacked = new Town();
  afterAll(() => stacked.remove());
  const unit = (id: number | null, value: number) => ({ ...lot('1', 0), value, ...(id === null ? {} : { id }) });
  const edition = (lots: Published['lots']): [Published, boolean] => [{ ...FIRST, lots }, false];

  it('is told of what changed alone, as often as it is counted, and marked where order alone said which', async () => {
    const was = await stacked.publish(...edition([unit(964, 1), unit(9003, 2), lot('3', 2), lot('3', 2), lot('4', 3)]));
    const now = await stacked.publish(
      ...edition([
        unit(9003, 2),
        { ...lot('3', 2), value: 7 },
        unit(964, 1),
        lot('3', 2),
        { ...lot('4', 3), value: 8 },
      ]),
    );
    const { layers, parcels } = await stacked.compare(was, now, {
      fields: ['apn', 'parval', 'acreage', 'stack_count'],
    });
    expect(layers).toEqual([{ dataset: 'parcel_store', layer: 'main', added: 0, removed: 0, changed: 2 }]);
    expect(parcels).toEqual([
      expect.objectContaining({ parcel_id: parcelId(parcels[0]!.parcel_key), by_rank: true }),
      expect.not.objectContaining({ by_rank: true }),
    ]);
    expect(parcels.map(({ fields }) => fields.parval)).toEqual([
      { before: ok(100), after: ok(7) },
      { before: ok(100), after: ok(8) },
    ]);
    // The edition after says so no more, and a caller who skipped the one before hears of it.
    const then = await stacked.publish(
      ...edition([
        unit(9003, 3),
        { ...lot('3', 2), value: 7 },
        unit(964, 1),
        lot('3', 2),
        { ...lot('4', 3), value: 9 },
      ]),
    );
    const marks = async (since: string) =>
      (await stacked.compare(since, then, { fields: ['parval'] })).parcels.map(({ by_rank = false }) => by_rank);
    expect(await marks(now)).toEqual([false, false]);
    expect((await marks(was)).filter(Boolean)).toEqual([true]);
  });
});
