// What was meant where a body has keys of other services, and where what was begun goes on.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { connect } from '../../contract/client.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { type Called, GENERATIONS, type McpClient } from './mcp-clients.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
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
let client: McpClient;
beforeAll(async () => {
  fixture = await openFixture({ catalog, plan: 'scale' });
  const { base } = await connect(fixture);
  client = await GENERATIONS['the SDK of 2026']!(base, { authorization: `Bearer ${fixture.token}` });
});
afterAll(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});

const slim = (name: string, req: unknown): Promise<Called> => client.call(`service_${name}`, req, { beside: {} });
const nextOf = ({ structuredContent: { detail, next } }: Called) => detail?.next ?? next;

it.each<[what: string, asked: object, meant: object]>([
  [
    'an order as a text',
    { operation: 'rank', order_by: 'acreage desc' },
    { order_by: [{ field: 'acreage', direction: 'desc' }] },
  ],
  [
    'an order under another key',
    { operation: 'rank', sort: [{ field: 'acreage', order: 'desc' }] },
    { order_by: [{ field: 'acreage', direction: 'desc' }] },
  ],
  [
    'groups as texts',
    { operation: 'aggregate', group_by: 'city', measures: ['count'] },
    { group_by: ['city'], measures: [{ op: 'count' }] },
  ],
])('a question about a set in its own keys: %s', async (_, { operation, ...asked }: { operation?: string }, meant) => {
  const refused = await slim('sets', { operation, filters: [MAINE], ...asked });
  expect(nextOf(refused)).toEqual({
    tool: 'service_sets',
    arguments: { req: { operation, filters: [MAINE], ...meant } },
  });
});

it('miles about a place become metres', async () => {
  const refused = await slim('sets', { operation: 'areas', ...PLACE, within_miles: 1 });
  expect(nextOf(refused).arguments.req).toEqual({ operation: 'areas', ...PLACE, within_m: 1_609.344 });
});

it('a refusal of a body repeats nothing of it', async () => {
  const { structuredContent } = await slim('fetch_batch', {
    locations: [{ lat: 'north', lng: 1 }],
    fields: ['elevation'],
  });
  for (const issue of structuredContent.detail) expect(Object.keys(issue)).not.toContain('input');
});

it('what was begun has the call that reads it, and no path', async () => {
  const request = { locations: [PLACE], fields: ['elevation'] };
  const { structuredContent: run } = await slim('runs', { kind: 'fetch_batch', request });
  expect(run).toMatchObject({ next: { tool: 'service_runs', arguments: { req: { run_id: run.run_id } } } });
  const { structuredContent: site } = await slim('sites', { site: AREA });
  expect(site.next.arguments.req).toEqual({ site_id: site.site_id });
  expect(JSON.stringify([run, site])).not.toContain('/v1/');
});
