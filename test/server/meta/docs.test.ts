import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { findExamplePlace } from '../../../server/docs/page/example-place.ts';
import { rowsOf } from '../../../server/docs/page/schema-rows.ts';
import { ERRORS, type ErrorKind } from '../../../server/errors/registry.ts';
import { ROUTES } from '../../security/routes.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: string[];
  readonly security: object[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Record<string, unknown> }> };
  readonly responses: Record<
    string,
    {
      readonly description: string;
      readonly headers: Record<string, { readonly $ref: string }>;
      readonly content?: Record<string, { schema: object }>;
    }
  >;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly headers: Record<string, object>;
    readonly schemas: Record<string, object>;
    readonly securitySchemes: Record<string, object>;
  };
}

let fixture: Fixture;
let document: Document;
beforeAll(async () => {
  fixture = await openFixture();
  const reply = await fixture.app.inject('/v1/openapi.json');
  expect(reply.statusCode).toBe(200);
  document = reply.json() as Document;
});
afterAll(() => fixture[Symbol.asyncDispose]());

it('describes every route and nothing else in OpenAPI 3.1', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.title).toBe('Plat');
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
  );
  // test/security has a line for every operation, and names the routes that are none.
  expect(operations.sort()).toEqual(Object.keys(ROUTES).sort());
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      expect(
        fixture.app.hasRoute({ method: method.toUpperCase() as 'GET', url: path.replace(/\{(\w+)\}/g, ':$1') }),
      ).toBe(true);
      expect(operation.operationId).toMatch(/^\w+$/);
      expect(operation.summary).toBeTruthy();
      const { callers } = ROUTES[`${method.toUpperCase()} ${path}`]!;
      const session = { session: [] };
      expect(operation.security, path).toEqual(
        callers === 'anybody' ? [] : callers === 'sessions' ? [session] : [{ bearer: [] }, session],
      );
      const replayed = operation.operationId === 'fileFieldRequest';
      const good = Object.keys(operation.responses).filter(status => status.startsWith('2'));
      expect(good).toHaveLength(replayed ? 2 : 1);
    }
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
});

it('has references that resolve and schemas that compile', async () => {
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(document.components.schemas, name).toHaveProperty(name!);
  // Components are compiled once, and so is what several answers have: refusals above all.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ components: document.components }, 'document');
  const operations = Object.values(document.paths).flatMap(item => Object.values(item));
  const answers = operations.flatMap(({ responses }) => Object.values(responses));
  const contents = answers.flatMap(({ content = {} }) => Object.values(content));
  const schemas = new Set(contents.map(({ schema }) => JSON.stringify(schema)));
  expect(schemas.size).toBeGreaterThan(50);
  for (const schema of schemas)
    expect(() => ajv.compile(JSON.parse(schema.replaceAll('"#/components/', '"document#/components/')))).not.toThrow();
});

it('documents each error code of fetch under its status, with an example', async () => {
  const { responses, requestBody } = document.paths['/v1/fetch']!.post!;
  for (const code of [
    'auth_missing',
    'auth_malformed',
    'auth_invalid',
    'coord_out_of_bounds',
    'no_fields_requested',
    'fields_unknown',
    'fields_too_many',
    'invalid_locator',
    'credits_exhausted',
    'rate_limited',
    'fetch_busy',
    'release_not_kept',
    'address_form_unsupported',
    'address_not_found',
    'address_too_coarse',
    'geocode_busy',
    'geocode_upstream_error',
    'geocode_timeout',
    'geocode_forbidden',
    'geocode_budget_exhausted',
    'geocode_unconfigured',
    'body_too_large',
    'unsupported_media_type',
  ] as const) {
    const response = responses[ERRORS[code].status]!;
    expect(response.description, code).toContain(`\`${code}\``);
    expect(JSON.stringify(response.content), code).toContain(`"error":"${code}"`);
  }
  const { schema } = requestBody!.content['application/json']!;
  expect(Object.keys(schema.properties as object)).toEqual(['lat', 'lng', 'address', 'fields', 'preset', 'release']);
  expect(schema.additionalProperties).toBe(false);
  expect(JSON.stringify(requestBody)).toContain('44.8016');
});

it('documents on every operation what is raised before a route is found', async () => {
  const operations = Object.values(document.paths).flatMap(item => Object.values(item));
  for (const { operationId, responses, tags } of operations) {
    for (const code of ['malformed_request', 'request_timeout', 'headers_too_large'] as const) {
      const { description, content } = responses[ERRORS[code].status]!;
      expect(description.split(`\`${code}\``), `${operationId} ${code}`).toHaveLength(2);
      expect(JSON.stringify(content), `${operationId} ${code}`).toContain(`"error":"${code}"`);
    }
    for (const tag of tags) expect(document.tags.map(({ name }) => name)).toContain(tag);
  }
});

it('documents the headers of every response', async () => {
  await using fixture = await openFixture({ rateLimit: true, limits: { addressRequests: 64 } });
  const { paths, components } = (await fixture.app.inject('/v1/openapi.json')).json() as Document;
  for (const operation of Object.values(paths).flatMap(item => Object.values(item)))
    for (const [status, { description, headers }] of Object.entries(operation.responses)) {
      const where = `${operation.operationId} ${status}`;
      for (const [name, { $ref }] of Object.entries(headers)) {
        expect($ref, where).toBe(`#/components/headers/${name}`);
        expect(components.headers, where).toHaveProperty(name);
      }
      expect(headers, where).toHaveProperty('X-Request-ID');
      const retried = (Object.entries(ERRORS) as [string, ErrorKind][]).some(
        ([code, { retryAfter }]) => retryAfter !== undefined && description.includes(`\`${code}\`:`),
      );
      expect('Retry-After' in headers, where).toBe(retried);
      expect('WWW-Authenticate' in headers, where).toBe(status === '401');
    }
  const { parameters } = paths['/v1/meta/fields']!.get!;
  expect(parameters).toEqual([
    expect.objectContaining({ in: 'query', name: 'county_fips', required: false }),
    expect.objectContaining({ in: 'query', name: 'available', required: false }),
    expect.objectContaining({ in: 'header', name: expect.stringMatching(/^if-none-match$/i), required: false }),
  ]);

  // What is sent is what is documented.
  const ask = async (url: string, more: Record<string, string> = {}) => {
    const reply = await fixture.app.inject({ url, headers: more });
    const documented = Object.keys(paths[url]!.get!.responses[reply.statusCode]!.headers).map(name =>
      name.toLowerCase(),
    );
    const known = Object.keys(components.headers).map(name => name.toLowerCase());
    expect(
      Object.keys(reply.headers)
        .filter(name => known.includes(name))
        .sort(),
      url,
    ).toEqual(documented.sort());
  };
  for (const url of ['/healthz', '/readyz', '/v1/meta/fields', '/v1/meta/plans', '/v1/openapi.json']) await ask(url);
  await ask('/v1/meta/fields', { 'if-none-match': '*' });
  await ask('/v1/users/me/usage');
  await ask('/v1/users/me/usage', { authorization: `Bearer ${fixture.token}` });
  fixture.engine.current = { ...fixture.engine.current, release: null };
  await ask('/readyz');
});

it('tells language models of every operation at /llms.txt', async () => {
  const reply = await fixture.app.inject('/llms.txt');
  expect(reply.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(reply.body).toMatch(/^# Plat\n\n> Cited answers about places/);
  const { paths } = document;
  for (const [path, item] of Object.entries(paths))
    for (const [method, { summary, operationId }] of Object.entries(item)) {
      const page = `/v1/docs/${operationId}.md`;
      expect(reply.body.split(`- [${method.toUpperCase()} ${path}](${page}): ${summary}\n`)).toHaveLength(2);
    }
  expect(reply.body).not.toContain('undefined');
});

it('has a short page of each operation for language models, with its body, answer and codes', async () => {
  const { paths } = document;
  for (const [path, item] of Object.entries(paths))
    for (const [method, { summary, operationId, responses }] of Object.entries(item)) {
      const page = await fixture.app.inject(`/v1/docs/${operationId}.md`);
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(page.body).toContain(`# ${method.toUpperCase()} ${path}\n\n> ${summary}\n`);
      expect(page.body).not.toMatch(/undefined|\[object/);
      for (const status of Object.keys(responses).filter(each => Number(each) >= 400))
        expect(page.body).toContain(`- ${status}: `);
    }
  const { body } = await fixture.app.inject('/v1/docs/fetch.md');
  expect(body).toMatch(/^- `fields` \(.*\): Catalog names/m);
  expect(body).toMatch(/^- 400: .*`fields_unknown`/m);
  expect((await fixture.app.inject('/v1/docs/nothing.md')).statusCode).toBe(404);
  expect((await fixture.app.inject('/v1/docs/..%2F..%2Fpackage.json')).statusCode).toBe(404);
});

it('serves the reference as one page that loads nothing, with every operation and code in it', async () => {
  const { paths } = document;
  for (const url of ['/v1/docs', '/v1/docs/']) {
    const page = await fixture.app.inject(url);
    expect(page.statusCode, url).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    const policy = page.headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|unsafe/);
    // What stands in the page is what the policy lets in.
    for (const [, tag, text] of page.body.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g))
      expect(policy, tag).toContain(`'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
    expect(page.body).not.toMatch(
      /<(?:img|iframe|script [^>]*src|link [^>]*stylesheet)|(?:src|href)="(?:[a-z]+:)?\/\//i,
    );
    for (const item of Object.values(paths))
      for (const { operationId } of Object.values(item))
        expect(page.body).toContain(`<section class="call" id="${operationId}">`);
    for (const [, code] of page.body.matchAll(/href="#error-(\w+)"/g))
      expect(page.body).toContain(`<tr id="error-${code}">`);
    for (const code of Object.keys(ERRORS)) expect(page.body).toContain(`<tr id="error-${code}">`);
    expect(page.body).not.toMatch(/undefined|\[object/);
    expect(
      (await fixture.app.inject({ url, headers: { 'if-none-match': page.headers.etag as string } })).statusCode,
    ).toBe(304);
  }
});

it('the reference says what a field is, whatever its schema', () => {
  const schemas = {
    Point: { type: 'object', required: ['lat'], properties: { lat: { type: 'number', maximum: 90 } } },
  };
  const schema = {
    type: 'object',
    properties: {
      at: { $ref: '#/components/schemas/Point', description: 'Where.' },
      all: { type: 'array', minItems: 1, maxItems: 25, items: { $ref: '#/components/schemas/Point' } },
      text: { type: ['string', 'null'], maxLength: 256 },
      kind: {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', enum: ['b'] },
        ],
      },
    },
    patternProperties: { '^.*$': { type: 'boolean' } },
  };
  expect(rowsOf(schema, schemas).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['at', 'object', false],
    ['at.lat', 'number, at most 90', true],
    ['all', 'list of 1 to 25 object', false],
    ['all[].lat', 'number, at most 90', true],
    ['text', 'string, at most 256 characters or null', false],
    ['kind', '"a", "b"', false],
    ['NAME', 'boolean', false],
  ]);
});

it('an example asks for the fields of its parcel where a busy machine is late with all fields', async () => {
  const datasets = Object.fromEntries([...catalog.datasets.keys()].map(id => [id, {}]));
  const engine = {
    status: () => ({ datasets }),
    installed: () => [{ dataset: 'parcel_store', box: [-69, 44, -68, 45], rows: 1, state: 'ME' }],
    fetch: async (names: readonly string[]) =>
      Object.fromEntries(names.map(name => [name, { status: names.length > 100 ? 'failed' : 'ok' }])),
    matchParcel: async () => ({ status: 'no_match' }),
  };
  const place = await findExamplePlace(engine as never, catalog);
  expect(place).toMatchObject({ state: 'ME', fields: expect.arrayContaining(['parcel_apn']) });
});
