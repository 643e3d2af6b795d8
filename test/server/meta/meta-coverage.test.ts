import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstalledSource } from '../../../query/release/installed.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const source = (over: Partial<InstalledSource>): InstalledSource => ({
  dataset: 'test_dem',
  layer: 'main',
  place: 'bangor-me',
  state: 'ME',
  county: '23019',
  source: 'test_dem',
  title: 'Heights',
  publisher: 'Test Survey',
  url: 'https://example.org/dem',
  licence: 'public domain',
  vintage: '2021',
  note: null,
  synthetic: false,
  retrievedAt: '2026-01-01T00:00:00.000Z',
  rows: 7,
  ground: 0,
  coverage: 'extent',
  box: [-69, 44, -68, 45],
  unpublished: [],
  ...over,
});

const SOURCES = [
  source({}),
  source({ dataset: 'zoning', vintage: '2019', note: 'Stands in.' }),
  source({ place: 'town-vt', state: 'VT', county: '50007', vintage: '2022' }),
  source({ dataset: 'roads', place: 'maine', county: null }),
  source({ dataset: 'states', place: 'national', state: null, county: null, coverage: 'everywhere', box: null }),
];

let shared: Fixture;
beforeAll(async () => {
  shared = await openFixture();
  shared.engine.sources = SOURCES;
  shared.engine.clock.time = Date.parse('2026-01-11T12:00:00Z');
});
afterAll(() => shared[Symbol.asyncDispose]());

async function coverage(query = '') {
  const reply = await shared.app.inject(`/v1/meta/coverage${query}`);
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

describe('GET /v1/meta/coverage', () => {
  it('tells by county which layers there are, from whom and how old, without a token', async () => {
    const { status, headers, body } = await coverage();
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(body.release).toBe('r1');
    expect(body.counties.map((county: { county_fips: string }) => county.county_fips)).toEqual(['23019', '50007']);
    expect(body.counties[0]).toMatchObject({ state: 'ME', places: ['bangor-me'] });
    expect(body.counties[0].layers).toHaveLength(2);
    expect(body.counties[0].layers[0]).toEqual({
      dataset: 'test_dem',
      layer: 'main',
      place: 'bangor-me',
      source: 'test_dem',
      title: 'Heights',
      publisher: 'Test Survey',
      url: 'https://example.org/dem',
      licence: 'public domain',
      vintage: '2021',
      retrieved_at: '2026-01-01T00:00:00.000Z',
      age_days: 10,
      rows: 7,
      coverage: 'extent',
      box: [-69, 44, -68, 45],
      note: null,
      synthetic: false,
    });
    expect(body.counties[0].layers[1].note).toBe('Stands in.');
    expect(body.national).toMatchObject([{ dataset: 'states', box: null }]);
    expect(body.statewide).toMatchObject([{ dataset: 'roads', state: 'ME' }]);
    expect(body.next_after).toBeNull();
  });

  it('counts by county the parcels that were left out, with the reasons', async () => {
    await using fixture = await openFixture();
    fixture.engine.sources = SOURCES;
    const rejected = [{ reason: 'Self-intersection at N N', parcels: 2 }];
    fixture.engine.rejected = { '23019': rejected };
    const told = async (query: string) =>
      (await fixture.app.inject(`/v1/meta/coverage${query}`))
        .json()
        .counties.map((county: { parcels_rejected: unknown }) => county.parcels_rejected);
    expect(await told('')).toEqual([rejected, []]);
    expect(await told('?county=23019')).toEqual([rejected]);
    fixture.engine.rejected = null;
    expect(await told('')).toEqual([null, null]);
  });

  it('narrows to a state, a county or a dataset', async () => {
    const fips = async (query: string) =>
      (await coverage(query)).body.counties.map((county: { county_fips: string }) => county.county_fips);
    expect(await fips('?state=VT')).toEqual(['50007']);
    expect(await fips('?state=NH')).toEqual([]);
    expect(await fips('?county=23019')).toEqual(['23019']);
    expect(await fips('?dataset=zoning')).toEqual(['23019']);
    expect((await coverage('?county=50007')).body.statewide).toEqual([]);
    expect((await coverage('?county=23019')).body.statewide).toHaveLength(1);
  });

  it('goes from page to page', async () => {
    const first = (await coverage('?limit=1')).body;
    expect(first.next_after).toBe('23019');
    const second = (await coverage(`?limit=1&after=${first.next_after}`)).body;
    expect(second.counties.map((county: { county_fips: string }) => county.county_fips)).toEqual(['50007']);
    expect(second.next_after).toBeNull();
  });

  it.each(['?state=maine', '?county=1', '?limit=0', '?limit=101', '?what=1'])('refuses %s', async query => {
    const { status, body } = await coverage(query);
    expect(status).toBe(422);
    expect(body.detail[0].loc).toContain('query');
  });
});

describe('GET /v1/meta/fields', () => {
  it('says of each field what the release has: publisher, vintage and coverage by place', async () => {
    await using fixture = await openFixture();
    fixture.engine.sources = SOURCES;
    const { fields } = (await fixture.app.inject('/v1/meta/fields')).json();
    const elevation = fields.find((field: { name: string }) => field.name === 'elevation');
    expect(elevation.in_release).toEqual([
      {
        layer: 'test_dem:main',
        source: 'test_dem',
        publisher: 'Test Survey',
        vintage: '2021',
        coverage: 'extent',
        note: null,
        places: ['bangor-me'],
        place_count: 1,
      },
      {
        layer: 'test_dem:main',
        source: 'test_dem',
        publisher: 'Test Survey',
        vintage: '2022',
        coverage: 'extent',
        note: null,
        places: ['town-vt'],
        place_count: 1,
      },
    ]);
    expect(fields.find((field: { name: string }) => field.name === 'parcel_apn').in_release).toEqual([]);
  });

  it('says of a county what it holds there, and of how many parcels; on request only what is available', async () => {
    await using fixture = await openFixture();
    fixture.engine.sources = SOURCES;
    fixture.engine.lacks = { filler_0: 'it lacks it' };
    const values = { elevation: 3, slope_degrees: 0, apn: 4, owner: 0 };
    fixture.engine.counts = { parcels: 4, values, reasons: { slope_degrees: 'nothing is mapped' } };
    const ask = async (query: string) => (await fixture.app.inject(`/v1/meta/fields${query}`)).json();
    const named = (all: { name: string }[], name: string) => all.find(field => field.name === name);
    const { county_fips, parcels, fields, further_names: further } = await ask('?county_fips=50007');
    expect([county_fips, parcels]).toEqual(['50007', 4]);
    expect(named(fields, 'elevation')).toMatchObject({ installed: true, why_not: null, parcel_share: 0.75 });
    expect(named(fields, 'elevation')).toMatchObject({ in_release: [{ places: ['town-vt'] }] });
    expect(named(fields, 'slope_degrees')).toMatchObject({ why_not: 'nothing is mapped', parcel_share: 0 });
    expect(named(fields, 'filler_0')).toMatchObject({ installed: false, why_not: 'it lacks it', parcel_share: 0 });
    expect(named(further, 'owner')).toMatchObject({ why_not: 'no parcel has a value', parcel_share: 0 });
    const available = await ask('?available=true');
    expect(available.fields).toHaveLength(61);
    expect(named(available.further_names, 'owner')).toBeUndefined();
    expect(named(available.further_names, 'apn')).toMatchObject({ parcel_share: 1 });
    expect((await fixture.app.inject('/v1/meta/fields?county_fips=1')).statusCode).toBe(422);
  });
});
