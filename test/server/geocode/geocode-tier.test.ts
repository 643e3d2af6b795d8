import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../server/errors/registry.ts';
import { locateByCensus } from '../../../server/geocoder/census.ts';
import { createHttpTier, type HttpTierOptions } from '../../../server/geocoder/http-tier.ts';
import type { TierAnswer, TierMatch } from '../../../server/geocoder/tier.ts';
import { requireMatch, verdictOf } from '../../../server/geocoder/verdict.ts';
import { breaking, dropping, flooding, json, type Provider, startProvider } from './geocode-provider.ts';

let primary: Provider;
let census: Provider;
beforeAll(async () => {
  [primary, census] = [await startProvider(), await startProvider()];
});
afterAll(async () => {
  await primary[Symbol.asyncDispose]();
  await census[Symbol.asyncDispose]();
});
beforeEach(() => {
  for (const provider of [primary, census]) provider.requests.length = 0;
  primary.answer = json(REPLY);
  census.answer = json(CENSUS);
});

const ADDRESS = '73 Harlow St, Bangor, ME #2 & más';
const RESULT = {
  location: { lat: 44.8017, lng: -68.7714 },
  accuracy: 0.97,
  accuracy_type: 'rooftop',
  match_type: 'building_centroid',
  formatted_address: '73 Harlow St, Bangor, ME 04401',
  source: 'City of Bangor',
  address_components: { number: '73', city: 'Bangor', state: 'ME', zip: '04401', country: 'US' },
};
const REPLY = { input: { address_components: { city: 'Bangor' } }, results: [RESULT] };
const MATCH = {
  lat: 44.8017,
  lng: -68.7714,
  similarity: 0.97,
  accuracyType: 'rooftop',
  matchType: 'building_centroid',
  normalizedAddress: '73 Harlow St, Bangor, ME 04401',
  source: 'City of Bangor',
  city: 'Bangor',
  state: 'ME',
};
const CENSUS = {
  result: {
    input: { address: { address: ADDRESS }, benchmark: { id: '4', benchmarkName: 'Public_AR_Current' } },
    addressMatches: [
      {
        tigerLine: { side: 'L', tigerLineId: '76355984' },
        coordinates: { x: -68.77, y: 44.8 },
        addressComponents: { zip: '04401', streetName: 'HARLOW', city: 'BANGOR', state: 'ME', suffixType: 'ST' },
        matchedAddress: '73 HARLOW ST, BANGOR, ME, 04401',
      },
    ],
  },
};

/** Long enough for a loopback server that answers at once, also on a busy machine. */
const PATIENT_MS = 20_000;

const locate = (more: Partial<HttpTierOptions> = {}, signal = new AbortController().signal) =>
  createHttpTier({
    url: primary.url,
    key: 'secret key',
    fallbackUrl: census.url,
    now: Date.now,
    primaryLimitMs: PATIENT_MS,
    fallbackLimitMs: PATIENT_MS,
    ...more,
  }).locate(ADDRESS, { deadline: Date.now() + 60_000, signal });
const refusal = (code: string) => expect.objectContaining({ name: 'ServiceError', code });

describe('the primary provider', () => {
  it('is asked with the address as typed and the credential', async () => {
    expect(await locate()).toStrictEqual({ provider: 'commercial', matches: [MATCH], city: 'Bangor' });
    const [{ url }] = primary.requests as [Provider['requests'][number]];
    expect(url.pathname).toBe('/geocode');
    expect([...url.searchParams]).toEqual([
      ['q', ADDRESS],
      ['limit', '5'],
      ['api_key', 'secret key'],
    ]);
    expect(census.requests).toEqual([]);
  });

  it('has its own query parameters kept', async () => {
    await locate({ url: `${primary.url}?fields=none` });
    expect(primary.requests[0]!.url.searchParams.get('fields')).toBe('none');
  });

  it('may leave out what is not needed', async () => {
    const { location, accuracy, accuracy_type } = RESULT;
    primary.answer = json({
      results: [{ location, accuracy, accuracy_type, formatted_address: null, address_components: { state: 'me' } }],
    });
    expect(await locate()).toStrictEqual({
      provider: 'commercial',
      matches: [{ ...MATCH, matchType: null, normalizedAddress: null, source: null, city: null, state: 'ME' }],
      city: null,
    });
  });

  it.each([
    ['Canada', { country: 'CA', state: 'ON' }],
    ['nowhere that it says', {}],
  ])('in %s knows nothing of the United States', async (_, address_components) => {
    primary.answer = json({ results: [{ ...RESULT, address_components }] });
    expect((await locate()).matches).toEqual([]);
    expect(census.requests).toEqual([]);
  });

  it('offers distinct places of comparable similarity and grade, best first', async () => {
    const result = (accuracy: number, formatted_address: string, more: object = {}) => ({
      ...RESULT,
      accuracy,
      formatted_address,
      ...more,
    });
    primary.answer = json({
      results: [
        result(0.9, 'B'),
        result(0.95, 'A'),
        result(0.95, 'a'),
        result(0.94, 'C', { accuracy_type: 'range_interpolation' }),
        result(0.89, 'D'),
      ],
    });
    const { matches } = await locate();
    expect(matches.map(match => match.normalizedAddress)).toEqual(['A', 'B']);
    expect(verdictOf({ provider: 'commercial', matches, city: null }).kind).toBe('several');
  });

  it.each([
    ['12 Main St', 'add its city or state or ZIP code, or ask'],
    ['12 Main St, Bangor', 'add its state or ZIP code, or ask'],
    ['12 Main St, ME', 'add its city or ZIP code, or ask'],
    ['12 Main St 04401', 'add its city, or ask'],
    ['12 Main St, Bangor, ME', 'add its ZIP code, or ask'],
    ['12 Main St, Bangor, ME 04401', 'ask'],
  ])('where places fit %s alike, says what it lacks', (address, advice) => {
    const match: TierMatch = { ...MATCH, accuracyType: 'rooftop', normalizedAddress: null };
    const answer: TierAnswer = {
      provider: 'commercial',
      matches: [match, { ...match, lat: match.lat + 1 }],
      city: null,
    };
    expect(() => requireMatch(answer, address)).toThrow(
      `it fits 2 places equally well; ${advice} by the coordinate of the one that is meant, which POST /v1/lookup lists`,
    );
  });

  it.each([
    ['no result', 200, { results: [] }],
    ['what it makes no address of', 422, { error: 'Could not geocode address. Postal code or city required.' }],
  ])('with %s knows no match, and nothing falls back', async (_, status, body) => {
    primary.answer = json(body, status);
    expect(await locate()).toStrictEqual({ provider: 'commercial', matches: [], city: null });
    expect(census.requests).toEqual([]);
  });

  it.each([
    [401, { error: 'Unauthorized' }, 'geocode_unconfigured'],
    [403, { error: 'Invalid API key' }, 'geocode_unconfigured'],
    [403, { error: 'This needs another subscription.' }, 'geocode_forbidden'],
    [403, null, 'geocode_forbidden'],
    [402, { error: 'Payment required' }, 'geocode_forbidden'],
    [429, { error: 'Too many requests' }, 'geocode_forbidden'],
    [400, { error: 'Bad request' }, 'geocode_upstream_error'],
    [404, {}, 'geocode_upstream_error'],
    [500, {}, 'geocode_upstream_error'],
    [503, 'down', 'geocode_upstream_error'],
  ])('that answers %i %j is %s, and nothing falls back', async (status, body, code) => {
    primary.answer = json(body, status);
    await expect(locate()).rejects.toEqual(refusal(code));
    expect(census.requests).toEqual([]);
  });

  const with1 = (more: object) => ({ results: [{ ...RESULT, ...more }] });
  it.each([
    ['text', 'hello'],
    ['null', null],
    ['a list', [RESULT]],
    ['an object without results', {}],
    ['results that are no list', { results: RESULT }],
    ['more results than any', { results: Array(101).fill(RESULT) }],
    ['a latitude as text', with1({ location: { lat: '44.8', lng: -68.77 } })],
    ['a latitude of no place', with1({ location: { lat: 144.8, lng: -68.77 } })],
    ['no location', with1({ location: null })],
    ['an accuracy over 1', with1({ accuracy: 97 })],
    ['no accuracy', with1({ accuracy: undefined })],
    ['an unknown accuracy type', with1({ accuracy_type: 'parcel' })],
    ['an address that is an object', with1({ formatted_address: {} })],
    ['an address of a kilobyte', with1({ formatted_address: 'x'.repeat(1_024) })],
    ['a state that is a number', with1({ address_components: { state: 5 } })],
  ])('that lies with %s is an upstream error, and nothing falls back', async (_, body) => {
    primary.answer = json(body);
    await expect(locate()).rejects.toEqual(refusal('geocode_upstream_error'));
    expect(census.requests).toEqual([]);
  });

  it.each([
    ['drops the connection', dropping],
    ['breaks off', breaking],
    ['never ends', flooding],
    ['sends bytes that are no JSON', (response: ServerResponse) => void response.end('<html>')],
    [
      'sends the caller elsewhere',
      (response: ServerResponse) => void response.writeHead(302, { location: census.url }).end(),
    ],
  ])('that %s is an upstream error, and nothing falls back', async (_, answer) => {
    primary.answer = answer;
    await expect(locate()).rejects.toEqual(refusal('geocode_upstream_error'));
    expect(census.requests).toEqual([]);
  });

  it('that nobody is at home for is an upstream error', async () => {
    const closed = createServer();
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise(resolve => closed.close(resolve));
    await expect(locate({ url: `http://127.0.0.1:${port}/` })).rejects.toEqual(refusal('geocode_upstream_error'));
    expect(census.requests).toEqual([]);
  });

  it('never says in an error what the provider said', async () => {
    primary.answer = json({ error: 'secret key is over its quota' }, 429);
    await expect(locate()).rejects.toThrow(/^(?!.*secret)/);
  });

  it('is not ready without address or credential', () => {
    const tier = (more: Partial<HttpTierOptions>) =>
      createHttpTier({ url: primary.url, key: 'k', fallbackUrl: census.url, now: Date.now, ...more });
    expect(() => tier({ key: '' }).requireReady()).toThrow(/credential is missing/);
    expect(() => tier({ url: '' }).requireReady()).toThrow(/address of the provider is missing/);
    expect(() => tier({}).requireReady()).not.toThrow();
  });
});

it('whatever JSON a provider sends is an answer of sound matches or an upstream error', () => {
  const leaves = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('rooftop', 'US', 'ME', 0.9, 44.8, -68.77, '__proto__', '\u0000'),
  );
  const near = fc
    .tuple(
      fc.constantFrom(
        'location',
        'accuracy',
        'accuracy_type',
        'match_type',
        'formatted_address',
        'source',
        'address_components',
      ),
      leaves,
    )
    .map(([key, value]) => ({ results: [{ ...RESULT, [key]: value }] }) as unknown);
  return fc.assert(
    fc.asyncProperty(fc.oneof(near, fc.jsonValue()), fc.boolean(), async (body, asCensus) => {
      primary.answer = json(body);
      const work = asCensus
        ? locateByCensus(primary.url, ADDRESS, { limitMs: PATIENT_MS, signal: new AbortController().signal })
        : locate();
      const answer = await work.catch((error: unknown) => error);
      if (answer instanceof ServiceError) expect(answer.code).toBe('geocode_upstream_error');
      else {
        const { matches } = answer as TierAnswer;
        for (const { lat, lng, similarity } of matches) {
          expect([Math.abs(lat) <= 90, Math.abs(lng) <= 180]).toEqual([true, true]);
          expect(similarity === null || (similarity >= 0 && similarity <= 1)).toBe(true);
        }
        expect(['found', 'several', 'coarse', 'none']).toContain(verdictOf(answer as TierAnswer).kind);
      }
    }),
    { seed: 20261121, numRuns: 300 },
  );
});
