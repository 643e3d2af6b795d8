import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../server/errors/registry.ts';
import { StateUnavailable } from '../../../server/state/outage/unavailable.ts';
import { type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { square } from '../sites/site-shapes.ts';

let fixture: Fixture;
let strangers: string;
beforeAll(async () => {
  fixture = await openFixture({ limits: { bodyLimit: 2_000_000 }, client: NO_CALLBACKS.client });
  strangers = await fixture.tokens.issue(await fixture.state.openAccount('stranger@example.org', 'build'));
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.tier.reset());

const headers = (token = fixture.token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const raw = (payload: string, token?: string) =>
  fixture.app.inject({ method: 'POST', url: '/v1/field-requests', headers: headers(token), payload });
const file = (body: object, token?: string) => raw(JSON.stringify(body), token);
const read = (id: string, token?: string) =>
  fixture.app.inject({ method: 'GET', url: `/v1/field-requests/${id}`, headers: headers(token) });
const HERE = { lat: 44.8016, lng: -68.7712 };
const plain = (more: object = {}) => ({ description: 'the age of the sewers', example_locations: [HERE], ...more });
const detailOf = async (body: object) => {
  const response = await file(body);
  return { status: response.statusCode, ...response.json().detail };
};

/** Every property of the interface. */
const WHOLE = {
  description: 'Distance to the nearest fast charging station',
  example_locations: [
    { ...HERE, claimed_value: '1200 m', note: 'our depot' },
    { address: '73 Harlow St, Bangor, ME' },
    { polygon: square() },
  ],
  use_case: 'siting',
  decision_threshold: 'below a mile',
  deadline: '2026-12-01',
  area_of_interest: { names: ['Maine', 'Bangor'] },
  expected_volume: { locations: 1_000, geography: 'New England' },
  freshness: { max_staleness: '30 days', changes_how_often: 'monthly' },
  constraints: { must_not_be: ['slow chargers'], already_have: ['elevation'], acceptable_substitutes: ['any charger'] },
  known_sources: {
    suggested: [{ name: 'AFDC', url: 'https://afdc.energy.gov', note: 'official', why: 'complete' }],
    excluded: [{ name: 'a shop' }],
  },
  output_preference: { units: 'm', buckets_ok: false },
  requested_fields: [{ ask: 'distance in metres' }],
  idempotency_key: 'the whole',
  callback: { webhook_url: 'https://hooks.example.org/plat', email: 'me@example.org' },
  context_blob: 'mine',
};

describe('POST /v1/field-requests', () => {
  it('takes every property, and its poll body is whole', async () => {
    fixture.tier.knows('73 Harlow St, Bangor, ME', {}, { city: 'BANGOR' });
    const response = await file(WHOLE);
    expect(response.statusCode).toBe(202);
    const { request_id, ...rest } = response.json();
    expect(request_id).toMatch(/^fr_[a-z2-7]{26}$/);
    expect(rest).toEqual({ status: 'received', poll: `/v1/field-requests/${request_id}` });
    const polled = await fixture.app.inject({ method: 'GET', url: rest.poll, headers: headers() });
    expect(polled.statusCode).toBe(200);
    const now = new Date(fixture.clock.now()).toISOString();
    expect(polled.json()).toEqual({
      request_id,
      status: 'received',
      waiting_on: null,
      phase: null,
      queue_position: null,
      estimated_ready_at: null,
      resolved_locations: [
        { index: 0, resolved_location: { ...HERE, source: 'coordinate' } },
        {
          index: 1,
          resolved_location: { lat: 44.8017, lng: -68.7714, source: 'address' },
          resolved_address: '73 HARLOW ST, BANGOR, ME 04401',
        },
        { index: 2, resolved_location: { lat: expect.any(Number), lng: expect.any(Number), source: 'coordinate' } },
      ],
      disposition: [],
      resume: null,
      context_blob: 'mine',
      created_at: now,
      updated_at: now,
    });
    const [west, south] = square().coordinates[0]![0]!;
    const { lat, lng } = polled.json().resolved_locations[2].resolved_location;
    expect(lat).toBeGreaterThan(south!);
    expect(lng).toBeGreaterThan(west!);
  });

  it('costs nothing', async () => {
    await file(plain());
    const usage = await fixture.app.inject({ method: 'GET', url: '/v1/users/me/usage', headers: headers() });
    expect(usage.json().credits_used).toBe(0);
  });

  const at = (more: object) => plain({ example_locations: [more] });
  const WRONG: Record<string, [object, (string | number)[]]> = {
    'no description': [{ example_locations: [HERE] }, ['description']],
    'a blank description': [plain({ description: ' \n' }), ['description']],
    'a description of a number': [plain({ description: 7 }), ['description']],
    'a long description': [plain({ description: 'x'.repeat(4_001) }), ['description']],
    'no example locations': [{ description: 'x' }, ['example_locations']],
    'an empty list of them': [plain({ example_locations: [] }), ['example_locations']],
    'too many of them': [plain({ example_locations: Array(21).fill(HERE) }), ['example_locations']],
    'an unknown key': [plain({ priority: 1 }), ['priority']],
    'an unknown key of a location': [at({ ...HERE, zip: '04401' }), ['example_locations', 0, 'zip']],
    'a long address': [at({ address: 'x'.repeat(257) }), ['example_locations', 0, 'address']],
    'an empty address': [at({ address: '' }), ['example_locations', 0, 'address']],
    'a null': [at({ ...HERE, address: null }), ['example_locations', 0, 'address']],
    'a latitude as text': [at({ lat: '44.8', lng: -68.7 }), ['example_locations', 0, 'lat']],
    'a claimed number': [at({ ...HERE, claimed_value: 12 }), ['example_locations', 0, 'claimed_value']],
    'a polygon as text': [at({ polygon: 'POLYGON' }), ['example_locations', 0, 'polygon']],
    'names as text': [plain({ area_of_interest: { names: 'Maine' } }), ['area_of_interest', 'names']],
    'half a location': [plain({ expected_volume: { locations: 1.5 } }), ['expected_volume', 'locations']],
    'freshness as text': [plain({ freshness: '1 year' }), ['freshness']],
    'an unknown constraint': [plain({ constraints: { must_be: [] } }), ['constraints', 'must_be']],
    'numbers that must not be': [plain({ constraints: { must_not_be: [1] } }), ['constraints', 'must_not_be', 0]],
    'a source as text': [plain({ known_sources: { suggested: ['AFDC'] } }), ['known_sources', 'suggested', 0]],
    'buckets as text': [plain({ output_preference: { buckets_ok: 'no' } }), ['output_preference', 'buckets_ok']],
    'asks as text': [plain({ requested_fields: ['x'] }), ['requested_fields', 0]],
    'an ask without words': [plain({ requested_fields: [{}] }), ['requested_fields', 0, 'ask']],
    'an empty key': [plain({ idempotency_key: '' }), ['idempotency_key']],
    'no e-mail address': [plain({ callback: { email: 'me' } }), ['callback', 'email']],
    'e-mail headers': [plain({ callback: { email: 'me@example.org\r\nBcc: you@example.org' } }), ['callback', 'email']],
    'an e-mail address of two lines': [plain({ callback: { email: 'me\u2028@example.org' } }), ['callback', 'email']],
    'one with a control': [plain({ callback: { email: 'me\u0000@example.org' } }), ['callback', 'email']],
    'one that turns the text': [plain({ callback: { email: 'me\u202e@example.org' } }), ['callback', 'email']],
    'one in parts that nobody sees': [plain({ callback: { email: 'm\u200be@example.org' } }), ['callback', 'email']],
    'one with a comment': [plain({ callback: { email: 'me(you)@example.org' } }), ['callback', 'email']],
    'a group of them': [plain({ callback: { email: 'all:me@example.org;' } }), ['callback', 'email']],
    'one of a literal address': [plain({ callback: { email: 'me@[127.0.0.1]' } }), ['callback', 'email']],
    'an unknown callback': [plain({ callback: { sms: '1' } }), ['callback', 'sms']],
    'no URL': [plain({ callback: { webhook_url: 'hook' } }), ['callback', 'webhook_url']],
    'http in public': [plain({ callback: { webhook_url: 'http://93.184.216.34/' } }), ['callback', 'webhook_url']],
    'a private webhook': [plain({ callback: { webhook_url: 'https://10.0.0.1/' } }), ['callback', 'webhook_url']],
    'one of this very machine': [
      plain({ callback: { webhook_url: 'https://localhost/x' } }),
      ['callback', 'webhook_url'],
    ],
    'a name of it': [plain({ callback: { webhook_url: 'https://hook.localhost./' } }), ['callback', 'webhook_url']],
    'one written as a number': [
      plain({ callback: { webhook_url: 'https://2852039166/' } }),
      ['callback', 'webhook_url'],
    ],
    'a blob of a number': [plain({ context_blob: 1 }), ['context_blob']],
  };
  it.each(Object.entries(WRONG))('%s is invalid_payload, naming where', async (_, [body, loc]) => {
    const { status, error, message, retryable, errors } = await detailOf(body);
    expect([status, error, retryable]).toEqual([422, 'invalid_payload', false]);
    expect(errors[0]).toEqual({ loc, msg: expect.any(String), type: expect.any(String) });
    expect(message).toContain(loc.join('.'));
  });

  it.each(['', '{', '[]', 'null', '"x"'])('%j is invalid_payload', async payload => {
    const response = await raw(payload);
    expect([response.statusCode, response.json().detail.error]).toEqual([422, 'invalid_payload']);
  });

  it('is judged after authentication', async () => {
    const response = await fixture.app.inject({ method: 'POST', url: '/v1/field-requests', payload: '{' });
    expect(response.json().detail.error).toBe('auth_missing');
  });

  it('counts a blob in bytes of UTF-8', async () => {
    expect((await file(plain({ context_blob: 'é'.repeat(4_096) }))).statusCode).toBe(202);
    expect(await detailOf(plain({ context_blob: `${'é'.repeat(4_096)}x` }))).toMatchObject({
      status: 422,
      error: 'context_blob_too_large',
      message: expect.stringContaining('8193 bytes'),
    });
  });
});

describe('example locations', () => {
  const at = (...locations: object[]) => detailOf(plain({ example_locations: locations }));

  it.each([
    ['none', {}],
    ['none, with a note', { note: 'here' }],
    ['half a coordinate', { lat: 44.8 }],
    ['the other half', { lng: -68.7 }],
    ['two', { ...HERE, address: '73 Harlow St' }],
    ['half of one beside another', { lat: 44.8, address: '73 Harlow St' }],
    ['three', { ...HERE, address: '73 Harlow St', polygon: square() }],
  ])('of %s are invalid_locator', async (_, location) => {
    expect(await at(HERE, location)).toMatchObject({
      status: 422,
      error: 'invalid_locator',
      index: 1,
      message: expect.stringContaining('example_locations[1]'),
    });
    expect(fixture.tier.asked).toEqual([]);
  });

  it('outside are location_out_of_bounds, a swapped pair named', async () => {
    const abroad = { status: 422, error: 'location_out_of_bounds', index: 0 };
    expect(await at({ lat: 48.85, lng: 2.35 })).toMatchObject({
      ...abroad,
      message: expect.not.stringContaining('swapped'),
    });
    const swapped = { ...abroad, message: expect.stringContaining('seem to be swapped') };
    expect(await at({ lat: -68.77, lng: 44.8 })).toMatchObject(swapped);
    expect(await at({ polygon: square(0.01, 2.35, 48.85) })).toMatchObject(abroad);
    const turned = { type: 'Polygon', coordinates: square().coordinates.map(ring => ring.map(([x, y]) => [y, x])) };
    expect(await at({ polygon: turned })).toMatchObject(swapped);
    fixture.tier.knows('1 Marine Corps Dr, Hagatna, GU', { lat: 13.47, lng: 144.75, state: 'GU' });
    expect(await at({ address: '1 Marine Corps Dr, Hagatna, GU' })).toMatchObject(abroad);
  });

  it('of addresses are resolved with the care of a lookup', async () => {
    const unresolved = { status: 422, error: 'location_unresolved', index: 0 };
    expect(await at({ address: '1 Nowhere St, Bangor, ME' })).toMatchObject({ ...unresolved, candidates: [] });
    expect(await at({ address: ',,' })).toMatchObject(unresolved);
    fixture.tier.knows('73 Harlow St, Brewer, ME', {}, { city: 'BREWER' });
    expect(await at({ address: '73 Harlow St, Brewer, ME' })).toMatchObject({
      ...unresolved,
      message: expect.stringContaining('another city'),
    });
    const match = { lng: -68.7714, lat: 44.8017, similarity: 0.97, accuracyType: 'rooftop' as const, matchType: null };
    const town = { ...match, source: 'x', city: null, state: 'ME' };
    fixture.tier.answers.set('5 Main St', {
      matches: [
        { ...town, normalizedAddress: '5 MAIN ST, BANGOR, ME' },
        { ...town, lat: 44.2, normalizedAddress: '5 MAIN ST, CAMDEN, ME' },
      ],
    });
    const several = await at({ address: '5 Main St' });
    expect(several).toMatchObject(unresolved);
    expect(several.candidates).toHaveLength(2);
    fixture.tier.knows('Bangor, ME', { accuracyType: 'place' });
    expect(await at({ address: 'Bangor, ME' })).toMatchObject({ status: 422, error: 'address_too_coarse', index: 0 });
    expect(await at(HERE, { address: 'PO Box 12, Bangor, ME' })).toMatchObject({
      status: 422,
      error: 'address_form_unsupported',
      index: 1,
    });
    fixture.tier.answers.set('9 Slow St', new ServiceError('geocode_timeout'));
    expect(await at({ address: '9 Slow St' })).toMatchObject({ status: 504, error: 'geocode_timeout' });
  });

  it('of polygons are judged as sites are', async () => {
    const [ring] = square().coordinates;
    const bow = { type: 'Polygon', coordinates: [[ring![0], ring![2], ring![1], ring![3], ring![0]]] };
    for (const polygon of [{}, { type: 'Point', coordinates: ring![0] }, bow, { ...square(), crs: {} }])
      expect(await at(HERE, { polygon })).toMatchObject({
        status: 422,
        error: 'invalid_geometry',
        issues: [{ path: expect.stringMatching(/^example_locations\[1\]\.polygon/) }],
      });
    expect(await at({ polygon: square(0.5) })).toMatchObject({
      error: 'invalid_geometry',
      message: expect.stringContaining('acres'),
    });
  });
});

describe('an idempotency key', () => {
  it('files once, whatever the order of keys; callback and blob do not make it another body', async () => {
    fixture.tier.knows('73 Harlow St');
    const body = plain({ example_locations: [{ address: '73 Harlow St' }], idempotency_key: 'k 1' });
    const first = (await file({ ...body, context_blob: 'one', callback: { email: 'a@example.org' } })).json();
    fixture.tier.reset();
    const turned = Object.fromEntries(Object.entries(body).reverse());
    const again = await file({ ...turned, context_blob: 'two', callback: { email: 'b@example.org' } });
    expect([again.statusCode, again.json()]).toEqual([200, first]);
    // It was not resolved again: the geocoder knows nothing any more.
    expect(fixture.tier.asked).toEqual([]);
    expect((await read(first.request_id)).json().context_blob).toBe('one');
    const kept = async () => (await fixture.state.fieldRequests.find(first.request_id))!.callback;
    expect(await kept()).toEqual({ email: 'b@example.org' });
    await file(body);
    expect(await kept()).toEqual({ email: 'b@example.org' });
    expect(await detailOf({ ...body, use_case: 'other' })).toMatchObject({
      status: 409,
      error: 'idempotency_key_reused',
    });
    expect((await file(plain({ idempotency_key: 'k 1' }), strangers)).statusCode).toBe(202);
  });

  it('may be any text, and without one each filing is another', async () => {
    const key = { idempotency_key: 'nul \u0000 é \u{1f9ed}' };
    const [a, b] = [(await file(plain(key))).json(), (await file(plain(key))).json()];
    expect(b.request_id).toBe(a.request_id);
    expect((await file(plain())).json().request_id).not.toBe((await file(plain())).json().request_id);
  });

  it('is not used up by a refusal', async () => {
    const refused = plain({ example_locations: [{ lat: 1, lng: 1 }], idempotency_key: 'k 2' });
    expect((await file(refused)).statusCode).toBe(422);
    expect((await file(plain({ idempotency_key: 'k 2' }))).statusCode).toBe(202);
  });
});

describe('GET /v1/field-requests/{request_id}', () => {
  it('answers unknown and foreign ids alike', async () => {
    const { request_id } = (await file(plain())).json();
    const answers = [await read(request_id, strangers), await read(`fr_${'a'.repeat(26)}`), await read('x')];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual(answers[0]!.json());
    }
    expect(answers[0]!.json().detail.error).toBe('field_request_not_found');
    expect((await read(request_id)).statusCode).toBe(200);
  });
});

describe('when the store is gone', () => {
  it('both are 503 field_requests_unavailable', async () => {
    const { fieldRequests } = fixture.state;
    const { request, replay } = fieldRequests;
    const gone = async () => {
      throw new StateUnavailable(new Error('gone'));
    };
    Object.assign(fieldRequests, { request: gone, replay: gone });
    try {
      for (const response of [await file(plain()), await read(`fr_${'a'.repeat(26)}`)]) {
        expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2']);
        expect(response.json().detail).toMatchObject({ error: 'field_requests_unavailable', retryable: true });
      }
    } finally {
      Object.assign(fieldRequests, { request, replay });
    }
    const { token } = fixture.state;
    Object.assign(fixture.state, { token: gone });
    try {
      const fresh = await fixture.tokens.issue(fixture.account).catch(() => fixture.token);
      const response = await read(`fr_${'a'.repeat(26)}`, fresh);
      expect([response.statusCode, response.json().detail.error]).toEqual([503, 'field_requests_unavailable']);
    } finally {
      Object.assign(fixture.state, { token });
    }
  });
});
