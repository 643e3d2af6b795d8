import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyReceipt } from '../../../server/verification/verification.ts';
import { VERSION } from '../../../server/version.ts';
import { inThisProcess } from '../../in-this-process.ts';
import { seeded } from '../../query/spoiling.ts';
import {
  type Asked,
  compared,
  FAR_COUNTY,
  FAR_PLACE,
  FIELDS,
  Folders,
  inside,
  openedPack,
  placeIn,
  SITE,
  served,
  twoPlaces,
} from './packed-area.ts';

const folders = new Folders();
const random = seeded(71_009);
const MAINE = { field: 'state', op: 'eq', value: 'ME' };
/** The parcels of a county of Maine. */
const ofCounty = (fips: string) => [MAINE, { field: 'county', op: 'eq', value: fips }];
const OWN = ofCounty('23999');
let whole: Asked;
let pack: Asked;

beforeAll(async () => {
  const home = await twoPlaces(folders);
  whole = await served(home);
  pack = await served(await openedPack(home, SITE, folders));
}, 300_000);
afterAll(async () => {
  await Promise.all([whole?.close(), pack?.close()]);
  folders.remove();
});

/** The answer of the server, once it is known that the pack answers so too. */
async function same(path: string, body: object) {
  const [expected, answer] = await Promise.all([whole.ask(path, body), pack.ask(path, body)]);
  expect([answer.status, answer.json], JSON.stringify(body)).toEqual([expected.status, expected.json]);
  expect(answer.headers.get('x-service-release')).toBe(expected.headers.get('x-service-release'));
  expect(answer.status, JSON.stringify(answer.json)).toBe(200);
  return expected.json;
}

/** Numbers of parcels that a search found. */
const apns = ({ matches }: { readonly matches: readonly { readonly apn: string }[] }) => matches.map(({ apn }) => apn);

/** Parcels of the area, as the server finds them. */
const parcels = async () =>
  (await same('/v1/search', { filters: [...OWN, inside(SITE)], fields: ['apn', 'city'], limit: 100 })).matches;

describe('in its area a pack answers as the server that it was made of', () => {
  it('all fields at places of a batch, and at places one by one', async () => {
    const places = Array.from({ length: 10 }, () => placeIn(SITE, random));
    const { equal, differing } = await compared([whole, pack], places);
    expect(differing).toEqual([]);
    expect(equal).toBe(10 * FIELDS);
    for (const place of places.slice(0, 3))
      for (const preset of ['flood_risk', 'terrain', 'grid_interconnect'])
        await same('/v1/fetch', { ...place, preset });
  }, 120_000);

  it('what is known of its parcels: enrichment, lookup by address, and places of addresses', async () => {
    const all = await parcels();
    expect(all.length).toBeGreaterThan(20);
    const addressed = all.filter(({ address }: { address: string | null }) => address !== null).slice(0, 10);
    for (const {
      address,
      city,
      state,
      analysis_point: { lat, lng },
    } of addressed) {
      const { parcel_match: match } = await same('/v1/enrich', { lat, lng });
      expect(match.status).toBe('matched');
      await same('/v1/lookup', { input: `${address}, ${city}, ${state}` });
      await same('/v1/lookup', { input: `${lat},${lng}` });
      await same('/v1/geocode', { address: `${address} ${state}` });
      await same('/v1/fetch', { address: `${address}, ${city}, ${state}`, fields: ['elevation', 'parcel_apn'] });
    }
  }, 120_000);

  it('sets of its parcels, an order of them, and what is about them', async () => {
    const filters = [...OWN, inside(SITE), { field: 'acreage', op: 'gt', value: 0.5 }];
    // How many pass a filter alone, elsewhere too, a pack does not say.
    const counts = await Promise.all([whole, pack].map(server => server.ask('/v1/search/count', { filters })));
    const [counted, answer] = counts.map(({ json: { count, outlines, preview } }) => ({ count, outlines, preview }));
    expect(answer).toEqual(counted);
    expect(counts[1]!.json.per_filter.slice(0, 2)).toMatchObject([{ alone: null }, { without: null }]);
    await same('/v1/rank', { filters, order_by: [{ field: 'elevation', direction: 'desc' }], limit: 10 });
    await same('/v1/aggregate', { filters, group_by: ['city'], measures: [{ op: 'sum', field: 'acreage' }] });
    const [{ analysis_point: spot }] = await parcels();
    await same('/v1/structures', { lat: spot.lat, lng: spot.lng });
    await same('/v1/buildable', { lat: spot.lat, lng: spot.lng });
  }, 120_000);

  it('with receipts, which are verified from a pack without a network', async () => {
    const body = { ...placeIn(SITE, random), fields: ['fema_flood_zone', 'elevation'] };
    const { receipt, answer } = await whole.receipt('/v1/fetch', body);
    const terms = { home: pack.home, version: VERSION, keys: await whole.keys(), answer, body: null };
    const { checks, differences } = await verifyReceipt(receipt, terms);
    expect(differences).toEqual([]);
    expect(checks.filter(({ right }) => right !== true)).toEqual([]);
  }, 120_000);
});

describe('beyond its area a pack', () => {
  /** A place of the shared area beside that of the pack, whose files the pack has; and one far from it. */
  const beyond = [placeIn([200, 2_000, 201, 2_001], random), FAR_PLACE];

  it('says that nothing of it covers the place, never that nothing is there', async () => {
    for (const place of beyond) {
      const fields = ['nwi_wetland_type', 'parcel_zoning', 'elevation', 'nearest_substation_distance_m'];
      const { json } = await pack.ask('/v1/fetch', { ...place, fields });
      for (const [name, record] of Object.entries<{ status: string; value: unknown; notes: string }>(json.fields)) {
        expect({ name, status: record.status, value: record.value }).toEqual({ name, status: 'absent', value: null });
        expect(record.notes).toMatch(/outside the coverage|no parcel data covers/);
      }
      const alone = await pack.ask('/v1/fetch/batch', { locations: [place, placeIn(SITE, random)], fields });
      expect(alone.json.results[0].fields).toEqual(json.fields);
      expect((await pack.ask('/v1/enrich', { ...place, fields: ['acreage'] })).json.parcel_match.status).toBe(
        'unavailable',
      );
      expect((await pack.ask('/v1/lookup', { input: `${place.lat},${place.lng}` })).json).toMatchObject({
        parcel_unavailable: true,
      });
    }
  });

  it('says that it lacks parcels which a search, a set or an export would have', async () => {
    const there = { filters: ofCounty(FAR_COUNTY) };
    expect((await whole.ask('/v1/search', there)).json).toMatchObject({ completion_reason: 'limit_reached' });
    expect((await pack.ask('/v1/search', there)).json).toMatchObject({
      matches: [],
      status: 'partial',
      completion_reason: 'source_unavailable',
    });
    // Of the state it has one county, whose parcels are all told; those of the other one stand before them.
    const large = { field: 'acreage', op: 'gt', value: 0.5 };
    const own = (await whole.ask('/v1/search', { filters: [...OWN, large], limit: 100 })).json;
    const answer = (await pack.ask('/v1/search', { filters: [MAINE, large], limit: 100 })).json;
    expect(answer).toMatchObject({ status: 'partial', completion_reason: 'source_unavailable' });
    expect(apns(answer)).toEqual(apns(own));
    const count = (await pack.ask('/v1/search/count', { filters: [MAINE, large] })).json;
    expect(count).toMatchObject({ count: own.matches.length, warnings: [expect.stringContaining('Not all')] });
  });

  it('has in SQL the rows of the files that it has, and says that others are left out', async () => {
    const parcels = async ({ home }: Asked) => {
      const text = 'SELECT partition_key FROM parcel_store.main GROUP BY ALL ORDER BY ALL';
      const { stdout, stderr } = await inThisProcess(home, 'sql', {}, [text]);
      return { keys: stdout.trim().split('\n').slice(1), stderr };
    };
    const far = `ME/${FAR_COUNTY}`;
    const [all, own] = [await parcels(whole), await parcels(pack)];
    expect(all.keys).toContain(far);
    expect(own.keys).toEqual(all.keys.filter(key => key !== far));
    expect([all.stderr, own.stderr]).toEqual(['', expect.stringMatching(/^This is a pack of .*left out/)]);
  });

  it('names no source that it lacks, and is ready without them', async () => {
    const counties = async (server: Asked) =>
      JSON.stringify(await server.get('/v1/meta/coverage')).includes(FAR_COUNTY);
    expect([await counties(whole), await counties(pack)]).toEqual([true, false]);
    expect(await pack.get('/readyz')).toMatchObject({ status: 'ready' });
  });
});
