import { describe, expect, it } from 'vitest';
import type { MatchedParcel } from '../../../query/parcel/parcel-match.ts';
import { GROUND, lookups, PARCEL } from './lookup-fixture.ts';

const lookup = lookups();
const ASKED = '20 Harlow St, Bangor, ME';

/** Answers an address with the rooftop of a number, in a parcel with a situs address. */
function neighbour(number: string, situs: string | null = `${number} HARLOW ST`, asked = ASKED) {
  lookup.fixture.tier.knows(asked, {
    accuracyType: 'nearest_rooftop_match',
    normalizedAddress: `${number} HARLOW ST, BANGOR, ME 04401`,
  });
  lookup.fixture.engine.parcel = { status: 'matched', parcel: { ...PARCEL, address: situs } };
}

describe('the nearest rooftop', () => {
  it.each([
    ['17', /^the nearest known building is number 17, not 20: it stands on another lot across the street/],
    ['21', /number 21, not 20: .*across the street/],
    ['22', /number 22, not 20: it stands on another lot, so that no parcel was matched$/],
    ['48', /number 48, not 20/],
    ['24-28', /number 24-28, not 20/],
  ])('of number %s is no parcel match for 20', async (number, reason) => {
    neighbour(number);
    const { status, json } = await lookup.look(ASKED);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      disposition: 'resolved',
      ...GROUND,
      resolved_address: `${number} HARLOW ST, BANGOR, ME 04401`,
      match_method: 'nearest_rooftop_match',
      parcel_unavailable: false,
      parcel_unavailable_reason: expect.stringMatching(reason),
    });
    expect(json).not.toHaveProperty('parcel');
  });

  it.each([
    ['20', '20 Harlow St, Bangor, ME'],
    ['18-24', '20 Harlow St, Bangor, ME'],
    ['20', '20-24 Harlow St, Bangor, ME'],
    ['20', '20-3 Harlow St, Bangor, ME'],
  ])('of number %s is a parcel match for %s', async (number, asked) => {
    neighbour(number, `${number} HARLOW ST`, asked);
    expect((await lookup.look(asked)).json).toMatchObject({
      parcel: { parcel_id: 'pcl_1' },
      parcel_unavailable_reason: null,
    });
  });

  it.each([
    ['20', '20C Harlow St, Bangor, ME', 'number 20, not 20C'],
    ['20', '20 1/2 Harlow St, Bangor, ME', 'number 20, not 20 1/2'],
    ['20', '20 Rear Harlow St, Bangor, ME', 'number 20, not 20 REAR'],
    ['20A', '20 Harlow St, Bangor, ME', 'number 20A, not 20'],
    ['20A', '20B Harlow St, Bangor, ME', 'number 20A, not 20B'],
  ])(
    'of number %s is no parcel match for %s: what stands behind a number distinguishes',
    async (number, asked, told) => {
      neighbour(number, `${number} HARLOW ST`, asked);
      const { json } = await lookup.look(asked);
      expect(json).not.toHaveProperty('parcel');
      expect(json).toMatchObject({
        parcel_unavailable: false,
        parcel_unavailable_reason: `the nearest known building is ${told}: whether it stands on the same lot is not known, so that no parcel was matched`,
      });
      neighbour(number, asked.slice(0, asked.indexOf(',')), asked);
      expect((await lookup.look(asked)).json).toHaveProperty('parcel');
    },
  );

  it('is a parcel match where the parcel itself has the number', async () => {
    for (const situs of ['20 HARLOW ST', '18-22 Harlow Street']) {
      neighbour('22', situs);
      expect((await lookup.look(ASKED)).json).toHaveProperty('parcel');
    }
    for (const situs of ['20 BROAD ST', '17-21 HARLOW ST', null]) {
      neighbour('22', situs);
      expect((await lookup.look(ASKED)).json).not.toHaveProperty('parcel');
    }
  });

  it('of a neighbour says so as well where its parcel is ambiguous, and not where parcels cannot be read', async () => {
    neighbour('17');
    lookup.fixture.engine.parcel = { status: 'ambiguous', candidates: [], reason: '2 parcels contain the point' };
    expect((await lookup.look(ASKED)).json.parcel_unavailable_reason).toMatch(/another lot/);
    lookup.fixture.engine.parcel = { status: 'unavailable', reason: 'no parcel data covers the point' };
    expect((await lookup.look(ASKED)).json).toMatchObject({
      parcel_unavailable: true,
      parcel_unavailable_reason: 'no parcel data covers the point',
    });
  });

  it('asks nothing of rooftops, coordinates and addresses without a number', async () => {
    lookup.fixture.tier.knows(ASKED, { normalizedAddress: '17 HARLOW ST, BANGOR, ME 04401' });
    expect((await lookup.look(ASKED)).json).toHaveProperty('parcel');
    lookup.fixture.tier.knows('City Hall, Bangor, ME', { accuracyType: 'nearest_rooftop_match' });
    expect((await lookup.look('City Hall, Bangor, ME')).json).toHaveProperty('parcel');
    expect((await lookup.look('44.8017,-68.7714')).json).toHaveProperty('parcel');
  });
});

describe('the nearest rooftop of another lot', () => {
  const { metres, ...rest } = PARCEL;
  const matched = (address: string): MatchedParcel => ({ ...rest, metres, address });
  const enrich = (address: string) => lookup.client.post('/v1/enrich', { address, fields: ['apn'] });
  const enriched = (address: string) => () => ({
    status: 'matched' as const,
    parcel: matched(address),
    enriched: {
      point: { lat: 44.8, lng: -68.77 },
      method: 'stored_parcel_centroid' as const,
      source: 'county',
      fields: Buffer.from('{}'),
      failures: [],
    },
  });

  it('is not enriched', async () => {
    neighbour('17');
    lookup.fixture.engine.enriched = enriched('17 HARLOW ST');
    const { status, json } = await enrich(ASKED);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      analysis_point: null,
      parcel_match: {
        status: 'no_match',
        parcel: null,
        candidates: [],
        reason: expect.stringMatching(/number 17, not 20/),
      },
      fields: {},
      partial_failures: [],
      geocode: { accuracy_type: 'nearest_rooftop_match', parcel_grade: true },
    });
    lookup.fixture.engine.enriched = enriched('16-20 HARLOW ST');
    expect((await enrich(ASKED)).json.parcel_match).toMatchObject({
      status: 'matched',
      parcel: { parcel_id: 'pcl_1' },
    });
  });

  it('lowers what a fetch says of the parcel and the ground under it', async () => {
    const confidence = async () =>
      (await lookup.client.post('/v1/fetch', { address: ASKED, fields: ['elevation'] })).json.fields.elevation
        .confidence;
    lookup.fixture.engine.answers.set('elevation', { value: 3, confidence: 'high' });
    lookup.fixture.tier.knows(ASKED);
    expect(await confidence()).toBe('high');
    await lookup.fixture.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
    neighbour('17');
    expect(await confidence()).toBe('medium');
  });
});

describe('an area that the geocoder knows by name alone', () => {
  it.each(['place', 'county', 'state'] as const)('is too coarse: %s', async area => {
    lookup.fixture.tier.answers.set('Maine', { matches: [], area });
    expect((await lookup.look('Maine')).json).toMatchObject({ disposition: 'no_match', reason: 'address_too_coarse' });
    const { status, json } = await lookup.client.post('/v1/geocode', { address: 'Maine' });
    expect([status, json.detail.error]).toEqual([404, 'address_too_coarse']);
  });
});

it('one address of two sources far apart is two places', async () => {
  const match = (lat: number, source: string) => ({
    lng: -68.77,
    lat,
    similarity: 0.9,
    accuracyType: 'rooftop' as const,
    matchType: 'parcel_situs',
    normalizedAddress: '12 BAY ST, ME',
    source,
    city: null,
    state: 'ME',
  });
  lookup.fixture.tier.answers.set('12 Bay St, ME', { matches: [match(44, 'a'), match(46, 'b')] });
  const { json } = await lookup.look('12 Bay St, ME');
  expect(json).toMatchObject({ disposition: 'clarify', candidates: [{ lat: 44 }, { lat: 46 }] });
  const geocoded = await lookup.client.post('/v1/geocode', { address: '12 Bay St, ME' });
  expect(geocoded.json.detail).toMatchObject({
    error: 'address_not_found',
    message: expect.stringContaining('2 places'),
  });
});
