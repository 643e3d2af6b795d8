import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStatus } from '../../../query/engine/engine-interface.ts';
import type { Geocoded } from '../../../query/geocode/match.ts';
import { FALLBACK_LIMIT_MS } from '../../../server/geocoder/census.ts';
import { createHttpTier, type HttpTierOptions } from '../../../server/geocoder/http-tier.ts';
import { createLocalTier } from '../../../server/geocoder/local-tier.ts';
import { PRIMARY_LIMIT_MS } from '../../../server/geocoder/primary.ts';
import { verdictOf } from '../../../server/geocoder/verdict.ts';
import { dripping, dropping, flooding, json, type Provider, silent, startProvider } from './geocode-provider.ts';

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
const HASTY_MS = 60;
/** Time in which a request reaches a loopback server, however busy the machine; then no answer comes. */
const HEARD_MS = 500;

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

describe('the fallback', () => {
  const late = (more: Partial<HttpTierOptions> = {}) => locate({ primaryLimitMs: HASTY_MS, ...more });

  it.each([
    ['says nothing', silent],
    ['drips', dripping],
  ])('answers by the Census protocol when the primary %s until its time is up', async (_, answer) => {
    primary.answer = answer;
    expect(await late()).toStrictEqual({
      provider: 'census',
      matches: [
        {
          lat: 44.8,
          lng: -68.77,
          similarity: null,
          accuracyType: 'range_interpolation',
          matchType: null,
          normalizedAddress: '73 HARLOW ST, BANGOR, ME, 04401',
          source: 'US Census Bureau MAF/TIGER address ranges',
          city: 'BANGOR',
          state: 'ME',
        },
      ],
      city: null,
    });
    const [{ url }] = census.requests as [Provider['requests'][number]];
    expect([...url.searchParams]).toEqual([
      ['address', ADDRESS],
      ['benchmark', 'Public_AR_Current'],
      ['format', 'json'],
    ]);
  });

  it('that knows no match says so', async () => {
    primary.answer = silent;
    census.answer = json({ result: { addressMatches: [] } });
    expect(await late()).toStrictEqual({ provider: 'census', matches: [], city: null });
  });

  it('that knows several picks none', async () => {
    primary.answer = silent;
    const [match] = CENSUS.result.addressMatches;
    census.answer = json({
      result: { addressMatches: [match, { ...match, matchedAddress: '73 HARLOW ST, BREWER, ME, 04412' }, match] },
    });
    const { matches } = await late();
    expect(matches).toHaveLength(2);
    expect(verdictOf({ provider: 'census', matches, city: null }).kind).toBe('several');
  });

  it.each([
    ['nothing', silent],
    ['a drip', dripping],
  ])('that answers %s in its time either is a timeout', async (_, answer) => {
    primary.answer = silent;
    census.answer = answer;
    await expect(late({ fallbackLimitMs: HEARD_MS })).rejects.toEqual(refusal('geocode_timeout'));
    expect(census.requests).toHaveLength(1);
  });

  it('that is switched off leaves a timeout', async () => {
    primary.answer = silent;
    await expect(late({ fallbackUrl: null })).rejects.toEqual(refusal('geocode_timeout'));
  });

  it.each([
    ['a server error', json({}, 500)],
    ['a refusal', json({ errors: ['Specified address is too long'], status: '400' }, 400)],
    ['the shape of the primary', json(REPLY)],
    [
      'coordinates as text',
      json({ result: { addressMatches: [{ matchedAddress: 'A', coordinates: { x: '1', y: '2' } }] } }),
    ],
    ['a dropped connection', dropping],
    ['a flood', flooding],
  ])('that answers %s is an upstream error', async (_, answer) => {
    primary.answer = silent;
    census.answer = answer;
    await expect(late()).rejects.toEqual(refusal('geocode_upstream_error'));
  });
});

describe('time', () => {
  it('is 3 seconds for the local geocoder, or what is left of the request', async () => {
    const deadlines: number[] = [];
    const engine = {
      status: () => ({}) as EngineStatus,
      geocode: async (_: unknown, { deadline }: { readonly deadline: number }) => {
        deadlines.push(deadline);
        return { matches: [], city: null, uncovered: false } as unknown as Geocoded;
      },
    };
    const tier = createLocalTier(engine, () => 1_000);
    for (const deadline of [60_000, 2_000])
      await tier.locate(ADDRESS, { deadline, signal: new AbortController().signal });
    expect(deadlines).toEqual([4_000, 2_000]);
  });

  it('is 3 seconds for the primary geocoder and 2.5 for the fallback', async () => {
    expect([PRIMARY_LIMIT_MS, FALLBACK_LIMIT_MS]).toEqual([3_000, 2_500]);
    primary.answer = silent;
    census.answer = silent;
    const start = performance.now();
    const tier = createHttpTier({ url: primary.url, key: 'k', fallbackUrl: census.url, now: Date.now });
    const work = tier.locate(ADDRESS, { deadline: Date.now() + 60_000, signal: new AbortController().signal });
    await expect(work).rejects.toEqual(refusal('geocode_timeout'));
    // A timer never fires early; how late it fires is the machine's business.
    expect(performance.now() - start).toBeGreaterThan(5_490);
    expect(census.requests).toHaveLength(1);
  });

  it('ends with the deadline of the request where that comes sooner', async () => {
    primary.answer = silent;
    const tier = createHttpTier({ url: primary.url, key: 'k', fallbackUrl: null, now: Date.now });
    const work = tier.locate(ADDRESS, { deadline: Date.now() + HASTY_MS, signal: new AbortController().signal });
    await expect(work).rejects.toEqual(refusal('geocode_timeout'));
  }, 2_500);

  it('is not spent on a caller who has gone', async () => {
    primary.answer = silent;
    const gone = new AbortController();
    const work = locate({}, gone.signal);
    while (primary.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    gone.abort();
    await expect(work).rejects.toHaveProperty('name', 'AbortError');
    expect(census.requests).toEqual([]);
  });
});
