// What helps an agent on: the call after a refusal, lists of what an account has, several places at once, and words that name tools alone.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { copyLacking } from '../../../datasets/lack-words.ts';
import { type Client, connect } from '../../contract/client.ts';
import { ROOFTOP } from '../fake-tier.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { type Called, GENERATIONS, type McpClient } from './mcp-clients.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
const NEAREST = { operation: 'nearest', origin: PLACE, by: 'straight_line' };
const MAINE = { field: 'state', op: 'eq', value: 'ME' };

const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [-68.78, 44.79],
      [-68.77, 44.79],
      [-68.77, 44.8],
      [-68.78, 44.79],
    ],
  ],
};

let fixture: Fixture;
let http: Client;
let client: McpClient;
beforeAll(async () => {
  fixture = await openFixture({ catalog, plan: 'scale' });
  http = await connect(fixture);
  client = await GENERATIONS['the SDK of 2026']!(http.base, { authorization: `Bearer ${fixture.token}` });
});
afterAll(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => fixture.engine.reset());

const slim = (name: string, req: unknown, beside: object = {}): Promise<Called> =>
  client.call(`service_${name}`, req, { beside });
const nextOf = ({ structuredContent: { detail, next } }: Called) => detail?.next ?? next;

describe('a refusal has the call that helps, and it does', () => {
  it.each<[what: string, tool: string, req: object, next: string]>([
    ['latitude and longitude the other way round', 'fetch', { lat: -68.77, lng: 44.8, fields: ['elevation'] }, 'fetch'],
    ['names of enrichment alone', 'fetch', { ...PLACE, fields: ['zoning', 'elevation'] }, 'enrich'],
    ['a name that nobody knows', 'fetch', { ...PLACE, fields: ['elevatoin'] }, 'catalog'],
    ['a wrong name of a filter', 'search', { filters: [MAINE, { field: 'acres', op: 'gt', value: 1 }] }, 'catalog'],
    ['a radius', 'search', { filters: [MAINE], near: PLACE, radius_km: 2 }, 'sets'],
    ['an order', 'search', { filters: [MAINE], sort: '-acreage' }, 'sets'],
    ['an area of sets', 'search', { filters: [MAINE, { near: { ...PLACE, within_m: 9 } }] }, 'sets'],
    ['a set of places that there is not', 'proximity', { ...NEAREST, candidates: '@hospitals' }, 'catalog'],
    ['too many matches', 'search', { filters: [MAINE], limit: 1_000 }, 'search'],
    ['keys of another service', 'fetch', { latitude: 44.8, longitude: -68.77, field: 'elevation' }, 'fetch'],
    ['a place in an object', 'fetch', { location: PLACE, fields: ['elevation'] }, 'fetch'],
    ['a polygon under another key', 'sites', { polygon: AREA }, 'sites'],
    ['too many places', 'enrich', { locations: Array.from({ length: 11 }, () => PLACE), preset: 'zoning' }, 'enrich'],
    ['the filters of an export', 'sets', { operation: 'export', filters: [MAINE], format: 'csv' }, 'sets'],
    ['a run without its kind', 'runs', { request: { locations: [PLACE], fields: ['elevation'] } }, 'runs'],
    ['a quote for more than it takes', 'quote', { fields: ['elevation'], locations: 100 }, 'quote'],
    ['a run that there is not', 'runs', { run_id: 'run_x' }, 'runs'],
    ['a site that there is not', 'sites', { site_id: 'site_0' }, 'sites'],
    ['an export that there is not', 'sets', { operation: 'export', export_id: 'exp_x' }, 'sets'],
    ['a field request that there is not', 'field_requests', { request_id: 'fr_x' }, 'field_requests'],
  ])('%s', async (_, tool, req, next) => {
    fixture.engine.columns = new Set([...fixture.engine.columns, 'state']);
    const refused = await slim(tool, req);
    expect(refused.isError).toBe(true);
    const call = nextOf(refused);
    expect(call.tool).toBe(`service_${next}`);
    expect(refused.content[0]!.text).toContain(`next: ${JSON.stringify(call)}`);
    const answered = await client.call(call.tool, call.arguments.req, { beside: {} });
    expect(answered.isError ?? false, answered.content[0]!.text).toBe(false);
  });

  it('a body that did not stand in req', async () => {
    const raw = await fetch(`${http.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'service_catalog', arguments: { query: 'flood zone', max_tokens: 2_000 } },
      }),
    });
    const text = await raw.text();
    const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { result: Called };
    expect(nextOf(result)).toEqual({
      tool: 'service_catalog',
      arguments: { req: { query: 'flood zone' }, max_tokens: 2_000 },
    });
  });

  it('none where nothing is known to help, and none in the full view, which is what HTTP answers', async () => {
    expect(nextOf(await slim('rest', { answer_id: 'x' }))).toBeUndefined();
    const full = await client.call('service_fetch', { ...PLACE, fields: ['elevatoin'] });
    expect(nextOf(full)).toBeUndefined();
  });
});

it('an operation of sets that there is not is refused with those that there are', async () => {
  const { isError, structuredContent } = await slim('sets', { operation: 'counts', filters: [MAINE] });
  const [issue] = structuredContent.detail.issues;
  expect([isError, issue.path, issue.hint]).toEqual([
    true,
    'operation',
    expect.stringMatching(/^Nearest: count.*rank/),
  ]);
});

it('nothing that agents read names a path or a setting', async () => {
  const routes = /\b(?:GET|POST|DELETE) \/v1\/|PLAT_[A-Z]/;
  expect(routes.exec(JSON.stringify(await client.tools()))).toBeNull();
  const answers = await Promise.all([
    slim('fetch', { ...PLACE, fields: ['zoning'] }),
    slim('fetch', { ...PLACE }),
    slim('search', { filters: [MAINE, { field: 'nothing', op: 'eq', value: 1 }] }),
    slim('search', { filters: [MAINE], near: PLACE }),
    slim('lookup', { input: '001-002', kind: 'apn' }),
    slim('runs', { run_id: 'x' }),
    slim('quote', { preset: 'terrain' }),
  ]);
  for (const { structuredContent, content } of answers)
    expect(routes.exec(JSON.stringify(structuredContent) + content[0]!.text)).toBeNull();
});

it('runs, sites, field requests and exports are listed', async () => {
  const request = { locations: [PLACE], fields: ['elevation'] };
  const { structuredContent: run } = await slim('runs', { kind: 'fetch_batch', request });
  const { structuredContent: runs } = await slim('runs', { list: true });
  expect(runs.runs.map(({ run_id }: { run_id: string }) => run_id)).toContain(run.run_id);
  const filed = await slim('field_requests', { description: 'noise of trains', example_locations: [PLACE] });
  const { structuredContent: requests } = await slim('field_requests', { list: true });
  expect(requests.field_requests[0].request_id).toBe(filed.structuredContent.request_id);
  const { site_id } = (await slim('sites', { site: AREA })).structuredContent;
  expect((await slim('sites', { list: true })).structuredContent).toMatchObject({ sites: [{ site_id }] });
  const { structuredContent: exported } = await slim('sets', { operation: 'exports' });
  expect(exported).toEqual({ exports: expect.any(Array), next_cursor: null });
  expect((await slim('runs', { list: true, cursor: 'x' })).structuredContent.detail.error).toBe('list_cursor_invalid');
});

it('up to ten places are enriched at once, each as it is alone, and one that fails is an entry', async () => {
  const locations = [PLACE, { lat: 1, lng: 1 }, { lat: 44.9, lng: -68.1 }];
  const { structuredContent: many } = await client.call('service_enrich', { locations, preset: 'zoning' });
  const { structuredContent: alone } = await client.call('service_enrich', { ...PLACE, preset: 'zoning' });
  expect(many.results[0]).toEqual({ index: 0, ok: true, ...alone });
  expect(many.results[1]).toMatchObject({ index: 1, ok: false, error: { error: 'coord_out_of_bounds' } });
  expect(many.results[2]).toMatchObject({ index: 2, ok: true, lat: 44.9 });
  const eleven = await slim('enrich', { locations: Array.from({ length: 11 }, () => PLACE), preset: 'zoning' });
  expect([eleven.isError, eleven.structuredContent.detail[0].type]).toEqual([true, 'too_long']);
});

it('the catalog looks for several topics, and says tool, price and whether the release has it', async () => {
  fixture.engine.lacks = { nearest_substation_distance_m: 'no substations are installed' };
  const query = 'flood zone; distance to the nearest substation';
  const told = async (surface?: string) => {
    const { structuredContent: found } = await slim('catalog', { query, limit: 6, ...(surface ? { surface } : {}) });
    return Object.fromEntries(found.fields.map((field: { name: string }) => [field.name, field]));
  };
  fixture.engine.columns = new Set(['state']);
  const unbuilt = (await told('filter')).fema_flood_zone;
  const anywhere = (await told()).fema_flood_zone;
  fixture.engine.columns = new Set(['state', 'fema_flood_zone']);
  const byName = await told('filter');
  fixture.engine.lacks = {};
  // A filter of what no column is there for would be refused.
  expect(unbuilt).toMatchObject({ available: false, why_not: expect.stringContaining('not calculated') });
  expect(anywhere).toMatchObject({ tool: 'service_fetch', available: true, filter_operators: [] });
  expect(anywhere.surfaces).not.toContain('filter');
  expect(byName.fema_flood_zone).toMatchObject({ tool: 'service_search', fetch_credits: 1, available: true });
  expect(byName.nearest_substation_distance_m).toMatchObject({
    available: false,
    why_not: 'no substations are installed',
  });
});

it('coverage tells once that a copy lacks columns, with all names', async () => {
  fixture.engine.lacks = Object.fromEntries(
    ['elevation', 'slope_degrees'].map(name => [name, copyLacking('x', name, null)]),
  );
  const { structuredContent } = await slim('coverage', {});
  fixture.engine.lacks = {};
  expect(structuredContent.lacking).toEqual([
    { reason: 'this copy (x) lacks their columns', fields: 'elevation slope_degrees' },
  ]);
});

it('a parcel number leads to the search for it, and the number of an unknown house to the parcels that have it', async () => {
  const source = { dataset: 'parcel_store', layer: 'main', place: 'x', state: 'ME', county: null, rows: 1, ground: 0 };
  const { installed } = fixture.engine;
  fixture.engine.installed = () => [source as unknown as ReturnType<typeof installed>[number]];
  const nexts = await Promise.all(
    ['001-002', 'R57-003', '1 Nowhere St', 'Nowhere St'].map(
      async input => (await slim('lookup', { input })).structuredContent.next,
    ),
  );
  fixture.engine.installed = installed;
  const searchFor = (apn: string) => ({
    tool: 'service_search',
    arguments: {
      req: {
        filters: [
          { field: 'state', op: 'in', value: ['ME'] },
          { field: 'apn', op: 'eq', value: apn },
        ],
      },
    },
  });
  const numbered = [
    { field: 'state', op: 'in', value: ['ME'] },
    { field: 'address', op: 'starts_with', value: '1 ' },
  ];
  const sameNumber = { tool: 'service_sets', arguments: { req: { operation: 'count', filters: numbered } } };
  expect(nexts).toEqual([searchFor('001-002'), searchFor('R57-003'), sameNumber, undefined]);
});

it('what is calculated beside the server has no other call that helps', async () => {
  const progress = { fields: ['fema_flood_zone'], done: 0, total: 9, perSecond: 0 };
  fixture.engine.progress = progress as unknown as NonNullable<typeof fixture.engine.progress>;
  fixture.engine.columns = new Set(['state']);
  const filters = [MAINE, { field: 'fema_flood_zone', op: 'eq', value: 'X' }];
  const refused = await slim('search', { filters });
  fixture.engine.progress = null;
  expect(refused.structuredContent.detail.issues[0].description).toContain('is being calculated');
  expect(nextOf(refused)).toBeUndefined();
});

it('the catalog says which of several topics nothing tells of', async () => {
  const { structuredContent: some } = await slim('catalog', { query: 'crime rate; flood zone', surface: 'fetch' });
  expect([some.no_field_for, some.fields[0].name]).toEqual([['crime rate'], 'fema_flood_zone']);
  const { structuredContent: all } = await slim('catalog', { query: 'flood zone; slope' });
  expect(all).not.toHaveProperty('no_field_for');
});

it('places that fit an address alike are told apart by county, parcel and how far they are from one another', async () => {
  const match = (lat: number) => ({
    ...ROOFTOP,
    lat,
    lng: -68.77,
    normalizedAddress: '12 BAY ST, ME',
    source: `s${lat}`,
  });
  fixture.tier.answers.set('12 Bay St, ME', { matches: [match(44), match(46)] });
  fixture.engine.answers.set('county_name', { value: 'Penobscot County' });
  const { structuredContent } = await slim('lookup', { input: '12 Bay St, ME' });
  expect(structuredContent.candidates).toHaveLength(2);
  // Two degrees of the meridian from 44° to 46° are 222,264 m long (WGS84, by geographiclib).
  expect(structuredContent.apart).toEqual([
    { county: 'Penobscot County', parcel: null, meters_from_first: 0 },
    { county: 'Penobscot County', parcel: null, meters_from_first: expect.closeTo(222_264, -2) },
  ]);
  // What is charged is answered, also while a worker cannot say more.
  fixture.engine.matchParcel = async () => {
    throw new Error('busy');
  };
  const without = await slim('lookup', { input: '12 Bay St, ME' });
  expect([without.isError ?? false, without.structuredContent.apart]).toEqual([false, undefined]);
});

describe('an address that is not known', () => {
  const street = {
    street: 'HARLOW ST, BANGOR, ME',
    numbers: ['69', '73', '81'],
    city: 'BANGOR',
    cities: [],
    others: 0,
  };
  const none = { ...street, street: null, numbers: [] };
  beforeEach(() => {
    fixture.tier.reset();
    fixture.tier.answers.set('74 Harlow St, Bangor, ME', { surroundings: street });
    fixture.tier.answers.set('1 Far St, Elsewhere, OH', { surroundings: { ...none, city: null, cities: ['BANGOR'] } });
    fixture.tier.answers.set('1 Odd St, Bangor, ME', { surroundings: none });
    fixture.tier.knows('73 HARLOW ST, BANGOR, ME');
  });

  it('has the nearest known numbers of its street, and the place of the first as the next call, never its values', async () => {
    const nearest_addresses = ['73', '69', '81'].map(number => `${number} HARLOW ST, BANGOR, ME`);
    const next = { tool: 'service_geocode', arguments: { req: { address: nearest_addresses[0] } } };
    const address = '74 Harlow St, Bangor, ME';
    for (const [tool, req] of [
      ['geocode', { address }],
      ['fetch', { address, fields: ['elevation'] }],
      ['enrich', { address, fields: ['elevation'] }],
      ['coverage', { address }],
      ['sets', { operation: 'areas', address, within_m: 100 }],
    ] as const) {
      const refused = await slim(tool, req);
      expect([refused.isError, refused.structuredContent.detail.nearest_addresses, nextOf(refused)], tool).toEqual([
        true,
        nearest_addresses,
        next,
      ]);
    }
    const origin = { operation: 'nearest', origin: { address }, candidates: '@airports', by: 'straight_line' };
    const undriven = await slim('proximity', origin);
    expect([undriven.structuredContent.detail.nearest_addresses, nextOf(undriven)]).toEqual([nearest_addresses, next]);
    const looked = await slim('lookup', { input: address });
    expect(looked.structuredContent).toMatchObject({ disposition: 'no_match', nearest_addresses, next });
    expect(looked.content[0]!.text).toContain(nearest_addresses[0]);
    const answered = await slim('geocode', next.arguments.req);
    expect(answered.structuredContent.normalized_address).toContain('73 HARLOW ST');
    // The interface has no such keys for a lookup over HTTP.
    const full = await client.call('service_lookup', { input: address });
    expect(Object.keys(full.structuredContent)).toEqual(['disposition', 'reason', 'hint']);
  });

  it('has the cities that are covered, or nothing where only the street is wrong', async () => {
    const far = await slim('geocode', { address: '1 Far St, Elsewhere, OH' });
    expect(far.structuredContent.detail.cities).toEqual(['BANGOR']);
    expect(nextOf(far)).toEqual({ tool: 'service_coverage', arguments: { req: {} } });
    const odd = await slim('geocode', { address: '1 Odd St, Bangor, ME' });
    expect(odd.structuredContent.detail).not.toHaveProperty('nearest_addresses');
    expect(nextOf(odd)).toBeUndefined();
  });

  it('that fits several places is looked up, also where it is that of a filter', async () => {
    const two = [44, 46].map(lat => ({ ...ROOFTOP, lat, normalizedAddress: '12 BAY ST, ME', source: `s${lat}` }));
    fixture.tier.answers.set('12 Bay St, ME', { matches: two });
    const near = { address: '12 Bay St, ME', within_m: 100 };
    const refused = await slim('sets', { operation: 'count', filters: [MAINE, { near }] });
    expect(nextOf(refused)).toEqual({ tool: 'service_lookup', arguments: { req: { input: '12 Bay St, ME' } } });
  });
});
