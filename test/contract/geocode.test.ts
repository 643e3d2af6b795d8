import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../server/errors/registry.ts';
import { ROOFTOP } from '../server/fake-tier.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ cache: false, geocodeGate: 4 });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  fixture.tier.reset();
  fixture.engine.reset();
  // Nothing that an earlier test had resolved is a repeat.
  await fixture.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
});

const ADDRESS = '73 Harlow St, Bangor, ME';
const BLOCK = {
  lat: ROOFTOP.lat,
  lng: ROOFTOP.lng,
  accuracy: 0.97,
  accuracy_type: 'rooftop',
  match_type: 'address_point',
  normalized_address: '73 HARLOW ST, BANGOR, ME 04401',
  provider: 'other',
  source: 'City of Bangor',
  parcel_grade: true,
};
const used = async () => (await client.get('/v1/users/me/usage')).json.credits_used as number;
const geocode = (address: unknown) => client.post('/v1/geocode', { address });

describe('a geocode', () => {
  it('is the block with exactly its keys, for one credit a call', async () => {
    fixture.tier.knows(ADDRESS);
    const { status, json } = await geocode(ADDRESS);
    expect(status).toBe(200);
    expect(json).toStrictEqual(BLOCK);
    expect(await used()).toBe(1);
    await geocode(ADDRESS);
    expect(await used()).toBe(2);
    expect(fixture.tier.asked).toEqual([ADDRESS]);
  });

  it.each([
    ['rooftop', true],
    ['nearest_rooftop_match', true],
    ['point', false],
    ['range_interpolation', false],
    ['intersection', false],
    ['street_center', false],
  ] as const)('of accuracy %s is of parcel grade: %s, and warns otherwise', async (accuracyType, parcel) => {
    fixture.tier.knows(ADDRESS, { accuracyType, similarity: 0.8 });
    const { status, json } = await geocode(ADDRESS);
    expect(status).toBe(200);
    expect(json).toMatchObject({ accuracy: 0.8, accuracy_type: accuracyType, parcel_grade: parcel });
    if (parcel) expect(json).not.toHaveProperty('precision_note');
    else expect(json.precision_note).toMatch(/^The coordinate is .+\.$/);
  });

  it.each(['place', 'county', 'state'] as const)('of a %s is too coarse, at no charge', async accuracyType => {
    fixture.tier.knows(ADDRESS, { accuracyType });
    const before = await used();
    const { status, json } = await geocode(ADDRESS);
    expect(status).toBe(404);
    expect(json.detail).toMatchObject({ error: 'address_too_coarse', retryable: false });
    expect(await used()).toBe(before);
  });

  it.each([
    ['too dissimilar', { similarity: 0.7999 }],
    ['in Canada', { lat: 45.5, lng: -63.6, state: 'NS', similarity: 1 }],
    ['in the Virgin Islands', { lat: 18.34, lng: -64.93, state: 'VI' }],
    ['in Europe', { lat: 48.85, lng: 2.35, state: null }],
    ['at no place at all', { lat: 0, lng: 0, state: null }],
    ['in a state and yet abroad', { lat: 10, lng: 10, state: 'ME' }],
  ])('%s is not found, at no charge', async (_, match) => {
    fixture.tier.knows(ADDRESS, match);
    const before = await used();
    const { status, json } = await geocode(ADDRESS);
    expect(status).toBe(404);
    expect(json.detail).toMatchObject({ error: 'address_not_found', retryable: false });
    expect(await used()).toBe(before);
  });

  it('answers Puerto Rico and Guam, also outside the envelope of coordinates', async () => {
    fixture.tier.knows('Ponce', { lat: 17.99, lng: -66.61, state: 'PR' });
    fixture.tier.knows('Hagatna', { lat: 13.47, lng: 144.75, state: 'GU' });
    expect((await geocode('Ponce')).json).toMatchObject({ lat: 17.99 });
    expect((await geocode('Hagatna')).json).toMatchObject({ lng: 144.75 });
    const { status, json } = await client.post('/v1/fetch', { address: 'Hagatna', fields: ['elevation'] });
    expect(status).toBe(400);
    expect(json.detail.error).toBe('coord_out_of_bounds');
  });

  it('never picks one of several places', async () => {
    fixture.tier.answers.set('12 Main St', { matches: [ROOFTOP, { ...ROOFTOP, lat: 44.9, city: 'ORONO' }] });
    const { status, json } = await geocode('12 Main St');
    expect(status).toBe(404);
    expect(json.detail).toMatchObject({ error: 'address_not_found', message: expect.stringContaining('2 places') });
  });

  it('takes the best of one address that two sources place differently', async () => {
    const parcel = { ...ROOFTOP, matchType: 'parcel_situs', source: 'County', lat: 44.81 };
    fixture.tier.answers.set(ADDRESS, { matches: [ROOFTOP, parcel] });
    expect((await geocode(ADDRESS)).json).toStrictEqual(BLOCK);
    fixture.tier.answers.set('twice', { matches: [ROOFTOP, { ...ROOFTOP, lat: 44.81 }] });
    expect((await geocode('twice')).json.detail.error).toBe('address_not_found');
  });

  it.each([
    ['PO Box 12, Bangor, ME', 'post office box'],
    ['PO Box 12, 73 Harlow St, Bangor, ME 04401', 'send its street part alone, 73 HARLOW ST, BANGOR, ME 04401'],
    ['RR 2 Box 18, Hermon ME', 'rural route'],
    ['PSC 1234 Box 5678, APO AE 09204', 'military'],
    ['General Delivery, Bangor, ME', 'general delivery'],
    ['C012', 'carrier route'],
  ])('%s is refused from its text alone', async (address, form) => {
    const before = await used();
    const { status, json } = await geocode(address);
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'address_form_unsupported', retryable: false });
    expect(json.detail.message).toContain(form);
    expect(fixture.tier.asked).toEqual([]);
    expect(await used()).toBe(before);
  });

  it.each([
    ['empty', ''],
    ['spaces', ' \t\n '],
    ['257 characters', `1 Main St, ${'x'.repeat(246)}`],
    ['a number', 12],
    ['null', null],
    ['a list', ['1 Main St']],
  ])('%s is the default 422', async (_, address) => {
    const { status, json } = await geocode(address);
    expect(status).toBe(422);
    expect(json.detail[0].loc).toEqual(['body', 'address']);
  });

  it.each([
    ['256 characters', `1 Main St, ${'x'.repeat(245)}`],
    ['emoji', '🏠🏠🏠'],
    ['digits', '0123456789'],
    ['SQL', "1'; DROP TABLE geocodes; --"],
    ['a NUL', '1 Main\u0000St'],
    ['a paragraph', 'Dear sir or madam, the house that I mean stands behind the old mill. '.repeat(3)],
    ['__proto__', '__proto__'],
  ])('%s is looked up and not found', async (_, address) => {
    const { status, json } = await geocode(address);
    expect(status).toBe(404);
    expect(json.detail.error).toBe('address_not_found');
  });

  it('takes no other key', async () => {
    const { status, json } = await client.post('/v1/geocode', { address: ADDRESS, lat: 1 });
    expect(status).toBe(422);
    expect(json.detail[0]).toMatchObject({ loc: ['body', 'lat'], type: 'extra_forbidden' });
  });

  it.each([
    ['geocode_upstream_error', 502, '2', true],
    ['geocode_timeout', 504, '5', true],
    ['geocode_forbidden', 503, '3600', true],
    ['geocode_unconfigured', 503, null, false],
  ] as const)('%s is %i with Retry-After %s, at no charge', async (code, status, retryAfter, retryable) => {
    fixture.tier.answers.set(ADDRESS, new ServiceError(code, { reason: 'a test says so' }));
    const before = await used();
    const reply = await geocode(ADDRESS);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('retry-after')).toBe(retryAfter);
    expect(reply.json.detail).toMatchObject({ error: code, retryable });
    expect(await used()).toBe(before);
  });

  it('past the allowance is credits_exhausted before any lookup', async () => {
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, 0);
    const { status, json } = await geocode(ADDRESS);
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
    expect(status).toBe(402);
    expect(json.detail).toMatchObject({ error: 'credits_exhausted', credits_required: 1 });
    expect(fixture.tier.asked).toEqual([]);
  });

  it('whose caller goes away is stopped and costs nothing', async () => {
    let stopped = false;
    fixture.tier.before = ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(signal.reason);
        }),
      );
    const before = await used();
    const gone = new AbortController();
    const request = fetch(`${client.base}/v1/geocode`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ address: ADDRESS }),
      signal: gone.signal,
    });
    while (fixture.tier.asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    gone.abort();
    await expect(request).rejects.toThrow();
    for (let i = 0; i < 200 && (!stopped || (await used()) !== before); i++)
      await new Promise(resolve => setTimeout(resolve, 10));
    expect([stopped, await used()]).toEqual([true, before]);
  });

  it('over as many as run at once is geocode_busy, and its visit ends with it', async () => {
    let open = () => {};
    const gate = new Promise<void>(resolve => {
      open = resolve;
    });
    let waiting = 0;
    fixture.tier.before = async () => {
      waiting++;
      await gate;
    };
    const running = ['a', 'b', 'd', 'e'].map(geocode);
    while (waiting < 4) await new Promise(resolve => setTimeout(resolve, 5));
    const { status, headers, json } = await geocode('c');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('2');
    expect(json.detail).toMatchObject({ error: 'geocode_busy', retryable: true });
    open();
    for (const { status } of await Promise.all(running)) expect(status).toBe(404);
    fixture.tier.before = async () => {};
    expect((await geocode('c')).status).toBe(404);
  });
});
