import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { groundOf } from '../../../server/docs/page/example-bodies.ts';
import { doJob } from '../../../server/jobs/attempt.ts';
import type { JobKind } from '../../../server/jobs/job-kind.ts';
import { hasOwnTool, sampleOf } from '../../../server/operation/operation.ts';
import { OPERATIONS } from '../../../server/operations/registry.ts';
import { runJob } from '../../../server/runs/run-job.ts';
import { siteScreened } from '../../../server/state/sites.ts';
import { type Client, connect } from '../../contract/client.ts';
import { contextFor, type Fixture, ISSUER, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { GENERATIONS, type McpClient } from './mcp-clients.ts';
import { SETS } from './set-bodies.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
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
beforeAll(async () => {
  fixture = await openFixture({ catalog });
  http = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.engine.reset());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${http.base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${fixture.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const bodyOf = async (reply: Response) =>
  (await reply.json()) as { readonly error: { readonly code: number }; readonly detail: { readonly error: string } };

/** Bodies of every tool, with what HTTP has them at; refused ones too. */
const CASES: readonly (readonly [tool: string, path: string, body: unknown])[] = [
  ['fetch', '/v1/fetch', { ...PLACE, fields: ['elevation', 'county_name'] }],
  ['fetch', '/v1/fetch', { ...PLACE, fields: ['elevatoin'] }],
  ['fetch', '/v1/fetch', { ...PLACE, address: '1 Main St', fields: ['elevation'] }],
  ['fetch', '/v1/fetch', { lat: 'x', lng: -68, fields: ['elevation'], more: 1 }],
  ['fetch', '/v1/fetch', { lat: 0, lng: 0, preset: 'terrain' }],
  ['fetch_batch', '/v1/fetch/batch', { locations: [PLACE, { lat: 1, lng: 1 }], preset: 'boundaries' }],
  ['fetch_batch', '/v1/fetch/batch', { locations: [], preset: 'boundaries' }],
  ['runs', '/v1/runs', { kind: 'fetch_batch', request: { locations: [PLACE], fields: ['elevatoin'] } }],
  ['runs', '/v1/runs', { kind: 'nothing', request: { locations: [PLACE], fields: ['elevation'] } }],
  ['quote', '/v1/fetch/quote', { preset: 'terrain', locations: 3 }],
  ['search', '/v1/search', { filters: [{ field: 'state', op: 'eq', value: 'ME' }] }],
  ['search', '/v1/search', { filters: [{ field: 'acreage', op: 'over', value: 'much' }], limit: 1000 }],
  ['search', '/v1/search', { filters: [], nothing: 1 }],
  ['enrich', '/v1/enrich', { ...PLACE, preset: 'zoning' }],
  ['enrich', '/v1/enrich', { ...PLACE, fields: [] }],
  ['lookup', '/v1/lookup', { input: '44.8,-68.77' }],
  ['lookup', '/v1/lookup', { input: ' ' }],
  ['geocode', '/v1/geocode', { address: 'PO Box 7, Bangor, ME' }],
  ['geocode', '/v1/geocode', { address: '73 Harlow St, Bangor, ME' }],
  ['proximity', '/v1/proximity', { operation: 'nearest', origin: PLACE, candidates: '@nothing' }],
  ['proximity', '/v1/proximity', { operation: 'drive' }],
  ['ask', '/v1/ask', { ...PLACE, question: 'How high is it?' }],
  ['ask', '/v1/ask', { question: 'How high is it?' }],
  ['ask_site', '/v1/ask-site', { site_id: 'site_0', question: 'How much is wetland?' }],
  ['sites', '/v1/sites', { site: AREA }],
  ['sites', '/v1/sites', { site: { type: 'Point', coordinates: [0, 0] } }],
  ['field_requests', '/v1/field-requests', { description: 'noise of trains', example_locations: [{ lat: 1, lng: 1 }] }],
  ['field_requests', '/v1/field-requests', { description: '' }],
  ...OPERATIONS.filter(hasOwnTool).map(
    each => [each.tool.name, each.route.slice('POST '.length), sampleOf(each, groundOf(null))] as const,
  ),
];

/** What is another one each time: ids of requests, and addresses that nobody can guess. */
const still = (text: string) =>
  text.replace(/"request_id":"(?!fr_)[^"]+"/g, '"request_id":"-"').replace(/matches\/[\w-]{24}/g, 'matches/-');

for (const [generation, open] of Object.entries(GENERATIONS))
  describe(`/mcp to ${generation}`, () => {
    let client: McpClient;
    beforeAll(async () => {
      client = await open(http.base, { authorization: `Bearer ${fixture.token}` });
    });
    afterAll(() => client.close());

    it('has the tools of the interface', async () => {
      const tools = await client.tools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([...new Set(CASES.map(([tool]) => tool)), 'catalog'].map(tool => `service_${tool}`)),
      );
      for (const { inputSchema } of tools)
        expect(inputSchema).toMatchObject({ type: 'object', required: ['req'], additionalProperties: false });
    });

    it.each(SETS)('sets answers %s as %s does', async (operation, path, body) => {
      const { status, json } = await http.post(path, body);
      const called = await client.call('service_sets', { operation, ...body });
      expect(called.isError ?? false).toBe(status >= 300);
      expect(still(JSON.stringify(called.structuredContent))).toBe(still(JSON.stringify(json)));
    });

    const used = async () => (await http.get('/v1/users/me/usage')).json.credits_used as number;

    it.each(CASES)('%s answers what %s answers, for as many credits', async (tool, path, body) => {
      const before = await used();
      const { status, json } = await http.post(path, body);
      const between = await used();
      const called = await client.call(`service_${tool}`, body);
      expect((await used()) - between).toBe(between - before);
      expect(called.isError ?? false).toBe(status >= 300);
      expect(still(JSON.stringify(called.structuredContent))).toBe(still(JSON.stringify(json)));
      const { text } = called.content[0]!;
      expect(text.length).toBeLessThan(6_200);
      if (called.isError && !Array.isArray(json.detail)) expect(text).toContain(`${json.detail.error}: `);
    });

    it('charges values as HTTP does', async () => {
      const before = await used();
      await client.call('service_fetch', { ...PLACE, fields: ['elevation', 'county_name'] });
      expect((await used()) - before).toBe(2);
    });

    it('says values with their sources in text, for who reads only that', async () => {
      const { content } = await client.call('service_fetch', { ...PLACE, fields: ['elevation'] });
      expect(content[0]!.text).toContain('elevation: 12.5 m [test_dem, 2021, high confidence]');
    });

    it('finds fields by words', async () => {
      const { structuredContent: found } = await client.call('service_catalog', {
        query: 'in which flood zone, and how far is a substation',
        surface: 'filter',
      });
      const names = found.fields.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['fema_flood_zone', 'nearest_substation_distance_m']));
      expect(found.fields[0].filter_operators).toContain('eq');
      expect((await client.call('service_catalog', { query: 'xyzzy' })).content[0]!.text).toMatch(/No field/);
      expect((await client.call('service_catalog', { query: ' ', limit: 99 })).isError).toBe(true);
    });

    it('finds what cannot be answered last, and says why', async () => {
      fixture.engine.lacks = { fema_flood_zone: 'no flood map is installed' };
      const { structuredContent: found, content } = await client.call('service_catalog', { query: 'flood zone' });
      fixture.engine.lacks = {};
      const lacking = found.fields.filter(({ available }: { available: boolean }) => !available);
      expect(lacking).toMatchObject([{ name: 'fema_flood_zone', why_not: 'no flood map is installed' }]);
      expect(found.fields.length).toBeGreaterThan(1);
      expect(found.fields.at(-1)).toEqual(lacking[0]);
      expect(content[0]!.text).toContain('Not here: no flood map is installed.');
    });

    it('refuses arguments that are not {req}', async () => {
      expect((await client.call('service_fetch', undefined)).structuredContent.detail[0].type).toBe('missing');
      await expect(client.call('service_nothing', {})).rejects.toThrow('There is no tool service_nothing');
    });

    it('reads and registers sites with one tool, and files, reads and withdraws requests with one', async () => {
      const { structuredContent: accepted } = await client.call('service_sites', { site: AREA });
      const { structuredContent: site } = await client.call('service_sites', { site_id: accepted.site_id });
      expect(site).toMatchObject({ site_id: accepted.site_id, status: 'building' });
      const filed = await client.call('service_field_requests', {
        description: 'noise of trains',
        example_locations: [PLACE],
      });
      const { request_id } = filed.structuredContent;
      expect((await client.call('service_field_requests', { request_id })).structuredContent).toEqual(
        (await http.get(`/v1/field-requests/${request_id}`)).json,
      );
      const withdrawn = await client.call('service_field_requests', { request_id, withdraw: true });
      expect(withdrawn.structuredContent).toMatchObject({ request_id, status: 'blocked' });
      const still = await client.call('service_field_requests', { request_id, withdraw: false });
      expect([still.isError, still.structuredContent.detail[0].loc]).toEqual([true, ['body', 'withdraw']]);
    });

    it('submits and reads runs with one tool', async () => {
      const request = { locations: [PLACE], fields: ['elevation'] };
      const { structuredContent: accepted } = await client.call('service_runs', { kind: 'fetch_batch', request });
      expect(accepted).toMatchObject({ status: 'queued', poll: `/v1/runs/${accepted.run_id}` });
      const { structuredContent: run } = await client.call('service_runs', { run_id: accepted.run_id });
      const { json } = await http.get(`/v1/runs/${accepted.run_id}`);
      expect(run).toMatchObject({ run_id: accepted.run_id, kind: 'fetch_batch', request: json.request });
      expect((await client.call('service_runs', { run_id: 'run_0' })).structuredContent.detail.error).toBe(
        'run_not_found',
      );
    });

    it('has the catalog and its fields as resources', async () => {
      expect(await client.resources()).toEqual(
        expect.arrayContaining(['service://catalog', 'service://fields/{name}']),
      );
      expect((await client.read('service://catalog')).split('\n').length).toBeGreaterThan(catalog.fields.size);
      const field = JSON.parse(await client.read('service://fields/fema_flood_zone'));
      const { json } = await http.get('/v1/meta/fields');
      expect(field).toEqual(json.fields.find(({ name }: { name: string }) => name === 'fema_flood_zone'));
      await expect(client.read('service://fields/nothing')).rejects.toThrow();
    });

    it('tells the progress of a batch', async () => {
      const told: object[] = [];
      const locations = Array.from({ length: 6 }, (_, i) => ({ lat: 44 + i / 100, lng: -68 }));
      await client.call(
        'service_fetch_batch',
        { locations, fields: ['elevation'] },
        { onprogress: progress => told.push(progress) },
      );
      // The SDK drops what it reads together with the result: the last ones are looked at below.
      expect(told[0]).toMatchObject({ progress: 1, total: 6, message: '1 of 6 locations' });
    });

    it('cancels the operation with the call, at no charge', async () => {
      const { promise: aborted, resolve } = Promise.withResolvers<void>();
      const cancel = new AbortController();
      fixture.engine.before = signal =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => {
            resolve();
            reject(signal!.reason);
          });
          cancel.abort();
        });
      const before = await used();
      await expect(
        client.call('service_fetch', { lat: 44.9, lng: -68.1, fields: ['elevation'] }, { signal: cancel.signal }),
      ).rejects.toThrow();
      await aborted;
      await vi.waitFor(async () => expect(await used()).toBe(before), 20_000);
    });
  });

it('needs a token, before anything else is judged', async () => {
  for (const method of ['POST', 'GET', 'DELETE']) {
    const reply = await fetch(`${http.base}/mcp`, { method });
    expect([reply.status, (await bodyOf(reply)).detail.error]).toEqual([401, 'auth_missing']);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  }
  const authorization = `Bearer ${fixture.token}`;
  const get = await fetch(`${http.base}/mcp`, { headers: { authorization } });
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  for (const method of ['PUT', 'OPTIONS', 'PATCH']) {
    const other = await fetch(`${http.base}/mcp`, { method });
    expect([other.status, other.headers.get('allow')], method).toEqual([405, 'POST']);
  }
});

it('answers what is no message of the protocol in its words', async () => {
  const parse = await post('{');
  expect([parse.status, (await bodyOf(parse)).error.code]).toEqual([400, -32700]);
  const list = await post([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]);
  expect([list.status, (await bodyOf(list)).error.code]).toEqual([400, -32600]);
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const [origin, status] of [
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost:6274', 200],
    [ISSUER, 200],
  ] as const)
    expect((await post(listing, { origin })).status, origin).toBe(status);
  expect((await post({ hello: 1 })).status).toBe(400);
  expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
});

/** Calls a tool for its progress; `first` is when something was told. */
async function telling(name: string, req: object, first: () => Promise<void> = async () => {}) {
  const params = { name, arguments: { req, view: 'full' }, _meta: { progressToken: 'p' } };
  const reply = await post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  let text = '';
  let told = false;
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (!told && text.includes('notifications/progress')) {
      told = true;
      await first();
    }
  }
  // biome-ignore lint/suspicious/noExplicitAny: messages of the protocol, looked into here
  return { messages: [...text.matchAll(/^data: (.+)$/gm)].map(([, line]) => JSON.parse(line!) as any) };
}

it('tells an answer while it is written, and that a site is being screened until it is', async () => {
  const asked = await telling('service_ask', { ...PLACE, question: 'How high is it?' });
  const pieces = asked.messages.slice(0, -1).map(({ params }) => params.message);
  const { structuredContent } = asked.messages.at(-1).result;
  expect(pieces.length).toBeGreaterThan(0);
  expect(structuredContent.answer).toContain(pieces.join('').trim());

  const [[first, ...rest]] = AREA.coordinates as [number[][]];
  const site = {
    ...AREA,
    coordinates: [[first!.map(x => x + 0.001), ...rest.slice(0, -1), first!.map(x => x + 0.001)]],
  };
  const { messages } = await telling('service_sites', { site }, async () => {
    const { state, clock } = fixture;
    for (let claim = await state.jobs.claim('screening'); claim; claim = await state.jobs.claim('screening')) {
      const { site_id } = claim.data as { site_id: string };
      await state.jobs.finish(claim, await siteScreened(site_id, '{}', 'r1', clock.now()));
    }
  });
  expect(messages[0].params).toMatchObject({ progress: 1, message: 'screening the site' });
  expect(messages.at(-1).result.structuredContent).toMatchObject({
    status: 'ready',
    message: expect.stringContaining('is ready'),
  });
});

it('tells the progress of a run until it is done, and says so', async () => {
  const jobs = { ...contextFor(fixture), callbacks: NO_CALLBACKS };
  const request = { locations: [PLACE, { lat: 44.9, lng: -68.1 }], fields: ['elevation'] };
  const { messages } = await telling('service_runs', { kind: 'fetch_batch', request }, async () => {
    const { state } = fixture;
    for (let claim = await state.jobs.claim('run'); claim; claim = await state.jobs.claim('run'))
      await doJob(jobs, runJob as unknown as JobKind, claim, new AbortController().signal);
  });
  const { structuredContent, content } = messages.at(-1).result;
  expect(structuredContent).toMatchObject({ status: 'done', run_id: expect.stringMatching(/^run_/) });
  expect(content[0].text).toBe(`${structuredContent.run_id} is done: 2 of 2 locations; read it with its run_id.`);
});

it('tells progress before the result, each location once', async () => {
  const locations = Array.from({ length: 6 }, (_, i) => ({ lat: 44 + i / 100, lng: -68 }));
  const { messages } = await telling('service_fetch_batch', { locations, fields: ['elevation'] });
  expect(messages.slice(0, -1).map(({ params }) => params.progress)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(messages.at(-1)).toMatchObject({ id: 7, result: { structuredContent: { results: { length: 6 } } } });
});
