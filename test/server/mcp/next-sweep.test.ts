// Every call that a refusal names can be made: the list of tools takes it, and it is not refused for what was wrong before.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { InstalledSource } from '../../../query/release/installed.ts';
import { ServiceError } from '../../../server/errors/registry.ts';
import { formOf } from '../../../server/mcp/calling.ts';
import { nextCall } from '../../../server/mcp/next-call.ts';
import { TOOLS } from '../../../server/mcp/registry.ts';
import { cutToFit } from '../../../server/mcp/view/cut.ts';
import { partsOf } from '../../../server/mcp/view/slim.ts';
import { connect } from '../../contract/client.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { type Called, GENERATIONS, type McpClient } from './mcp-clients.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
const MAINE = { field: 'state', op: 'eq', value: 'ME' };
const ACRES = { field: 'acreage', op: 'gt', value: 10 };
const NEAR = { near: PLACE, radius_m: 500 };
const NEAREST = { operation: 'nearest', origin: PLACE };
const sets = (operation: string, more: object) => ({ operation, ...more });

/** What models send, and the tool that a refusal leads to; null where nothing but another question helps. */
const CASES: readonly (readonly [what: string, tool: string, req: object, next: string | null])[] = [
  ['a state and an area beside filters', 'search', { state: 'ME', ...NEAR }, 'sets'],
  ['an area without a state', 'search', NEAR, 'sets'],
  ['an area in bare keys', 'search', { filters: [MAINE], ...PLACE, radius: 500 }, 'sets'],
  ['a state beside filters', 'search', { state: 'ME', limit: 3 }, 'search'],
  ['no state', 'search', { filters: [ACRES] }, 'search'],
  ['no state of an order', 'search', { filters: [ACRES], sort: '-acreage' }, 'sets'],
  ['an operator of another language', 'search', { filters: [MAINE, { ...ACRES, op: '>' }] }, 'search'],
  ['both wrong', 'search', { filters: [MAINE, { ...ACRES, op: '>=', value: '10' }] }, 'search'],
  ['a number in quotes', 'search', { filters: [MAINE, { ...ACRES, value: '10' }] }, 'search'],
  ['a number in quotes and no state', 'sets', sets('count', { filters: [{ ...ACRES, value: '10' }] }), 'sets'],
  ['an operator that means nothing', 'search', { filters: [MAINE, { ...ACRES, op: 'resembles' }] }, null],
  ['an operation that there is not', 'sets', sets('counts', { filters: [MAINE] }), 'sets'],
  ['an export without a state', 'sets', sets('export', { search: { filters: [ACRES] }, format: 'csv' }), 'sets'],
  ['an export that there is not', 'sets', sets('export', { export_id: 'exp_x' }), 'sets'],
  ['a layer by its title', 'sets', sets('buildable', { ...PLACE, exclusions: [{ layer: 'wetlands' }] }), 'sets'],
  ['a preset that is nearly one', 'fetch', { ...PLACE, preset: 'flood' }, 'fetch'],
  ['a preset that is none', 'enrich', { ...PLACE, preset: 'flood' }, 'catalog'],
  ['a preset of a quote', 'quote', { preset: 'flood' }, 'quote'],
  ['a box beside a street', 'geocode', { address: 'PO Box 12, 73 HARLOW ST, BANGOR, ME' }, 'geocode'],
  ['a box alone', 'geocode', { address: 'PO Box 12, Bangor, ME' }, 'coverage'],
  ['a coordinate as an address', 'geocode', { address: '44.8, -68.77' }, 'lookup'],
  ['a coordinate as the address of a fetch', 'fetch', { address: '44.8,-68.77', fields: ['elevation'] }, 'fetch'],
  ['a number in quotes beside words', 'catalog', { query: 'flood zone', limit: '5' }, 'catalog'],
  ['coordinates in quotes', 'fetch', { lat: '44.8', lng: '-68.77', fields: ['elevation'] }, 'fetch'],
  ['a county that there is not', 'coverage', { county: '99999' }, null],
  ['a drive to a set that is not here', 'proximity', { ...NEAREST, candidates: '@airports' }, 'coverage'],
];

let fixture: Fixture;
let client: McpClient;
const accepts = new Map<string, (given: unknown) => boolean>();
beforeAll(async () => {
  fixture = await openFixture({ catalog, plan: 'scale' });
  const { base } = await connect(fixture);
  client = await GENERATIONS['the SDK of 2026']!(base, { authorization: `Bearer ${fixture.token}` });
  const ajv = new Ajv2020({ strict: false });
  for (const { name, inputSchema } of await client.tools()) accepts.set(name, ajv.compile(inputSchema));
});
afterAll(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});
const parcels = {
  ...{ dataset: 'parcel_store', layer: 'main', place: 'x', state: 'ME', county: '23019', source: 's', vintage: '2020' },
  ...{ rows: 12, ground: 2, unpublished: ['owner'] },
} as unknown as InstalledSource;
beforeEach(() => {
  fixture.engine.reset();
  fixture.engine.sources = [parcels];
  fixture.engine.columns = new Set([...fixture.engine.columns, 'state', 'acreage']);
  fixture.tier.reset();
  fixture.tier.knows('73 HARLOW ST, BANGOR, ME');
});

const slim = (name: string, req: unknown): Promise<Called> => client.call(name, req, { beside: {} });
const reasonOf = ({ structuredContent: { detail } }: Called) =>
  JSON.stringify(Array.isArray(detail) ? detail : [detail?.error, detail?.message, detail?.issues]);

it.each(CASES)('%s', async (_, tool, req, next) => {
  const refused = await slim(`service_${tool}`, req);
  expect(refused.isError, reasonOf(refused)).toBe(true);
  const { detail, next: beside } = refused.structuredContent;
  const call = detail.next ?? beside;
  expect(call?.tool ?? null).toBe(next === null ? null : `service_${next}`);
  if (next === null) return;
  expect(accepts.get(call.tool)!(call.arguments), JSON.stringify(call)).toBe(true);
  const answered = await slim(call.tool, call.arguments.req);
  // The engine of these tests has no outlines.
  const isAnswered = !answered.isError || answered.structuredContent.detail.error === 'parcel_not_found';
  expect(isAnswered, `${JSON.stringify(call)}: ${reasonOf(answered)}`).toBe(true);
});

it('a refusal that is too long leaves out the end of its lists, and no part of a name or of the next call', async () => {
  const fields = Array.from({ length: 45 }, (_, i) => `unknown_name_of_a_field_${i}`);
  const called = await client.call('service_fetch', { ...PLACE, fields }, { beside: { max_tokens: 1_000 } });
  const { structuredContent, content } = called;
  const text = content[0]!.text;
  expect(countTokens(JSON.stringify(structuredContent)) + countTokens(text)).toBeLessThanOrEqual(1_000);
  const { error, next, fields_unknown: unknown = [] } = structuredContent.detail;
  expect([error, accepts.get(next.tool)!(next.arguments)]).toEqual(['fields_unknown', true]);
  expect(unknown).toEqual(fields.slice(0, unknown.length));
  expect(text).toContain(JSON.stringify(next));
});

it('what a token cannot pay for is not tried again as it stands', () => {
  const given = { req: { ...PLACE, fields: ['elevation'] } };
  const parameters = { required: 45, remaining: 5, limit: 5, resets: '2026-12-02T00:00:00.000Z' };
  const error = new ServiceError('token_budget_exhausted', parameters, {}, null);
  expect(error.retryable).toBe(false);
  const next = nextCall('service_fetch', given, error, { states: [], lackingSets: [] });
  expect(next).toEqual({ tool: 'service_quote', arguments: { req: { fields: ['elevation'] } } });
});

it('owners that no file of parcels has are said to be lacking, in the list of tools and beside an empty answer', async () => {
  const { structuredContent } = await slim('service_sets', sets('owners', { state: 'ME', name: 'Smith' }));
  expect(structuredContent).toMatchObject({
    warnings: [expect.stringContaining('No owners in this release')],
    next: { tool: 'service_coverage' },
  });
  const { description } = (await client.tools()).find(({ name }) => name === 'service_sets')!;
  expect(description).toContain('No owners in this release');
  // A layer of airports that does not tell which are public has no such set.
  const airports = { ...parcels, dataset: 'bts_ntad', layer: 'aviation_facilities', unpublished: ['SITE_TYPE_CODE'] };
  fixture.engine.sources = [parcels, airports];
  const proximity = (await client.tools()).find(({ name }) => name === 'service_proximity')!;
  expect(proximity.description).toMatch(/Not in this release: .*@airports/);
});

it('coverage counts parcels as a count does, and says how many of them are roads and water', async () => {
  const { structuredContent } = await slim('service_coverage', { county: '23019' });
  expect(structuredContent).toMatchObject({ parcels: 12, parcels_of_roads_and_water: 2 });
});

it('a geometry that a search is asked for is in its slim answer', async () => {
  const geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  };
  const search = TOOLS.find(({ name }) => name === 'search')!;
  const shows = (fields: readonly string[]) => formOf(search, {}).shapes!({ filters: [MAINE], fields });
  expect([shows(['geometry']), shows(['parcel_geometry_wkt']), shows(['acreage'])]).toEqual([true, true, false]);
  const answer = { matches: [{ apn: '1', fields: { geometry } }] };
  expect(cutToFit(partsOf(answer, true), 8_000).structured).toEqual(answer);
});
