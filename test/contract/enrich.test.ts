import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXCLUDED_FROM_ENRICH, enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { EngineBusy } from '../../query/engine/engine-interface.ts';
import type { EnrichAnswer } from '../../query/engine/enrich-task.ts';
import type { NamedParcel } from '../../query/parcel/parcel-match.ts';
import { ROOFTOP } from '../server/fake-tier.ts';
import { type Fixture, openFixture, smallCatalog } from '../server/service-fixture.ts';
import { type Client, connect, type Reply } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ cache: false });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.enrichments.length = 0;
  fixture.engine.before = async () => {};
  fixture.engine.enriched = () => MATCHED;
});

const POINT = { lat: 44.8, lng: -68.77 };
const ALL = [...enrichCatalogOf(smallCatalog).fields.keys()];
const AT = '2026-01-01T00:00:00.000Z';
const record = (status: 'ok' | 'failed') => ({
  value: status === 'ok' ? 'R1' : null,
  unit: null,
  source: 'county',
  source_url: null,
  confidence: 'high',
  fetched_at: AT,
  dataset_vintage: '2026',
  ttl_seconds: 60,
  notes: null,
  status,
  interpretation_hints: 'Ask the county.',
  ...(status === 'failed' ? { error: 'The file is damaged.', retryable: true } : {}),
});
const parcel = (ord: number): NamedParcel => ({
  parcelId: `pcl_${ord}`,
  apn: `0${ord}`,
  address: null,
  areaM2: 100 + ord,
  source: 'county',
  matchType: 'contains',
  metres: 0,
  ref: { partition: 'ME/23019', ord },
});
const failure = { field: 'owner', source: 'parcel_store', error: 'The file is damaged.', retryable: true };
const MATCHED: EnrichAnswer = {
  status: 'matched',
  parcel: parcel(7),
  enriched: {
    point: { lat: 44.80001, lng: -68.77002 },
    method: 'stored_parcel_centroid',
    source: 'county',
    fields: Buffer.from(JSON.stringify({ apn: record('ok'), owner: record('failed') })),
    failures: [failure],
  },
};
const named = (ord: number) => ({
  parcel_id: `pcl_${ord}`,
  apn: `0${ord}`,
  address: null,
  source: 'county',
  match_type: 'contains',
  match_distance_m: 0,
});
const send = (body: unknown): Promise<Reply> => client.post('/v1/enrich', body);
const asked = () => fixture.engine.enrichments.at(-1)!.request;

describe('an enrichment', () => {
  it('answers a matched parcel with exactly the keys of the interface', async () => {
    const { status, json } = await send({ ...POINT, fields: ['owner', 'apn'] });
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      ...POINT,
      fetched_at: '2026-01-02T03:04:05.678Z',
      resolved_location: { ...POINT, source: 'coordinate' },
      analysis_point: { lat: 44.80001, lng: -68.77002, method: 'stored_parcel_centroid', source: 'county' },
      parcel_match: { status: 'matched', parcel: named(7), candidates: [], reason: null },
      fields: { apn: record('ok'), owner: record('failed') },
      partial_failures: [failure],
    });
    expect(asked()).toEqual({ point: POINT, address: null, names: ['apn', 'owner'], outline: false });
    expect(fixture.engine.enrichments[0]!.deadline).toBe(fixture.clock.time + 20_000);
  });

  it.each<[EnrichAnswer, object]>([
    [
      { status: 'ambiguous', candidates: [parcel(1), parcel(2)], reason: '2 parcels contain the point' },
      { status: 'ambiguous', parcel: null, candidates: [named(1), named(2)], reason: '2 parcels contain the point' },
    ],
    [
      { status: 'no_match', reason: 'none near' },
      { status: 'no_match', parcel: null, candidates: [], reason: 'none near' },
    ],
    [
      { status: 'unavailable', reason: 'no parcel data' },
      { status: 'unavailable', parcel: null, candidates: [], reason: 'no parcel data' },
    ],
  ])('says why no parcel is enriched: %j', async (answer, match) => {
    fixture.engine.enriched = () => answer;
    const { status, json } = await send({ ...POINT });
    expect(status).toBe(200);
    expect(json).toMatchObject({ fields: {}, analysis_point: null, partial_failures: [] });
    expect(json.parcel_match).toStrictEqual(match);
  });

  it('costs nothing and counts as a request', async () => {
    const before = (await client.get('/v1/users/me/usage')).json.credits_used;
    await send({ ...POINT });
    expect((await client.get('/v1/users/me/usage')).json.credits_used).toBe(before);
  });

  it('answers overload with 429 and Retry-After', async () => {
    fixture.engine.before = async () => {
      throw new EngineBusy('full');
    };
    const { status, json, headers } = await send({ ...POINT });
    expect(status).toBe(429);
    expect(json.detail).toMatchObject({ error: 'fetch_busy', retryable: true });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('needs a token', async () => {
    expect((await client.post('/v1/enrich', POINT, { authorization: '' })).status).toBe(401);
  });

  it('answers what its own OpenAPI document promises', async () => {
    const { json: openapi } = await client.get('/v1/openapi.json');
    const ajv = new Ajv({ strict: false });
    const check = ({ status, json }: Reply) => {
      const { schema } = openapi.paths['/v1/enrich'].post.responses[status].content['application/json'];
      const validate = ajv.compile({ ...schema, components: openapi.components });
      expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
      return status;
    };
    fixture.tier.knows('73 Harlow St');
    expect(check(await send(POINT))).toBe(200);
    expect(check(await send({ address: '73 Harlow St' }))).toBe(200);
    fixture.engine.enriched = () => ({ status: 'ambiguous', candidates: [parcel(1), parcel(2)], reason: 'two' });
    expect(check(await send(POINT))).toBe(200);
    expect(check(await send({ ...POINT, fields: [] }))).toBe(422);
    expect(check(await send({ ...POINT, fields: ['x'] }))).toBe(400);
    expect(check(await send({ lat: 44 }))).toBe(422);
  });
});

describe('which fields', () => {
  it('are all, in the order of the catalog, when nothing or null is asked for', async () => {
    for (const body of [{}, { fields: null }, { preset: null }, { fields: null, preset: null }]) {
      await send({ ...POINT, ...body });
      expect(asked().names).toEqual(ALL);
    }
  });

  it('are preset and fields together, each once, in the order of the catalog and never of the request', async () => {
    await send({ ...POINT, preset: 'zoning', fields: ['updated_at', 'zoning', 'filler_3', 'apn', 'apn'] });
    const zoning = enrichCatalogOf(smallCatalog).presets.get('zoning')!;
    expect(asked().names).toEqual(['apn', 'updated_at', ...zoning, 'filler_3']);
    expect(zoning[0]).toBe('zoning');
  });

  it('may be more than fifty', async () => {
    await send({ ...POINT, fields: ALL.slice(0, 120) });
    expect(asked().names).toHaveLength(120);
  });

  it('are refused together when unknown, the excluded eight among them', async () => {
    const excluded = [...EXCLUDED_FROM_ENRICH];
    const { status, json } = await send({ ...POINT, fields: ['nope', 'apn', ...excluded, 'nope', '__proto__'] });
    expect(status).toBe(400);
    expect(json.detail).toMatchObject({
      error: 'fields_unknown',
      retryable: false,
      fields_unknown: ['nope', ...excluded, '__proto__'],
    });
    expect(fixture.engine.enrichments).toHaveLength(0);
  });

  it.each([
    [{ fields: [] }, ['body', 'fields'], 'too_short'],
    [{ fields: 'apn' }, ['body', 'fields'], 'list_type'],
    [{ fields: [1] }, ['body', 'fields', 0], 'string_type'],
    [{ preset: 'terrain_' }, ['body', 'preset'], 'literal_error'],
    [{ preset: 'flood_risk' }, ['body', 'preset'], 'literal_error'],
    [{ preset: '' }, ['body', 'preset'], 'literal_error'],
    [{ enrich: true }, ['body', 'enrich'], 'extra_forbidden'],
  ])('%j has the wrong shape', async (body, loc, type) => {
    const { status, json } = await send({ ...POINT, ...body });
    expect(status).toBe(422);
    expect(json.detail).toHaveLength(1);
    expect(Object.keys(json.detail[0]).sort()).toEqual(['ctx', 'input', 'loc', 'msg', 'type']);
    expect(json.detail[0]).toMatchObject({ loc, type });
  });
});

describe('which place', () => {
  it.each([
    [{ lat: 44.8 }, ['body', 'lng'], 'missing'],
    [{ lng: -68.77 }, ['body', 'lat'], 'missing'],
    [{ lat: 44.8, lng: null }, ['body', 'lng'], 'missing'],
    [{}, ['body'], 'value_error'],
    [{ lat: null, lng: null, address: null }, ['body'], 'value_error'],
    [{ ...POINT, address: 'x' }, ['body'], 'value_error'],
    [{ lat: 44.8, address: 'x' }, ['body'], 'value_error'],
    [{ lat: '44.8', lng: -68.77 }, ['body', 'lat'], 'float_type'],
    [{ address: '' }, ['body', 'address'], 'string_too_short'],
    [{ address: ' '.repeat(3) }, ['body', 'address'], 'string_pattern_mismatch'],
    [{ address: 'x'.repeat(257) }, ['body', 'address'], 'string_too_long'],
  ])('%j has the wrong shape', async (body, loc, type) => {
    const { status, json } = await send(body);
    expect(status).toBe(422);
    expect(json.detail).toHaveLength(1);
    expect(json.detail[0]).toMatchObject({ loc, type });
    expect(fixture.engine.enrichments).toHaveLength(0);
  });

  it.each([
    ['Null Island', 0, 0],
    ['mid-Atlantic', 35, -45],
    ['mid-Pacific south of the envelope', -20, -150],
    ['swapped', -68.77, 44.8],
  ])('is out of bounds: %s', async (_, lat, lng) => {
    const { status, json } = await send({ lat, lng });
    expect(status).toBe(400);
    expect(json.detail).toMatchObject({ error: 'coord_out_of_bounds', retryable: false });
    expect(fixture.engine.enrichments).toHaveLength(0);
  });

  it('may be an address: its block is echoed and a rooftop is matched by situs too', async () => {
    fixture.tier.knows('73 Harlow St, Bangor');
    const { status, json } = await send({ address: '73 Harlow St, Bangor', preset: 'zoning' });
    expect(status).toBe(200);
    const { lat, lng } = ROOFTOP;
    expect(json).toMatchObject({ lat, lng, resolved_location: { lat, lng, source: 'address' } });
    expect(json.geocode).toMatchObject({ lat, lng, parcel_grade: true, normalized_address: ROOFTOP.normalizedAddress });
    expect(asked()).toMatchObject({ point: { lat, lng }, address: ROOFTOP.normalizedAddress });
  });

  it('is not matched by situs where the address was only found on the street', async () => {
    fixture.tier.knows('75 Harlow St, Bangor', { accuracyType: 'range_interpolation' });
    const { json } = await send({ address: '75 Harlow St, Bangor' });
    expect(json.geocode).toMatchObject({ parcel_grade: false, precision_note: expect.stringContaining('street') });
    expect(asked().address).toBeNull();
    expect(json.fields.apn).toStrictEqual({ ...record('ok'), confidence: 'medium' });
  });

  it.each([
    ['PO Box 12, Bangor, ME', 422, 'address_form_unsupported'],
    ['1 Nowhere Ln', 404, 'address_not_found'],
  ])('may be an address that cannot be resolved: %s', async (address, status, error) => {
    const reply = await send({ address });
    expect([reply.status, reply.json.detail.error]).toEqual([status, error]);
    expect(fixture.engine.enrichments).toHaveLength(0);
  });
});
