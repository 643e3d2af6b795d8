import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { EngineBusy } from '../../query/answer.ts';
import type { MatchedParcel } from '../../query/enrich/match.ts';
import { ServiceError } from '../../server/errors.ts';
import { createGate } from '../../server/geocode/gate.ts';
import { lookUp } from '../../server/lookup/operation.ts';
import { contextFor, type Fixture, openFixture, ROOFTOP } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ cache: false, catalog, lookupGate: 2 });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  fixture.tier.asked.length = 0;
  fixture.tier.answers.clear();
  fixture.tier.before = async () => {};
  fixture.engine.calls.length = 0;
  fixture.engine.answers.clear();
  fixture.engine.before = async () => {};
  fixture.engine.parcel = { status: 'matched', parcel: PARCEL };
  for (const [name, value] of Object.entries(VALUES)) fixture.engine.answers.set(name, { value });
  await fixture.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
});

const ADDRESS = '73 Harlow St, Bangor, ME';
const POINT = { lat: 44.8017, lng: -68.7714 };
const VALUES = {
  county_fips: '23019',
  county_name: 'Penobscot County',
  tract_geoid: '23019001100',
  state_fips: '23',
  block_group_geoid: '230190011001',
  block_geoid: '230190011001001',
  congressional_district: '2302',
  cbsa_name: 'Bangor, ME',
  cbsa_code: '12620',
  elevation: 31.5,
  fema_flood_zone: 'X',
  within_floodplain_polygon: false,
  coastal_high_hazard: false,
  in_opportunity_zone: true,
  opportunity_zone_tract_geoid: '23019000900',
  timezone: 'America/New_York',
  county_population: 1,
  county_population_growth_1yr_pct: 2,
  county_net_domestic_migration: 3,
  county_building_permits_total_annual: 4,
  county_building_permits_sf_annual: 5,
  county_building_permits_yoy_pct: 6,
  county_hpi_yoy_pct: 7,
  county_employment_total: 8,
  county_employment_yoy_pct: 9,
  county_median_household_income_usd: 10,
};
const MARKET = {
  population: 1,
  population_growth_1yr_pct: 2,
  net_domestic_migration: 3,
  building_permits_total_annual: 4,
  building_permits_sf_annual: 5,
  building_permits_yoy_pct: 6,
  hpi_yoy_pct: 7,
  employment_total: 8,
  employment_yoy_pct: 9,
  median_household_income_usd: 10,
};
const GROUND = {
  county_fips: '23019',
  county: 'Penobscot County',
  tract_geoid: '23019001100',
  state_fips: '23',
  state: 'ME',
  block_group_geoid: '230190011001',
  block_geoid: '230190011001001',
  congressional_district: '2302',
  cbsa_name: 'Bangor, ME',
  cbsa_code: '12620',
  elevation_m: 31.5,
  fema_flood_zone: 'X',
  within_floodplain: false,
  coastal_high_hazard: false,
  county_market: MARKET,
  in_opportunity_zone: true,
  opportunity_zone_tract_geoid: '23019000900',
  timezone: 'America/New_York',
};
const PARCEL: MatchedParcel = {
  parcelId: 'pcl_1',
  apn: '042-011',
  address: '73 HARLOW ST',
  areaM2: 812.4,
  source: 'county parcels',
  matchType: 'contains',
  metres: 0,
  ref: { partition: '23019', place: 'x', ord: 1 },
  properties: {
    owner: 'SMITH',
    zoning: 'R-1',
    usedesc: 'HOUSE',
    parval: 250_000,
    saledate: '2021-06-14',
    sale_count: 2,
  },
  vintage: '2026',
  analysisPoint: null,
  geometry: {
    type: 'Polygon',
    xy: new Float64Array([-68, 44, -67, 44, -67, 45, -68, 44]),
    ends: new Uint32Array([4]),
    parts: new Uint32Array([1]),
  },
};
const PARCEL_KEYS = {
  parcel_id: 'pcl_1',
  apn: '042-011',
  address: '73 HARLOW ST',
  area_m2: 812.4,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-68, 44],
        [-67, 44],
        [-67, 45],
        [-68, 44],
      ],
    ],
  },
  geometry_wkt: 'POLYGON ((-68 44, -67 44, -67 45, -68 44))',
  owner: 'SMITH',
  zoning: 'R-1',
  land_use: 'HOUSE',
  assessed_value_usd: 250_000,
  last_sale_date: '2021-06-14',
  last_sale_price_usd: null,
  transaction_count: 2,
  match_type: 'contains',
  match_distance_m: 0,
  match_radius_m: 30,
  source: 'county parcels',
};

const look = (input: unknown, more: object = {}) => client.post('/v1/lookup', { input, ...more });
const used = async () => (await client.get('/v1/users/me/usage')).json.credits_used as number;

describe('a resolved lookup', () => {
  it('of an address holds exactly the keys of the interface, for two credits a call', async () => {
    fixture.tier.knows(ADDRESS);
    const before = await used();
    const { status, json } = await look(ADDRESS);
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      disposition: 'resolved',
      ...POINT,
      resolved_address: '73 HARLOW ST, BANGOR, ME 04401',
      resolved_location: { ...POINT, source: 'address' },
      ...GROUND,
      parcel: PARCEL_KEYS,
      parcel_unavailable: false,
      parcel_unavailable_reason: null,
      match_method: 'rooftop',
      confidence: 0.97,
    });
    expect((await used()) - before).toBe(2);
    await look(ADDRESS);
    expect((await used()) - before).toBe(4);
    expect(fixture.tier.asked).toHaveLength(1);
    expect(fixture.engine.calls[0]!.point).toEqual(POINT);
  });

  it('of a coordinate asks no geocoder', async () => {
    const { status, json } = await look('44.8017,-68.7714');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      disposition: 'resolved',
      ...POINT,
      resolved_address: null,
      resolved_location: { ...POINT, source: 'coordinate' },
      parcel: { parcel_id: 'pcl_1' },
      match_method: 'coordinate',
      confidence: 1,
    });
    expect(fixture.tier.asked).toEqual([]);
  });

  it('without the parcel does not look for it', async () => {
    fixture.engine.parcel = { status: 'unavailable', reason: 'not to be asked' };
    const { json } = await look('44.8017,-68.7714', { include_parcel: false });
    expect(json).not.toHaveProperty('parcel');
    expect(json).toMatchObject({ parcel_unavailable: false, parcel_unavailable_reason: null });
  });

  it.each(['point', 'range_interpolation', 'intersection', 'street_center'] as const)(
    'of accuracy %s has the ground and no parcel',
    async accuracyType => {
      fixture.tier.knows(ADDRESS, { accuracyType });
      const { json } = await look(ADDRESS);
      expect(json).toMatchObject({ disposition: 'resolved', ...GROUND, match_method: accuracyType });
      expect(json).not.toHaveProperty('parcel');
      expect(json).toMatchObject({
        parcel_unavailable: false,
        parcel_unavailable_reason: expect.stringMatching(/street/),
      });
    },
  );

  it.each([
    ['unavailable', { status: 'unavailable', reason: 'no parcel data covers the point' }, true],
    ['no match', { status: 'no_match', reason: 'no parcel contains the point' }, false],
    ['ambiguous', { status: 'ambiguous', candidates: [], reason: '2 parcels contain the point' }, false],
  ] as const)('with parcels %s says why it has none', async (_, verdict, unavailable) => {
    fixture.engine.parcel = verdict;
    const { status, json } = await look('44.8017,-68.7714');
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('parcel');
    expect(json).toMatchObject({
      disposition: 'resolved',
      parcel_unavailable: unavailable,
      parcel_unavailable_reason: verdict.reason,
    });
  });

  it.each([
    ['a fault', new Error('a secret of the vendor')],
    ['its quota', new EngineBusy('full')],
  ])('keeps its disposition when parcels fail with %s', async (_, fault) => {
    const matchParcel = fixture.engine.matchParcel;
    fixture.engine.matchParcel = async () => {
      throw fault;
    };
    const { status, json } = await look('44.8017,-68.7714');
    fixture.engine.matchParcel = matchParcel;
    expect(status).toBe(200);
    expect(json).toMatchObject({ disposition: 'resolved', ...GROUND, parcel_unavailable: true });
    expect(json.parcel_unavailable_reason).not.toContain('secret');
  });

  it('has each value null for itself when it fails or is absent', async () => {
    for (const [name, value] of Object.entries(VALUES)) {
      for (const status of ['failed', 'absent'] as const) {
        fixture.engine.answers.set(name, { status, value: null });
        const { status: code, json } = await look('44.8017,-68.7714');
        expect(code).toBe(200);
        const flat = { ...json, ...json.county_market, county_market: null, parcel: null };
        const nulls = Object.keys(flat).filter(
          key =>
            flat[key] === null && !['county_market', 'parcel', 'resolved_address'].includes(key) && !/reason/.test(key),
        );
        // The state's code is told from its number.
        expect(nulls, name).toHaveLength(name === 'state_fips' ? 2 : 1);
      }
      fixture.engine.answers.set(name, { value });
    }
  });

  it('never reports tracts and blocks of an earlier census', async () => {
    const of = ['tract_geoid', 'block_group_geoid', 'block_geoid'] as const;
    for (const name of of) fixture.engine.answers.set(name, { value: VALUES[name], vintage: '2010' });
    expect((await look('44.8017,-68.7714')).json).toMatchObject({
      tract_geoid: null,
      block_group_geoid: null,
      block_geoid: null,
      county_fips: '23019',
    });
    for (const name of of) fixture.engine.answers.set(name, { value: VALUES[name], vintage: '2020' });
    expect((await look('44.8017,-68.7714')).json.tract_geoid).toBe('23019001100');
  });

  it('by the fallback has a null confidence', async () => {
    const match = { ...ROOFTOP, similarity: null, accuracyType: 'range_interpolation' } as const;
    fixture.tier.answers.set(ADDRESS, { provider: 'census', matches: [match] });
    expect((await look(ADDRESS)).json).toMatchObject({ disposition: 'resolved', confidence: null });
  });

  it('gives late values up, and then itself', async () => {
    fixture.tier.knows(ADDRESS);
    await look(ADDRESS);
    expect(fixture.engine.calls[0]!.deadline - fixture.clock.time).toBe(10_000);
  });
});

describe('an honest no', () => {
  it.each([
    ['nobody knows it', ADDRESS, {}, 'unaddressed_or_no_match'],
    ['too dissimilar', ADDRESS, { similarity: 0.79 }, 'unaddressed_or_no_match'],
    ['abroad', ADDRESS, { lat: 48.85, lng: 2.35, state: null }, 'unaddressed_or_no_match'],
    ['a place', ADDRESS, { accuracyType: 'place' as const }, 'address_too_coarse'],
    ['a county', ADDRESS, { accuracyType: 'county' as const }, 'address_too_coarse'],
    ['a state', ADDRESS, { accuracyType: 'state' as const }, 'address_too_coarse'],
  ])('%s', async (_, address, match, reason) => {
    if (Object.keys(match).length) fixture.tier.knows(address, match);
    const { status, json } = await look(address);
    expect(status).toBe(200);
    expect(json).toStrictEqual({ disposition: 'no_match', reason, hint: expect.stringMatching(/\w+\.$/) });
    expect(fixture.engine.calls).toEqual([]);
  });

  it.each(['042-011-0-000', '0123456789', '12 34.5 / 7', '04401', '123 456'])('%s is a parcel number', async input => {
    const { json } = await look(input);
    expect(json).toMatchObject({ disposition: 'no_match', reason: 'apn_not_supported_in_v1' });
    expect(fixture.tier.asked).toEqual([]);
  });

  it('what is sent as a parcel number is one, and as an address is none', async () => {
    expect((await look('R-12 X', { kind: 'apn' })).json.reason).toBe('apn_not_supported_in_v1');
    expect((await look('12-34', { kind: 'address' })).json.reason).toBe('unaddressed_or_no_match');
    expect(fixture.tier.asked).toEqual(['12-34']);
  });

  it.each([
    ['BREWER', 'BANGOR', false],
    ['Bangor', 'BANGOR', true],
    ['St. Albans', 'SAINT ALBANS', true],
    ['Saint Paul', 'ST PAUL', true],
    ['Mt Desert', 'MOUNT DESERT', true],
    ['Fort Kent', 'FT. KENT', true],
    ['Ft Kent', 'MOUNT KENT', false],
    ['City of Bangor', 'BANGOR', true],
    ['La Grange', 'LAGRANGE', true],
    ['Kansas', 'KANSAS CITY', false],
    ['Cañon City', 'CANON CITY', true],
  ])('an input that names %s does%s contradict %s', async (city, found, same) => {
    fixture.tier.knows(ADDRESS, { city: found }, { city });
    const { json } = await look(ADDRESS);
    if (same) expect(json.disposition).toBe('resolved');
    else expect(json).toMatchObject({ disposition: 'no_match', reason: 'unaddressed_or_no_match' });
  });

  it('reads the city from the input where the geocoder does not say it', async () => {
    fixture.tier.knows('73 Harlow St, Brewer, ME', {}, { provider: 'commercial' });
    expect((await look('73 Harlow St, Brewer, ME')).json.reason).toBe('unaddressed_or_no_match');
    fixture.tier.knows(ADDRESS, {}, { provider: 'census' });
    expect((await look(ADDRESS)).json.disposition).toBe('resolved');
  });

  it('a street alone contradicts nothing', async () => {
    for (const provider of ['other', 'commercial', 'census'] as const) {
      fixture.tier.knows('73 Harlow St', {}, { provider });
      expect((await look('73 Harlow St')).json.disposition).toBe('resolved');
      await fixture.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
    }
  });
});

it('several places that fit alike are offered, three at most and none picked', async () => {
  const matches = [0.9, 0.9, 0.89, 0.88].map((similarity, i) => ({
    ...ROOFTOP,
    similarity,
    lat: 44 + i,
    normalizedAddress: `12 MAIN ST, TOWN ${i}, ME`,
  }));
  fixture.tier.answers.set('12 Main St', { matches, city: 'Elsewhere' });
  const { status, json } = await look('12 Main St');
  expect(status).toBe(200);
  expect(json).toStrictEqual({
    disposition: 'clarify',
    candidates: matches.slice(0, 3).map(m => ({
      resolved_address: m.normalizedAddress,
      lat: m.lat,
      lng: m.lng,
      confidence: m.similarity,
    })),
  });
  expect(fixture.engine.calls).toEqual([]);
});

describe('coordinates', () => {
  it.each([
    ['44.8,-68.77', 44.8, -68.77],
    [' 44.8 , -68.77 ', 44.8, -68.77],
    ['44.8 -68.77', 44.8, -68.77],
    ['(44.8, -68.77)', 44.8, -68.77],
    ['44.8° N, 68.77° W', 44.8, -68.77],
    ['+44.8;−68.77', 44.8, -68.77],
    ['44,-68', 44, -68],
    ['52,172', 52, 172],
  ])('%s are read', async (input, lat, lng) => {
    expect((await look(input)).json).toMatchObject({ disposition: 'resolved', lat, lng });
  });

  it.each([
    ['-68.77,44.8', /swapped/],
    ['0,0', /expected lat/],
    ['95,-68', /expected lat/],
    ['44.8,-200', /expected lat/],
    ['44.8,180', /expected lat/],
    ['123,456', /expected lat/],
    [`${'9'.repeat(200)},1`, /expected lat/],
  ])('%s are refused', async (input, message) => {
    const before = await used();
    const { status, json } = await look(input);
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'resolve_coord_bounds', retryable: false });
    expect(json.detail.message).toMatch(message);
    expect(await used()).toBe(before);
  });

  it.each(['Bangor, ME', '44.8', '44.8,', 'NaN,NaN', '44.8,-68.77,3'])('%s sent as one is unreadable', async input => {
    const { status, json } = await look(input, { kind: 'coord' });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'resolve_invalid_input', retryable: false });
  });
});

describe('bad input', () => {
  it.each([
    ['empty', { input: '' }],
    ['spaces', { input: ' \n ' }],
    ['257 characters', { input: 'x'.repeat(257) }],
    ['a number', { input: 5 }],
    ['nothing', {}],
    ['another kind', { input: 'x', kind: 'parcel' }],
    ['a text for include_parcel', { input: 'x', include_parcel: 'yes' }],
    ['another key', { input: 'x', address: 'y' }],
  ])('%s is the default 422', async (_, body) => {
    const { status, json } = await client.post('/v1/lookup', body);
    expect(status).toBe(422);
    expect(Array.isArray(json.detail)).toBe(true);
  });

  it.each(['🏠🏠', '-', '!?', '\u0000'])('%j cannot be read', async input => {
    const { status, json } = await look(input);
    expect(status).toBe(422);
    expect(json.detail.error).toBe('resolve_invalid_input');
  });

  it.each([
    "1'; DROP TABLE geocodes; --",
    'Dear sir or madam, the house that I mean stands behind the old mill. '.repeat(3),
    '1 Main\u0000St',
    '\ud800 Main St',
    'constructor',
  ])('%j is no match', async input => {
    const { status, json } = await look(input);
    expect(status).toBe(200);
    expect(json.reason).toBe('unaddressed_or_no_match');
  });

  it('a post office box is refused from its text alone', async () => {
    const { status, json } = await look('PO Box 5, Bangor ME');
    expect(status).toBe(422);
    expect(json.detail.error).toBe('address_form_unsupported');
    expect(fixture.tier.asked).toEqual([]);
  });
});

describe('trouble', () => {
  it('a spent allowance is credits_exhausted before anything is looked up', async () => {
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, (await used()) + 1);
    const { status, json } = await look(ADDRESS);
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
    expect(status).toBe(402);
    expect(json.detail).toMatchObject({ error: 'credits_exhausted', credits_required: 2 });
    expect(fixture.tier.asked).toEqual([]);
  });

  it.each([
    ['geocode_busy', 'resolve_busy', 429, '3'],
    ['geocode_timeout', 'resolve_timeout', 504, '5'],
    ['geocode_upstream_error', 'geocode_upstream_error', 502, '2'],
    ['geocode_forbidden', 'geocode_forbidden', 503, '3600'],
    ['geocode_unconfigured', 'geocode_unconfigured', 503, null],
  ] as const)('%s is %s, at no charge', async (code, said, status, retryAfter) => {
    fixture.tier.answers.set(ADDRESS, new ServiceError(code, { reason: 'a test says so' }));
    const before = await used();
    const reply = await look(ADDRESS);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('retry-after')).toBe(retryAfter);
    expect(reply.json.detail.error).toBe(said);
    expect(await used()).toBe(before);
  });

  it('a full queue of the workers is resolve_busy', async () => {
    fixture.engine.before = async () => {
      throw new EngineBusy('full');
    };
    const { status, json } = await look('44.8,-68.77');
    expect(status).toBe(429);
    expect(json.detail).toMatchObject({ error: 'resolve_busy', retryable: true });
  });

  it('more at once than the server works on is resolve_busy', async () => {
    let open = () => {};
    const wait = new Promise<void>(resolve => {
      open = resolve;
    });
    let inside = 0;
    fixture.tier.before = async () => {
      inside++;
      await wait;
    };
    const running = ['a street', 'b street'].map(input => look(input));
    while (inside < 2) await new Promise(resolve => setTimeout(resolve, 5));
    const { status, headers, json } = await look('44.8,-68.77');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('3');
    expect(json.detail.error).toBe('resolve_busy');
    open();
    await Promise.all(running);
    expect((await look('44.8,-68.77')).status).toBe(200);
  });

  it('past its deadline is resolve_timeout, at no charge, and stops what it began', async () => {
    let stopped = false;
    fixture.engine.before = signal =>
      new Promise((_, reject) =>
        signal!.addEventListener('abort', () => {
          stopped = true;
          reject(signal!.reason);
        }),
      );
    const before = await used();
    const ctx = contextFor(fixture, { catalog, deadline: fixture.clock.time + 30 });
    await expect(lookUp(ctx, { gate: createGate(1) }, { input: '44.8,-68.77' })).rejects.toMatchObject({
      code: 'resolve_timeout',
      retryAfter: 5,
    });
    expect(stopped).toBe(true);
    expect(await used()).toBe(before);
  });

  it('an unforeseen fault of all values is not a failure of the lookup', async () => {
    const ask = fixture.engine.fetch;
    fixture.engine.fetch = async () => {
      throw new Error('a fault');
    };
    const { status, json } = await look('44.8,-68.77');
    fixture.engine.fetch = ask;
    expect(status).toBe(200);
    expect(json).toMatchObject({ disposition: 'resolved', county: null, county_market: { population: null } });
  });
});

it('every answer is of the schema that is published', async () => {
  const { json: document } = await client.get('/v1/openapi.json');
  const { schema } = document.paths['/v1/lookup'].post.responses['200'].content['application/json'];
  const validate = new Ajv({ strict: false }).compile({ ...schema, components: document.components });
  fixture.tier.knows(ADDRESS);
  fixture.tier.answers.set('12 Main St', { matches: [ROOFTOP, { ...ROOFTOP, lat: 45 }] });
  for (const input of [ADDRESS, '44.8,-68.77', '12 Main St', 'nowhere', '12-34']) {
    const { json } = await look(input);
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  }
  for (const name of Object.keys(VALUES)) fixture.engine.answers.set(name, { status: 'failed', value: null });
  fixture.engine.parcel = { status: 'unavailable', reason: 'none' };
  const { json } = await look('44.8,-68.77');
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
});
