import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { EXCLUDED_FROM_ENRICH } from '../../../datasets/enrich/enrich.ts';
import { outputNames } from '../../../query/search/request/surface.ts';
import { type Client, connect } from '../../contract/client.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ plan: 'market', catalog });
  fixture.engine.columns = outputNames(catalog);
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const POINT = { lat: 44.8, lng: -68.77 };
const STATE = { field: 'state', op: 'eq', value: 'ME' };
const wrong = (n: number) => Array.from({ length: n }, (_, i) => `zonin${i}`);

/** Every door that takes names of fields, with how a body for some names looks there. */
const DOORS: readonly (readonly [path: string, body: (names: readonly string[]) => object])[] = [
  ['/v1/fetch', fields => ({ ...POINT, fields })],
  ['/v1/fetch/quote', fields => ({ fields })],
  ['/v1/fetch/batch', fields => ({ locations: [POINT], fields })],
  ['/v1/runs', fields => ({ kind: 'fetch_batch', request: { locations: [POINT], fields } })],
  ['/v1/enrich', fields => ({ ...POINT, fields })],
];

describe('names that an endpoint does not have', () => {
  it.each(DOORS)('%s repeats all of them, and advises on the first ten', async (path, body) => {
    const names = wrong(300);
    const { status, json } = await client.post(path, body(names));
    expect({ status, error: json.detail.error }).toEqual({ status: 400, error: 'fields_unknown' });
    expect(json.detail.fields_unknown).toEqual(names);
    expect(json.detail.suggestions.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 10));
    for (const { nearest, known_by } of json.detail.suggestions) {
      expect(nearest.length).toBeGreaterThan(0);
      expect(nearest.length).toBeLessThanOrEqual(3);
      expect(nearest.some((name: string) => name.includes('zoning'))).toBe(true);
      expect(known_by).toEqual([]);
    }
    expect(json.detail.message).toContain(`"${names[0]}" (nearest: \``);
  });

  it.each([
    ['/v1/fetch', 'zoning', ['POST /v1/enrich', 'POST /v1/search'], 'parcel_zoning'],
    ['/v1/fetch', 'parcel_flood_sfha_fraction', ['POST /v1/enrich'], null],
    ['/v1/fetch', 'parcel_geometry_wkt', ['POST /v1/search'], null],
    ['/v1/enrich', [...EXCLUDED_FROM_ENRICH][0]!, ['POST /v1/fetch'], null],
  ])('%s says who knows %s', async (path, name, known_by, nearest) => {
    const { json } = await client.post(path, { ...POINT, fields: [name] });
    expect(json.detail.fields_unknown).toEqual([name]);
    expect(json.detail.suggestions).toMatchObject([{ name, known_by }]);
    if (nearest) expect(json.detail.suggestions[0].nearest[0]).toBe(nearest);
    for (const endpoint of known_by) expect(json.detail.message).toContain(endpoint);
  });

  it.each(DOORS.slice(0, 4))('%s says which endpoints know the name that is likest', async (path, body) => {
    const { json } = await client.post(path, body(['acrage', 'elevatoin']));
    const [acreage, elevation] = json.detail.suggestions;
    const known_by = ['POST /v1/enrich', 'POST /v1/search'];
    expect(acreage).toMatchObject({ known_by: [], elsewhere: { name: 'acreage', known_by } });
    expect(json.detail.message).toContain('`acreage` is a name of POST /v1/enrich and POST /v1/search');
    expect([elevation.nearest[0], elevation.elsewhere]).toEqual(['elevation', undefined]);
  });

  it('a name that the prototype of objects has is a wrong name like others', async () => {
    const { json } = await client.post('/v1/fetch', { ...POINT, fields: ['__proto__', 'constructor'] });
    expect(json.detail.suggestions).toMatchObject([
      { name: '__proto__', nearest: expect.any(Array), known_by: [] },
      { name: 'constructor', nearest: expect.any(Array), known_by: [] },
    ]);
  });

  it.each([
    ['/v1/fetch', 'flood_risks', 'flood_risk', undefined],
    ['/v1/fetch', 'ownership_plus', undefined, undefined],
    ['/v1/fetch', 'zoning', undefined, ['POST /v1/enrich']],
    ['/v1/enrich', 'wildfire_underwrite', undefined, ['POST /v1/fetch']],
  ])('%s: the preset %s', async (path, preset, nearest, known_by) => {
    const { status, json } = await client.post(path, { ...POINT, preset });
    expect(status).toBe(422);
    const [issue] = json.detail;
    expect(issue).toMatchObject({ loc: ['body', 'preset'], type: 'literal_error', input: preset });
    if (nearest) expect(issue.ctx.suggestions).toContain(nearest);
    expect(issue.ctx.known_by).toEqual(known_by);
  });
});

describe('keys that a body does not have', () => {
  it.each([
    ['/v1/fetch', { lat: 44.8, lon: -68.77, fields: ['elevation'] }, ['body', 'lon'], 'lng'],
    ['/v1/fetch', { latitude: 44.8, longitude: -68.77 }, ['body', 'latitude'], 'lat'],
    [
      '/v1/fetch/batch',
      { locations: [{ lat: 1, lon: 2 }], fields: ['elevation'] },
      ['body', 'locations', 0, 'lon'],
      'lng',
    ],
    ['/v1/geocode', { adress: 'x' }, ['body', 'adress'], 'address'],
    ['/v1/lookup', { inputs: 'x' }, ['body', 'inputs'], 'input'],
  ])('%s %j', async (path, body, loc, nearest) => {
    const { status, json } = await client.post(path, body);
    expect(status).toBe(422);
    const issue = json.detail.find(({ loc: [...at] }: { loc: string[] }) => at.join() === loc.join());
    expect(issue).toMatchObject({ type: 'extra_forbidden', ctx: { suggestions: [nearest] } });
    expect(issue.msg).toContain(`\`${nearest}\``);
  });

  it('proximity and field requests say it too, in their own shape', async () => {
    const near = await client.post('/v1/proximity/nearest', {
      origin: { lat: 44.8, lon: 1 },
      candidates: '@rail',
      kk: 3,
    });
    expect(near.json.detail.errors).toContainEqual({
      loc: ['origin', 'lon'],
      msg: expect.stringContaining('`lng`'),
      type: 'extra_forbidden',
    });
    const filed = await client.post('/v1/field-requests', { descripton: 'x' });
    expect(filed.json.detail.errors.map(({ msg }: { msg: string }) => msg).join()).toContain('nearest: `');
  });

  it('are all told, where a body has many, and its wrong values beside them', async () => {
    const many = Object.fromEntries(wrong(300).map(name => [name, 1]));
    const { json } = await client.post('/v1/fetch', { ...many, lat: 'x' });
    expect(json.detail).toHaveLength(301);
    const hostile = Object.fromEntries(wrong(1_200).map(name => [name, 1]));
    expect((await client.post('/v1/fetch', hostile)).json.detail).toHaveLength(1_000);
  });
});

describe('names that a search does not have', () => {
  const issues = async (body: object) => (await client.post('/v1/search', body)).json.detail.issues;

  it('are never repeated unless they are of the catalog, and the nearest are told, with those that the release lacks', async () => {
    const secret = 'parcel_zonning_of_secretword';
    const { json } = await client.post('/v1/search', { filters: [STATE, { field: secret, op: 'eq', value: 1 }] });
    expect(JSON.stringify(json)).not.toContain('secretword');
    const [issue] = json.detail.issues;
    expect(issue).toMatchObject({ path: 'filters[1].field', description: 'The name is not in the search catalog.' });
    const named = [...issue.hint.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(outputNames(catalog).has(name)).toBe(true);
    // What is advised is accepted.
    expect((await client.post('/v1/search', { filters: [STATE], fields: named })).status).toBe(200);
  });

  it.each([
    ['acres', 'acreage'],
    ['sfha', 'within_floodplain_polygon'],
    ['flood_hazard_area', 'within_floodplain_polygon'],
    ['lotSize', 'acreage'],
  ])('%s is an everyday word for %s', async (word, name) => {
    const [issue] = await issues({ filters: [STATE, { field: word, op: 'gt', value: 5 }] });
    expect(issue.hint).toContain(`\`${name}\``);
  });

  it('say which of the nearest the release lacks, and which it has only not calculated yet', async () => {
    const { columns } = fixture.engine;
    fixture.engine.columns = new Set([...columns].filter(name => name !== 'nearest_substation_distance_m'));
    const body = { filters: [STATE, { field: 'substation_distance', op: 'lt', value: 5 }] };
    const [later] = await issues(body);
    fixture.engine.lacks = { nearest_substation_distance_m: 'no substations are installed' };
    const [never] = await issues(body);
    fixture.engine.lacks = {};
    fixture.engine.columns = columns;
    expect(later.hint).toContain('`nearest_substation_distance_m` (not calculated yet)');
    expect(never.hint).toContain('`nearest_substation_distance_m` (not in this release)');
  });

  it('of the body itself lead to the nearest, and are not repeated', async () => {
    const [limit, other] = await issues({ filters: [STATE], limt: 3, secretword: 1 });
    expect(limit.hint).toBe('Nearest: `limit`. It takes filters, fields, enrich, limit, cursor, release.');
    expect(JSON.stringify([limit, other])).not.toMatch(/limt|secretword/);
  });

  it('of another endpoint say which', async () => {
    const [name] = [...EXCLUDED_FROM_ENRICH];
    const [only, enriched] = await issues({ filters: [STATE], fields: [name, 'parcel_flood_sfha_fraction'] });
    expect(only.description).toBe(`\`${name}\` is a name of POST /v1/fetch alone.`);
    expect(enriched.hint).toContain('POST /v1/enrich');
  });

  it('are all told at once', async () => {
    expect(await issues({ filters: [STATE], fields: wrong(300) })).toHaveLength(300);
    const mixed = await issues({ filters: [STATE, ...Array(80).fill({})], fields: wrong(300) });
    expect(mixed).toHaveLength(350);
    expect(await issues({ filters: [STATE], fields: wrong(1_200) })).toHaveLength(1_000);
  });
});

it('sets that there are not are told together, with the nearest', async () => {
  const rule = (to: string) => ({ to, within_km: 5 });
  const { status, json } = await client.post('/v1/proximity/screen', {
    candidates: [POINT],
    rules: [rule('@airport'), rule('@rail'), rule('@substation'), rule('secret word')],
  });
  expect(status).toBe(422);
  expect(json.detail).toMatchObject({
    error: 'unknown_set',
    suggestions: [
      { name: '@airport', nearest: expect.arrayContaining(['@airports']) },
      { name: '@substation', nearest: ['@substations'] },
    ],
  });
  expect(JSON.stringify(json)).not.toContain('secret');
});
