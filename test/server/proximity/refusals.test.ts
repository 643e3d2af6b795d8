import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EngineBusy } from '../../../query/engine/engine-interface.ts';
import { TaskFailed } from '../../../query/engine/failure.ts';
import { UNREACHED } from '../../../query/route/graph.ts';
import { isInCanada } from '../../../server/proximity/canada.ts';
import { OPERATIONS } from '../../../server/proximity/schema.ts';
import { periodOf } from '../../../server/state/usage/period.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { HERE, postTo, region } from './questions.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(() => fixture.engine.reset());

const post = (path: string, body: unknown) => postTo(fixture, path, body);
const used = async () => {
  const now = fixture.clock.now();
  const { spent, held } = await fixture.state.ledger.usage(fixture.account.id, periodOf(now), now);
  return spent + held;
};
const times = (n: number) => Array.from({ length: n }, () => HERE);

describe('a body of the wrong shape', () => {
  it.each<[string, string, unknown, readonly (string | number)[], string]>([
    ['no operation', '', { origin: HERE }, ['operation'], 'missing'],
    ['an unknown operation', '', { operation: 'walk' }, ['operation'], 'literal_error'],
    ['no origins', '/matrix', { origins: [], destinations: [HERE] }, ['origins'], 'too_short'],
    ['101 origins', '/matrix', { origins: times(101), destinations: [HERE] }, ['origins'], 'too_long'],
    ['a lone latitude', '/matrix', { origins: [{ lat: 44 }], destinations: [HERE] }, ['origins', 0, 'lng'], 'missing'],
    [
      'an address beside it',
      '/matrix',
      { origins: [{ ...HERE, address: 'x' }], destinations: [HERE] },
      ['origins', 0],
      'invalid_locator',
    ],
    ['an empty locator', '/nearest', { origin: {}, candidates: [HERE] }, ['origin'], 'invalid_locator'],
    [
      'latitude 91',
      '/nearest',
      { origin: { lat: 91, lng: 0 }, candidates: [HERE] },
      ['origin', 'lat'],
      'less_than_equal',
    ],
    ['501 candidates', '/nearest', { origin: HERE, candidates: times(501) }, ['candidates'], 'too_long'],
    ['no candidates', '/nearest', { origin: HERE, candidates: [] }, ['candidates'], 'too_short'],
    ['a number for candidates', '/nearest', { origin: HERE, candidates: 7 }, ['candidates'], 'string_type'],
    ['k of 0', '/nearest', { origin: HERE, candidates: '@rail', k: 0 }, ['k'], 'greater_than_equal'],
    ['k of 51', '/nearest', { origin: HERE, candidates: '@rail', k: 51 }, ['k'], 'less_than_equal'],
    [
      'an empty annulus',
      '/labor_shed',
      { origin: HERE, min_minutes: 9, max_minutes: 9 },
      ['max_minutes'],
      'greater_than',
    ],
    [
      'an inverted one',
      '/labor_shed',
      { origin: HERE, min_minutes: 30, max_minutes: 9 },
      ['max_minutes'],
      'greater_than',
    ],
    ['minutes of -1', '/labor_shed', { origin: HERE, max_minutes: -1 }, ['max_minutes'], 'greater_than_equal'],
    ['minutes of 10,000', '/labor_shed', { origin: HERE, max_minutes: 10_000 }, ['max_minutes'], 'less_than_equal'],
    ['minutes of 10,000 around', '/isochrone', { origin: HERE, minutes: [10_000] }, ['minutes', 0], 'less_than_equal'],
    ['six isochrones', '/isochrone', { origin: HERE, minutes: [1, 2, 3, 4, 5, 6] }, ['minutes'], 'too_long'],
    [
      'a rule with both limits',
      '/screen',
      { candidates: [HERE], rules: [{ to: '@rail', within_km: 1, within_minutes: 1 }] },
      ['rules', 0],
      'value_error',
    ],
    ['no rules', '/screen', { candidates: [HERE], rules: [] }, ['rules'], 'too_short'],
    ['an unknown key', '/isochrone', { origin: HERE, minutes: [5], mode: 'walk' }, ['mode'], 'extra_forbidden'],
    ['a list', '', [], [], 'model_attributes_type'],
  ])('%s: 422 invalid_request, naming it', async (_, path, body, loc, type) => {
    const response = await post(path, body);
    expect(response.statusCode).toBe(422);
    const { detail } = response.json();
    expect(detail).toMatchObject({ error: 'invalid_request', retryable: false });
    expect(detail.errors).toContainEqual({ loc, msg: expect.any(String), type });
    expect(await used()).toBe(0);
  });

  it('malformed JSON too, and nothing that was sent is repeated', async () => {
    const broken = await post('/matrix', '{"origins": "secret-word"');
    expect(broken.statusCode).toBe(422);
    expect(broken.json().detail).toMatchObject({ error: 'invalid_request', errors: [{ type: 'json_invalid' }] });
    const inside = await post('/matrix', '{"origins": [secret-word]}');
    const wrong = await post('/matrix', { origins: 'secret-word', destinations: [HERE] });
    expect([inside.statusCode, wrong.statusCode]).toEqual([422, 422]);
    expect(wrong.body + inside.body + broken.body).not.toContain('secret');
  });

  it('every fault at once', async () => {
    const { detail } = (await post('/nearest', { origin: { lat: 'a' }, k: 99, zz: 1 })).json();
    expect(detail.errors.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()).toEqual([
      'candidates',
      'k',
      'origin.lat',
      'zz',
    ]);
    expect(detail.message).toMatch(/^The request has 4 faults, the first: /);
  });

  it('an unknown set has a code of its own', async () => {
    for (const [path, body] of [
      ['/nearest', { origin: HERE, candidates: '@airfields' }],
      ['/screen', { candidates: [HERE], rules: [{ to: 'airports', within_km: 5 }] }],
    ] as const) {
      const response = await post(path, body);
      expect(response.statusCode).toBe(422);
      expect(response.json().detail.error).toBe('unknown_set');
    }
  });

  it('another method and another operation are not there', async () => {
    expect((await fixture.app.inject({ method: 'GET', url: '/v1/proximity' })).statusCode).toBe(405);
    expect((await post('/walk', {})).statusCode).toBe(404);
    expect((await fixture.app.inject({ method: 'POST', url: '/v1/proximity', payload: {} })).statusCode).toBe(401);
  });
});

describe('addresses', () => {
  it('that are not found are unresolved; where all are, the request is', async () => {
    const response = await post('/matrix', { origins: [{ address: '10 Downing St, London' }], destinations: [HERE] });
    expect(response.statusCode).toBe(422);
    expect(response.json().detail).toMatchObject({
      error: 'unresolvable_input',
      unresolved: [{ role: 'origins', index: 0, error: 'address_not_found' }],
    });
    expect(await used()).toBe(0);
  });
});

describe('Canada', () => {
  const toronto = { lat: 43.66, lng: -79.39 };
  it.each<[string, number, number, boolean]>([
    ['Toronto', 43.66, -79.39, true],
    ['Vancouver', 49.26, -123.1, true],
    ['Montréal', 45.5, -73.57, true],
    ['Halifax', 44.65, -63.57, true],
    ['Windsor', 42.28, -82.98, false],
    ['London, Ontario', 42.98, -81.25, true],
    ['Winnipeg', 49.9, -97.14, true],
    ['Whitehorse', 60.72, -135.06, true],
    ['Fredericton', 45.96, -66.64, true],
    ['Victoria', 48.43, -123.37, false],
    ['Seattle', 47.6, -122.33, false],
    ['Detroit', 42.33, -83.05, false],
    ['Buffalo', 42.89, -78.88, false],
    ['Fort Kent', 47.25, -68.59, false],
    ['Sault Ste. Marie, Michigan', 46.49, -84.35, false],
    ['Juneau', 58.3, -134.42, false],
    ['Fairbanks', 64.84, -147.72, false],
    ['Houlton', 46.13, -67.84, false],
    ['Duluth', 46.79, -92.1, false],
    ['International Falls', 48.6, -93.41, false],
    ['Point Roberts', 48.99, -123.06, false],
    ['Burlington', 44.48, -73.21, false],
    ['Honolulu', 21.3, -157.86, false],
  ])('%s', (_, lat, lng, inCanada) => {
    expect(isInCanada({ lat, lng })).toBe(inCanada);
  });

  it('is accepted for drive times', async () => {
    fixture.engine.routed = () => ({
      region,
      origins: [{ metres: 1, nearestRoad: 1 }],
      places: [{ metres: 2, nearestRoad: 2 }],
      time: Uint32Array.of(90_000),
      length: Uint32Array.of(12_345),
    });
    const response = await post('/matrix', { origins: [toronto], destinations: [toronto] });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ minutes: [[1.5]], meters: [[1234.5]], source: 'OpenStreetMap' });
  });

  it.each([
    ['nearest', { origin: toronto, candidates: '@airports' }, ['origin']],
    ['nearest', { origin: HERE, candidates: [toronto] }, ['candidates', 0]],
    ['screen', { candidates: [HERE, toronto], rules: [{ to: '@rail', within_km: 5 }] }, ['candidates', 1]],
    ['labor_shed', { origin: toronto, max_minutes: 20 }, ['origin']],
  ])('is refused for %s', async (operation, body, loc) => {
    const response = await post(`/${operation}`, body);
    expect(response.statusCode).toBe(422);
    expect(response.json().detail).toMatchObject({
      error: 'invalid_request',
      errors: [{ loc, type: 'outside_region' }],
    });
  });
});

describe('trouble of the engine', () => {
  const pair = { origins: [HERE], destinations: [HERE] };
  it.each<[string, () => never, number, string, string | undefined]>([
    [
      'a full queue',
      () => {
        throw new EngineBusy();
      },
      429,
      'proximity_busy',
      '5',
    ],
    [
      'files that go on changing',
      () => {
        throw new TaskFailed({ failed: 'it was changed', late: false });
      },
      503,
      'proximity_data_unavailable',
      '60',
    ],
    [
      'the deadline',
      () => {
        throw new TaskFailed({ failed: 'late', late: true });
      },
      504,
      'proximity_deadline_exceeded',
      '5',
    ],
  ])('%s', async (_, routed, status, code, wait) => {
    fixture.engine.routed = routed;
    const response = await post('/matrix', pair);
    expect([response.statusCode, response.json().detail.error]).toEqual([status, code]);
    expect(response.headers['retry-after']).toBe(wait);
    expect(await used()).toBe(1);
  });

  it('no graph, or a damaged one', async () => {
    fixture.engine.routed = () => ({ unavailable: 'graph file 0123: its bytes do not have its checksum', regions: [] });
    const response = await post('/matrix', pair);
    expect(response.statusCode).toBe(503);
    expect(response.json().detail).toMatchObject({ error: 'proximity_data_unavailable', retryable: true });
  });

  it('what the release lacks is not to be asked again; roads elsewhere, and damage, are', async () => {
    fixture.engine.routed = () => ({ unavailable: 'this release has no road graph', regions: [], lacking: true });
    const without = await post('/matrix', pair);
    expect([without.statusCode, without.headers['retry-after']]).toEqual([503, undefined]);
    expect(without.json().detail).toMatchObject({ error: 'proximity_data_unavailable', retryable: false, regions: [] });
    fixture.engine.near = () => ({ unavailable: 'dataset x is not installed in this release', lacking: true });
    const set = await post('/nearest', { origin: pair.origins[0], candidates: '@rail', by: 'straight_line' });
    expect([set.statusCode, set.headers['retry-after'], set.json().detail.retryable]).toEqual([503, undefined, false]);
    fixture.engine.routed = () => ({ unavailable: 'no road graph of this release covers the place', regions: [] });
    expect((await post('/matrix', pair)).headers['retry-after']).toBe('60');
  });

  it('an island is no fault: its pairs are null', async () => {
    fixture.engine.routed = () => ({
      region,
      origins: [{ metres: 1, nearestRoad: 1 }],
      places: [{ metres: 2, nearestRoad: 2 }],
      time: Uint32Array.of(UNREACHED),
      length: Uint32Array.of(UNREACHED),
    });
    const response = await post('/matrix', pair);
    expect(response.json()).toMatchObject({ minutes: [[null]], meters: [[null]], unresolved: [] });
  });

  it('a shed of more than 3,000 tracts', async () => {
    const tracts = Array.from({ length: 3_001 }, (_, i) => ({ geoid: String(i), lng: -68, lat: 44, population: 1 }));
    fixture.engine.near = () => ({ near: { tracts, source: 's', source_url: null, dataset_vintage: '2020' } });
    fixture.engine.routed = () => ({
      region,
      origins: [{ metres: 1, nearestRoad: 1 }],
      places: tracts.map(() => ({ metres: 1, nearestRoad: 1 })),
      found: tracts.map((_, index) => ({ index, time: 1, length: 1 })),
    });
    const before = await used();
    const response = await post('/labor_shed', { origin: HERE, max_minutes: 60 });
    expect([response.statusCode, response.json().detail.error]).toEqual([422, 'shed_too_large']);
    expect(await used()).toBe(before);
  });
});

it('every operation is in the API description, with an example', async () => {
  const { paths } = (await fixture.app.inject({ url: '/v1/openapi.json' })).json();
  for (const operation of OPERATIONS) expect(paths).toHaveProperty([`/v1/proximity/${operation}`, 'post']);
  expect(paths).toHaveProperty(['/v1/proximity', 'post', 'requestBody']);
});
