// OWASP API8:2023, security misconfiguration: headers, other origins, methods, faults that tell nothing.
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../query/engine/settings.ts';
import { listen } from '../server/http/raw-request.ts';
import { Browser } from '../server/provider/browser.ts';
import { ISSUER, openFixture } from '../server/service-fixture.ts';
import { bearer, openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const NO_PAGE = "default-src 'none';base-uri 'none';frame-ancestors 'none'";

it('every kind of answer says what browsers may not do with it, and none says what made it', async () => {
  const { app } = world.fixture;
  const auth = bearer(world.ann.session);
  const json = { ...auth, 'content-type': 'application/json' };
  const answers: [number, InjectOptions][] = [
    [200, { url: '/healthz' }],
    [200, { url: '/v1/users/me/usage', headers: auth }],
    [200, { url: '/jwks' }],
    [200, { url: '/.well-known/openid-configuration' }],
    [304, { url: '/v1/meta/fields', headers: { 'if-none-match': '*' } }],
    [401, { method: 'POST', url: '/v1/fetch' }],
    [403, { url: '/v1/users/me/tokens', headers: bearer(world.ann.token) }],
    [404, { url: '/nowhere' }],
    [404, { url: '/%zz' }],
    [405, { method: 'DELETE', url: '/v1/fetch' }],
    [415, { method: 'POST', url: '/v1/fetch', headers: { ...auth, 'content-type': 'text/xml' }, payload: '<a/>' }],
    [422, { method: 'POST', url: '/v1/fetch', headers: json, payload: '{' }],
  ];
  for (const [status, request] of answers) {
    const reply = await app.inject(request);
    const where = `${request.method ?? 'GET'} ${request.url}`;
    expect(reply.statusCode, where).toBe(status);
    expect(reply.headers, where).toMatchObject(EVERYWHERE);
    expect(reply.headers['content-security-policy'], where).toContain("default-src 'none'");
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'strict-transport-security'])
      expect(reply.headers, where).not.toHaveProperty(name);
  }
  expect((await app.inject('/healthz')).headers['content-security-policy']).toBe(NO_PAGE);
  for (const url of ['/v1/docs', '/password']) {
    const page = await app.inject(url);
    expect(page.headers, url).toMatchObject({ ...EVERYWHERE, 'content-type': expect.stringContaining('text/html') });
    expect(page.headers['content-security-policy'], url).toMatch(/frame-ancestors '(?:none|self)'/);
    expect(page.headers['content-security-policy'], url).not.toMatch(/script-src[^;]*'unsafe|\*/);
  }
});

it('what is refused before it is a request says that its type is what it says', async () => {
  const { fixture, raw } = await listen();
  expect(await raw('NONSENSE\r\n\r\n')).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
  await fixture[Symbol.asyncDispose]();
});

it('where the outside comes by https browsers are told to keep to it, and cookies are theirs alone', async () => {
  await using fixture = await openFixture({ publicUrl: 'https://plat.example.org' });
  const { headers } = await fixture.app.inject('/healthz');
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  const cookies = [(await world.fixture.app.inject('/sign-in')).headers['set-cookie'] ?? []].flat();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/(?=.*httponly)(?=.*samesite=lax)/);
  const browser = new Browser(world.fixture.app, ISSUER);
  await browser.open('/sign-in');
  expect(browser.at!.text).toContain('name="password"');
});

it('a fault that nobody foresaw is 500 in plain text and tells nothing of itself', async () => {
  const secret = 'a table that callers need not know';
  world.fixture.engine.before = async () => {
    throw new Error(`cannot read ${secret}`);
  };
  const reply = await world.fixture.app.inject({
    method: 'POST',
    url: '/v1/search',
    headers: { ...bearer(world.ann.token), 'content-type': 'application/json' },
    payload: JSON.stringify({ filters: [{ field: 'state', op: 'eq', value: 'ME' }] }),
  });
  world.fixture.engine.reset();
  expect([reply.statusCode, reply.body]).toEqual([500, 'Internal Server Error']);
  expect(reply.headers).toMatchObject(EVERYWHERE);
});

const ORIGIN = 'https://app.example.org';
const preflight = (app: FastifyInstance, origin: string, url = '/v1/fetch', method = 'POST') =>
  app.inject({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
  });

it('pages of other origins are kept out by default', async () => {
  const { app } = world.fixture;
  for (const origin of [ORIGIN, 'null', ISSUER]) {
    const asked = await preflight(app, origin);
    expect(asked.statusCode).toBe(405);
    expect(Object.keys(asked.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
    const reply = await app.inject({ url: '/healthz', headers: { origin } });
    expect(Object.keys(reply.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
  }
});

it('the setting lets in the origins that it names, those alone, and never with cookies', async () => {
  await using fixture = await openFixture({ corsOrigins: [ORIGIN, 'http://localhost:3000'] });
  const { app } = fixture;
  const asked = await preflight(app, ORIGIN);
  expect([asked.statusCode, asked.body]).toEqual([204, '']);
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-headers': 'authorization',
    'access-control-allow-methods': expect.stringContaining('POST'),
    vary: expect.stringContaining('Origin'),
    'x-request-id': expect.any(String),
  });
  expect(asked.headers).not.toHaveProperty('access-control-allow-credentials');
  for (const url of ['/healthz', '/v1/users/me/usage', '/nowhere', '/jwks']) {
    const reply = await app.inject({ url, headers: { origin: ORIGIN } });
    expect(reply.headers, url).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': expect.stringContaining('X-Request-ID'),
    });
  }
  for (const origin of [
    'https://evil.example',
    'null',
    `${ORIGIN}.evil.example`,
    'https://APP.example.org',
    `${ORIGIN}:8443`,
  ]) {
    const foreign = await preflight(app, origin);
    expect([foreign.statusCode, foreign.headers['access-control-allow-origin']], origin).toEqual([405, undefined]);
    const reply = await app.inject({ url: '/healthz', headers: { origin } });
    expect(reply.headers['access-control-allow-origin'], origin).toBeUndefined();
  }
  // /mcp refuses pages that browsers would let through (DNS rebinding), and knows the setting too.
  const listing = (origin: string) =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { origin, authorization: `Bearer ${fixture.token}`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
  const called = await listing(ORIGIN);
  expect([called.statusCode, called.headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
  for (const origin of ['https://evil.example', 'null', `${ORIGIN}:8443`])
    expect((await listing(origin)).statusCode, origin).toBe(403);
  // What is no preflight is answered as without the setting.
  expect((await app.inject({ method: 'OPTIONS', url: '/nowhere' })).statusCode).toBe(404);
  expect((await app.inject({ method: 'OPTIONS', url: '/v1/fetch' })).headers.allow).toBe('POST');
  expect((await app.inject({ method: 'PUT', url: '/v1/fetch' })).statusCode).toBe(405);
});

it('* lets all in', async () => {
  await using fixture = await openFixture({ corsOrigins: ['*'] });
  const asked = await preflight(fixture.app, 'https://anybody.example');
  expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([204, '*']);
});

it('the setting takes origins and nothing else', () => {
  expect(readSettings({ PLAT_CORS_ORIGINS: `${ORIGIN}, http://localhost:3000` }).corsOrigins).toEqual([
    ORIGIN,
    'http://localhost:3000',
  ]);
  expect(readSettings({}).corsOrigins).toEqual([]);
  for (const text of ['app.example.org', `${ORIGIN}/`, `${ORIGIN}/path`, 'https://*.example.org/', 'null', 'file://'])
    expect(() => readSettings({ PLAT_CORS_ORIGINS: text }), text).toThrow(/PLAT_CORS_ORIGINS/);
});
