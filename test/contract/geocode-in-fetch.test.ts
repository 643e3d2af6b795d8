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

describe('the address form of fetch', () => {
  const fetchAt = (address: string) => client.post('/v1/fetch', { address, fields: ['elevation', 'slope_degrees'] });

  it('answers at the point of the address and echoes how it was found', async () => {
    fixture.tier.knows(ADDRESS);
    const before = await used();
    const { status, json } = await fetchAt(ADDRESS);
    expect(status).toBe(200);
    expect(json.geocode).toStrictEqual(BLOCK);
    expect(json).toMatchObject({ lat: ROOFTOP.lat, lng: ROOFTOP.lng });
    expect(json.resolved_location).toStrictEqual({ lat: ROOFTOP.lat, lng: ROOFTOP.lng, source: 'address' });
    expect(fixture.engine.calls[0]!.point).toEqual({ lat: ROOFTOP.lat, lng: ROOFTOP.lng });
    expect((await used()) - before).toBe(3);
  });

  it('does not charge a repeat within 30 days for its geocode, however it is written', async () => {
    fixture.tier.knows(ADDRESS);
    await fetchAt(ADDRESS);
    const before = await used();
    await fetchAt(`  ${ADDRESS.toLowerCase().replace(' ', '   ')}`);
    expect((await used()) - before).toBe(2);
    expect(fixture.tier.asked).toEqual([ADDRESS]);
    fixture.clock.time += 30 * 24 * 60 * 60 * 1000 + 1;
    const later = await used();
    await fetchAt(ADDRESS);
    expect((await used()) - later).toBe(3);
    expect(fixture.tier.asked).toHaveLength(2);
  });

  it('looks a repeat up again after a new release, and it stays free', async () => {
    fixture.tier.knows(ADDRESS);
    await fetchAt(ADDRESS);
    const before = await used();
    fixture.tier.release = 'r2';
    fixture.tier.knows(ADDRESS, { lat: 44.9 });
    expect((await fetchAt(ADDRESS)).json.lat).toBe(44.9);
    expect((await used()) - before).toBe(2);
    expect((await fetchAt(ADDRESS)).json.lat).toBe(44.9);
    expect(fixture.tier.asked).toHaveLength(2);
  });

  it('knows the repeats of each account alone', async () => {
    fixture.tier.knows(ADDRESS);
    await fetchAt(ADDRESS);
    const other = await fixture.state.openAccount('other@example.org', 'build');
    const { price } = { price: (await fixture.geocoder.open(other.id, ADDRESS)).repeat };
    expect(price).toBe(false);
  });

  it('costs nothing when the address is not resolved or the fetch fails', async () => {
    const before = await used();
    expect((await fetchAt('nowhere')).status).toBe(404);
    expect((await fetchAt('PO Box 1')).status).toBe(422);
    fixture.tier.knows(ADDRESS);
    fixture.engine.before = async () => {
      throw new Error('a fault');
    };
    expect(await client.post('/v1/fetch', { address: ADDRESS, fields: ['elevation'] }).catch(() => null)).toBeNull();
    fixture.engine.before = async () => {};
    expect(await used()).toBe(before);
  });

  it('of failed fields costs its geocode alone', async () => {
    fixture.tier.knows(ADDRESS);
    for (const name of ['elevation', 'slope_degrees']) fixture.engine.answers.set(name, { status: 'failed' });
    const before = await used();
    expect((await fetchAt(ADDRESS)).status).toBe(200);
    expect((await used()) - before).toBe(1);
  });

  it('gives the fields their own 20 seconds', async () => {
    fixture.tier.knows(ADDRESS);
    fixture.tier.before = async () => {
      fixture.clock.time += 5_000;
    };
    await fetchAt(ADDRESS);
    expect(fixture.engine.calls[0]!.deadline - fixture.clock.time).toBe(20_000);
  });
});

describe('addresses in a batch', () => {
  const batch = (...addresses: string[]) =>
    client.post('/v1/fetch/batch', { locations: addresses.map(address => ({ address })), fields: ['elevation'] });

  it('are echoed, fail alone and are charged one geocode each', async () => {
    fixture.tier.knows(ADDRESS);
    fixture.tier.knows('Ponce', { lat: 17.99, lng: -66.61, state: 'PR' });
    fixture.tier.knows('Maine', { accuracyType: 'state' });
    fixture.tier.answers.set('slow', new ServiceError('geocode_timeout'));
    const before = await used();
    const { status, json } = await batch(ADDRESS, 'nowhere', 'PO Box 1', 'Ponce', 'Maine', 'slow');
    expect(status).toBe(200);
    expect(json.results[0]).toMatchObject({ ok: true, resolved_location: { source: 'address' }, geocode: BLOCK });
    expect(json.results.slice(1).map((r: { error: { error: string; retryable: boolean } }) => r.error)).toMatchObject([
      { error: 'address_not_found', retryable: false },
      { error: 'address_form_unsupported', retryable: false },
      { error: 'coord_out_of_bounds', retryable: false },
      { error: 'address_too_coarse', retryable: false },
      { error: 'geocode_timeout', retryable: true },
    ]);
    expect((await used()) - before).toBe(2);
    await batch(ADDRESS);
    expect((await used()) - before).toBe(3);
  });

  it('that are the same are resolved and charged once', async () => {
    fixture.tier.knows(ADDRESS);
    const before = await used();
    const { json } = await batch(ADDRESS, ADDRESS.toUpperCase(), ADDRESS);
    expect(json.results.map((r: { ok: boolean }) => r.ok)).toEqual([true, true, true]);
    expect(fixture.tier.asked).toHaveLength(1);
    expect((await used()) - before).toBe(4);
  });

  it('under a key are replayed with their echo, at no charge', async () => {
    fixture.tier.knows(ADDRESS);
    const body = { locations: [{ address: ADDRESS }, { address: 'nowhere' }], fields: ['elevation'] };
    const headers = { 'Idempotency-Key': 'addresses-1' };
    const first = await client.post('/v1/fetch/batch', body, headers);
    const before = await used();
    const second = await client.post('/v1/fetch/batch', body, headers);
    expect(second.json).toStrictEqual({ ...first.json, replayed: true });
    expect(second.json.results[0].geocode).toStrictEqual(BLOCK);
    expect(await used()).toBe(before);
    expect(fixture.tier.asked).toEqual([ADDRESS, 'nowhere']);
  });

  it('that the allowance does not cover are refused with their own price', async () => {
    fixture.tier.knows(ADDRESS);
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, (await used()) + 2);
    const { json } = await batch(ADDRESS, 'b');
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
    expect(json.results[0].ok).toBe(true);
    expect(json.results[1].error).toMatchObject({ error: 'credits_exhausted' });
    expect(json.results[1].error.message).toContain('Credits needed: 2;');
  });

  it.each([
    ['covers once', 3, 200, 3],
    ['does not cover once', 1, 402, 0],
  ])('that are the same and that the allowance %s', async (_, left, expected, cost) => {
    fixture.tier.knows(ADDRESS);
    const before = await used();
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, before + left);
    const { status, json } = await batch(ADDRESS, ADDRESS);
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
    expect(status).toBe(expected);
    if (status === 402) expect(json.detail.message).toContain('Credits needed: 2; 1 of');
    else expect(json.results.map((entry: { ok: boolean }) => entry.ok)).toEqual([true, true]);
    expect((await used()) - before).toBe(cost);
  });
});

it('the budget of a month is refused before any lookup, and is another one next month', async () => {
  await using limited = await openFixture({ geocodeBudget: 2 });
  const other = await connect(limited);
  limited.tier.knows('a');
  const ask = (address: string) => other.post('/v1/geocode', { address });
  expect((await ask('a')).status).toBe(200);
  expect((await ask('a')).status).toBe(200);
  expect((await ask('b')).status).toBe(404);
  const { status, headers, json } = await ask('c');
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('3600');
  expect(json.detail).toMatchObject({ error: 'geocode_budget_exhausted', retryable: true });
  expect(limited.tier.asked).toEqual(['a', 'b']);
  expect((await other.get('/v1/users/me/usage')).json.credits_used).toBe(2);
  expect((await ask('a')).status).toBe(200);
  limited.clock.time += 31 * 24 * 60 * 60 * 1000;
  expect((await ask('c')).status).toBe(404);
});
