import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Column } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Place } from '../../datasets/place/place.ts';
import { run } from '../../pipelines/run.ts';
import { countyPlaces, writeCounty } from '../agreement/county.ts';
import { agree, namesOf, type StoredParcel, served, storedParcels, walk } from '../agreement/parcels.ts';
import { SILENT } from '../pipelines/silent.ts';
import { folder } from '../pipelines/village.ts';

const LONG = process.env.PLAT_TEST === 'long';

const NAMES = Object.entries(PARCEL_ATTRIBUTES as Readonly<Record<string, Column>>).flatMap(([name, { computed }]) =>
  computed ? [] : [name],
);
const STATE = { field: 'state', op: 'eq', value: 'ME' };
const SIZES = [1, 7, 10, 100];

// Without them all but the last test is the same.
const WAYS = LONG ? ['without calculations', 'with calculations'] : ['with calculations'];

describe.each(WAYS)('a county of five files and two places, %s', how => {
  const [home, sources] = [folder(), folder()];
  let parcels: StoredParcel[];
  let service: Awaited<ReturnType<typeof served>>;

  beforeAll(async () => {
    writeCounty(sources);
    const { east, west } = countyPlaces(NAMES);
    const overlay = how === 'with calculations' ? { overlay: { memoryMb: 128 } } : {};
    const ingest = (place: Place) => run({ home, sources, place, threads: 0, progress: SILENT, ...overlay });
    await ingest(east);
    await ingest(west);
    parcels = await storedParcels(home);
    service = await served(home);
  }, 600_000);
  afterAll(async () => {
    await service?.close();
    for (const used of [home, sources]) rmSync(used, { recursive: true, force: true });
  });

  it('names every parcel alike in match, fetch, lookup, enrichment, search and its enrichment', async () => {
    const seen = { matched: 0, ambiguous: 0 };
    for (const [i, parcel] of parcels.entries()) seen[await agree(service.ask, parcels, parcel, i % 16 === 0)]++;
    expect(seen.matched).toBeGreaterThan(30);
    expect(seen.ambiguous).toBeGreaterThan(40);
  }, 600_000);

  it('is walked in one order, every parcel once, whatever the size of a page', async () => {
    expect(parcels).toHaveLength(124);
    expect(new Set(namesOf(parcels)).size).toBe(124);
    for (const limit of SIZES) expect(await walk(service.ask, [STATE], limit)).toEqual(namesOf(parcels));
  });

  it('gives as many rows to a filter whatever the size of a page', async () => {
    const large = parcels.filter(({ properties }) => (properties.acreage as number) > 2.4);
    expect(large.length).toBeGreaterThan(30);
    expect(large.length).toBeLessThan(90);
    for (const limit of SIZES) {
      const found = await walk(service.ask, [STATE, { field: 'acreage', op: 'gt', value: 2.4 }], limit);
      expect(found).toEqual(namesOf(large));
    }
  });

  it('finds an address in the file that has it, and the parcel of that file', async () => {
    for (const [address, apn, source] of [
      ['12 FAR ST, Bangor, ME', 'far-2', 'far_lots'],
      ['15 TOWN ST, Bangor, ME', 'town-5', 'town_lots'],
    ] as const) {
      const geocoded = await service.ask('/v1/geocode', { address });
      expect(JSON.stringify(geocoded)).toContain(source);
      expect((await service.ask('/v1/lookup', { input: address })).parcel).toMatchObject({ apn, source });
    }
  });

  it.runIf(how === 'with calculations')(
    'finds zones by what the source says, where it does, and else by what was computed',
    async () => {
      const own = parcels.filter(({ properties }) => properties.zoning === 'Z1');
      expect(own.length).toBeGreaterThan(10);
      const zoned = (value: string) => walk(service.ask, [STATE, { field: 'zoning', op: 'eq', value }], 7);
      expect(await zoned('Z1')).toEqual(namesOf(own));
      const silent = parcels.filter(({ source }) => ['old_lots', 'far_lots', 'bare_lots'].includes(source));
      expect(await zoned('URD')).toEqual(namesOf(silent));
      const filters = [STATE, { field: 'apn', op: 'in', value: ['new-1', 'far-1'] }];
      const { matches } = await service.ask('/v1/search', { filters, fields: ['zoning'], enrich: true });
      expect(matches.map((m: { fields: { zoning: string } }) => m.fields.zoning).sort()).toEqual(['URD', 'Z1']);
      for (const { fields, enrichment } of matches)
        for (const name of ['zoning', 'parcel_zoning'])
          expect([name, enrichment.fields[name].value]).toEqual([name, fields.zoning]);
    },
  );
});
