import { describe, expect, it } from 'vitest';
import { ADDRESS, lookups } from './lookup-fixture.ts';

const lookup = lookups();

describe('an honest no', () => {
  it.each([
    ['nobody knows it', ADDRESS, {}, 'unaddressed_or_no_match'],
    ['too dissimilar', ADDRESS, { similarity: 0.79 }, 'unaddressed_or_no_match'],
    ['abroad', ADDRESS, { lat: 48.85, lng: 2.35, state: null }, 'unaddressed_or_no_match'],
    ['a place', ADDRESS, { accuracyType: 'place' as const }, 'address_too_coarse'],
    ['a county', ADDRESS, { accuracyType: 'county' as const }, 'address_too_coarse'],
    ['a state', ADDRESS, { accuracyType: 'state' as const }, 'address_too_coarse'],
  ])('%s', async (_, address, match, reason) => {
    if (Object.keys(match).length) lookup.fixture.tier.knows(address, match);
    const { status, json } = await lookup.look(address);
    expect(status).toBe(200);
    expect(json).toStrictEqual({ disposition: 'no_match', reason, hint: expect.stringMatching(/\w+\.$/) });
    expect(lookup.fixture.engine.calls).toEqual([]);
  });

  it.each(['042-011-0-000', '0123456789', '12 34.5 / 7', '00001', '123 456'])('%s is a parcel number', async input => {
    const { json } = await lookup.look(input);
    expect(json).toMatchObject({ disposition: 'no_match', reason: 'apn_not_supported_in_v1' });
    expect(lookup.fixture.tier.asked).toEqual([]);
  });

  it.each(['04401', '04401-5113'])('%s is a ZIP code, by the rule of geocode', async input => {
    await lookup.look(input);
    expect(lookup.fixture.tier.asked).toEqual([input]);
    expect((await lookup.look(input, { kind: 'apn' })).json.reason).toBe('apn_not_supported_in_v1');
  });

  it('says of a coordinate that is sent as an address what it is', async () => {
    const { json } = await lookup.look('44.8036, -68.7702', { kind: 'address' });
    expect(json.hint).toMatch(/^It is a coordinate and no address;/);
  });

  it('what is sent as a parcel number is one, and as an address is none', async () => {
    expect((await lookup.look('R-12 X', { kind: 'apn' })).json.reason).toBe('apn_not_supported_in_v1');
    expect((await lookup.look('12-34', { kind: 'address' })).json.reason).toBe('unaddressed_or_no_match');
    expect(lookup.fixture.tier.asked).toEqual(['12-34']);
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
    lookup.fixture.tier.knows(ADDRESS, { city: found }, { city });
    const { json } = await lookup.look(ADDRESS);
    if (same) expect(json.disposition).toBe('resolved');
    else expect(json).toMatchObject({ disposition: 'no_match', reason: 'unaddressed_or_no_match' });
  });

  it('reads the city from the input where the geocoder does not say it', async () => {
    lookup.fixture.tier.knows('73 Harlow St, Brewer, ME', {}, { provider: 'commercial' });
    expect((await lookup.look('73 Harlow St, Brewer, ME')).json.reason).toBe('unaddressed_or_no_match');
    lookup.fixture.tier.knows(ADDRESS, {}, { provider: 'census' });
    expect((await lookup.look(ADDRESS)).json.disposition).toBe('resolved');
  });

  it('a street alone contradicts nothing', async () => {
    for (const provider of ['other', 'commercial', 'census'] as const) {
      lookup.fixture.tier.knows('73 Harlow St', {}, { provider });
      expect((await lookup.look('73 Harlow St')).json.disposition).toBe('resolved');
      await lookup.fixture.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
    }
  });
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
    expect((await lookup.look(input)).json).toMatchObject({ disposition: 'resolved', lat, lng });
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
    const before = await lookup.used();
    const { status, json } = await lookup.look(input);
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'resolve_coord_bounds', retryable: false });
    expect(json.detail.message).toMatch(message);
    expect(await lookup.used()).toBe(before);
  });

  it.each(['Bangor, ME', '44.8', '44.8,', 'NaN,NaN', '44.8,-68.77,3'])('%s sent as one is unreadable', async input => {
    const { status, json } = await lookup.look(input, { kind: 'coord' });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'resolve_invalid_input', retryable: false });
  });
});
