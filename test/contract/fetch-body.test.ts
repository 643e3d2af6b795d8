import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../server/service-fixture.ts';

let fixture: Fixture;
let base: string;

beforeAll(async () => {
  fixture = await openFixture({ cache: false });
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(fixture.app.server.address() as AddressInfo).port}`;
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.calls.length = 0;
  fixture.engine.answers.clear();
  fixture.engine.before = async () => {};
});

const POINT = { lat: 44.8, lng: -68.77 };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  readonly json: any;
}

async function send(body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(`${base}/v1/fetch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

describe('the locator', () => {
  it.each([
    [{}, 'neither'],
    [{ lat: null, lng: null }, 'neither'],
    [{ lat: 44 }, '`lng` is missing'],
    [{ lat: 44, lng: null }, '`lng` is missing'],
    [{ lng: -68 }, '`lat` is missing'],
    [{ lat: null, lng: -68 }, '`lat` is missing'],
    [{ lat: 44, lng: -68, address: '1 Main St' }, 'both'],
    [{ lat: 44, address: '1 Main St' }, 'both'],
    [{ address: null }, 'neither'],
  ])('%j is invalid_locator: %s', async (body, reason) => {
    const { status, json } = await send({ ...body, fields: ['elevation'] });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'invalid_locator', retryable: false });
    expect(json.detail.message).toContain(reason);
  });

  it.each([
    [18, -180],
    [72, -65],
    [72, -180],
    [18, -65],
    [51, 172],
    [54, 172],
    [51, 179.9999999],
    [54, 179.9999999],
  ])('lat %d, lng %d is inside', async (lat, lng) => {
    const { status, json } = await send({ lat, lng, fields: ['elevation'] });
    expect(status).toBe(200);
    expect(json.resolved_location).toEqual({ lat, lng, source: 'coordinate' });
  });

  it.each([
    [17.9999999, -100],
    [72.0000001, -100],
    [44, -64.9999999],
    [44, -180.0000001],
    [50.9999999, 175],
    [54.0000001, 175],
    [52, 171.9999999],
    [52, 180],
    [0, 0],
    [1e308, -1e308],
  ])('lat %d, lng %d is outside', async (lat, lng) => {
    const { status, json } = await send({ lat, lng, fields: ['elevation'] });
    expect(status).toBe(400);
    expect(json.detail).toMatchObject({ error: 'coord_out_of_bounds', retryable: false });
    expect(fixture.engine.calls).toHaveLength(0);
  });

  it('names a swapped pair', async () => {
    const { json } = await send({ lat: -68.77, lng: 44.8, fields: ['elevation'] });
    expect(json.detail.message).toContain('swapped');
  });
});

describe('the order of judgement', () => {
  it.each([
    ['shape before locator', { lat: 'x', extra: 1 }, 422, undefined],
    ['locator before fields', { lat: 44, fields: ['nope'] }, 422, 'invalid_locator'],
    ['fields before the envelope', { lat: 0, lng: 0, fields: ['nope'] }, 400, 'fields_unknown'],
    ['nothing requested before the envelope', { lat: 0, lng: 0 }, 400, 'no_fields_requested'],
    ['fields before geocoding', { address: 'x', fields: ['nope'] }, 400, 'fields_unknown'],
    [
      'unknown before too many',
      { ...POINT, fields: ['nope', ...Array.from({ length: 55 }, (_, i) => `filler_${i}`)] },
      400,
      'fields_unknown',
    ],
  ])('%s', async (_, body, status, code) => {
    const reply = await send(body);
    expect(reply.status).toBe(status);
    expect(reply.json.detail.error).toBe(code);
  });

  it('judges the token before the body', async () => {
    const response = await fetch(`${base}/v1/fetch`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{not json',
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ detail: { error: 'auth_missing', retryable: false } });
  });
});

describe('the shape of the body', () => {
  const address = { fields: ['elevation'] };
  it.each<[string, unknown, (string | number)[], string, unknown]>([
    ['unknown key', { ...POINT, x: 1 }, ['body', 'x'], 'extra_forbidden', 1],
    ['text for a number', { lat: '44', lng: -68 }, ['body', 'lat'], 'float_type', '44'],
    ['boolean for a number', { lat: true, lng: -68 }, ['body', 'lat'], 'float_type', true],
    ['infinite number', '{"lat":1e999,"lng":-68}', ['body', 'lat'], 'finite_number', null],
    ['negative infinity', '{"lat":44,"lng":-1e999}', ['body', 'lng'], 'finite_number', null],
    ['empty address', { ...address, address: '' }, ['body', 'address'], 'string_too_short', ''],
    ['blank address', { ...address, address: '  ' }, ['body', 'address'], 'string_pattern_mismatch', '  '],
    ['long address', { ...address, address: 'a'.repeat(257) }, ['body', 'address'], 'string_too_long', 'a'.repeat(257)],
    ['address of another type', { ...address, address: 5 }, ['body', 'address'], 'string_type', 5],
    ['fields as text', { ...POINT, fields: 'elevation' }, ['body', 'fields'], 'list_type', 'elevation'],
    ['fields as object', { ...POINT, fields: {} }, ['body', 'fields'], 'list_type', {}],
    ['field that is no text', { ...POINT, fields: ['elevation', 5] }, ['body', 'fields', 1], 'string_type', 5],
    ['field that is null', { ...POINT, fields: [null] }, ['body', 'fields', 0], 'string_type', null],
    ['unknown preset', { ...POINT, preset: 'nope' }, ['body', 'preset'], 'literal_error', 'nope'],
    ['enrich preset', { ...POINT, preset: 'hazards' }, ['body', 'preset'], 'literal_error', 'hazards'],
    ['preset of another type', { ...POINT, preset: 5 }, ['body', 'preset'], 'string_type', 5],
    ['list', [], ['body'], 'model_attributes_type', []],
    ['text', '"x"', ['body'], 'model_attributes_type', 'x'],
    ['null', 'null', ['body'], 'missing', null],
    ['nothing', '', ['body'], 'missing', null],
    [
      '__proto__',
      '{"lat":44,"lng":-68,"__proto__":{"fields":["elevation"]}}',
      ['body', '__proto__'],
      'extra_forbidden',
      {
        fields: ['elevation'],
      },
    ],
    ['constructor', '{"constructor":{"prototype":1}}', ['body', 'constructor'], 'extra_forbidden', { prototype: 1 }],
    ['key with a slash', { '~a/b': 1 }, ['body', '~a/b'], 'extra_forbidden', 1],
    ['malformed JSON', '{"lat":44,', ['body'], 'json_invalid', null],
    ['not a number', '{"lat":NaN}', ['body'], 'json_invalid', null],
    ['two texts', '{} {}', ['body'], 'json_invalid', null],
    ['name given twice', '{"lat":44,"lng":-68,"lat":45}', ['body'], 'json_invalid', null],
    ['name given twice in another spelling', '{"lat":44,"l\\u0061t":45}', ['body'], 'json_invalid', null],
    ['deep nesting', '['.repeat(20_000) + ']'.repeat(20_000), ['body'], 'json_invalid', null],
    ['deep objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, ['body'], 'json_invalid', null],
    ['half of a surrogate pair', '{"address":"\\ud800 Main St"}', ['body'], 'json_invalid', null],
    ['half of one in a name', '{"\\uDC00":1}', ['body'], 'json_invalid', null],
    ['byte order mark', '\uFEFF{}', ['body'], 'json_invalid', null],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), ['body'], 'json_invalid', null],
    ['UTF-16', new Uint8Array(Buffer.from('{}', 'utf16le')), ['body'], 'json_invalid', null],
  ])('%s', async (_, body, loc, type, input) => {
    const { status, json, headers } = await send(body);
    expect(status).toBe(422);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(json.detail).toHaveLength(1);
    const [issue] = json.detail;
    expect(Object.keys(issue).sort()).toEqual(['ctx', 'input', 'loc', 'msg', 'type']);
    expect(issue).toMatchObject({ loc, type });
    // An object with an own __proto__ key cannot be compared by value, so its JSON is.
    expect(JSON.stringify(issue.input)).toBe(JSON.stringify(input));
    expect(issue.msg).toMatch(/\w/);
  });

  it('counts characters of an address, not UTF-16 units', async () => {
    expect((await send({ ...address, address: '𝒜'.repeat(256) })).status).toBe(404);
    expect((await send({ ...address, address: '𝒜'.repeat(257) })).status).toBe(422);
  });

  it('reports all issues together, and never more than 50', async () => {
    const { json } = await send({ lat: 'a', lng: [], fields: 5, preset: 'x', y: 1 });
    expect(json.detail.map((issue: { loc: string[] }) => issue.loc[1]).sort()).toEqual([
      'fields',
      'lat',
      'lng',
      'preset',
      'y',
    ]);
    const many = await send({ fields: Array.from({ length: 5_000 }, () => 1) });
    expect(many.json.detail).toHaveLength(50);
  });

  it('does not take a name inside a value for a repeated one', async () => {
    const { status } = await send({ ...POINT, fields: ['elevation', 'elevation'], address: null });
    expect(status).toBe(200);
    const text = '{"lat":44,"lng":-68,"address":null,"fields":["elevation"],"preset":"terrain"}';
    expect((await send(text)).status).toBe(200);
  });
});

it('answers what its own OpenAPI document promises', async () => {
  const openapi = (await (await fetch(`${base}/v1/openapi.json`)).json()) as {
    paths: Record<string, { post: { responses: Record<string, { content: Record<string, { schema: object }> }> } }>;
    components: object;
  };
  const { responses } = openapi.paths['/v1/fetch']!.post;
  const ajv = new Ajv({ strict: false });
  const check = (status: number, body: unknown) => {
    const { schema } = responses[status]!.content['application/json']!;
    const validate = ajv.compile({ ...schema, components: openapi.components });
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  };
  fixture.engine.answers.set('elevation', { status: 'failed', value: null, error: 'x', retryable: true });
  for (const body of [
    { ...POINT, fields: ['elevation', 'slope_degrees'] },
    { ...POINT, fields: ['nope'] },
    { lat: 'x' },
    { lat: 44 },
    { address: 'x', fields: ['elevation'] },
  ]) {
    const { status, json } = await send(body);
    check(status, json);
  }
});
