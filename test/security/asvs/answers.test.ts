// OWASP ASVS 5.0, V3.5, V4.1, V13.4 and V15.3: what answers say of themselves, and what requests cannot do.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, call, nextAddress, objectFor, openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

it('every answer with a body says its type and how its letters are written', async () => {
  const { app } = world.fixture;
  const seen = new Set<string>();
  const look = (name: string, headers: Record<string, unknown>, body: string) => {
    if (body === '') return;
    const type = String(headers['content-type']);
    seen.add(type);
    expect(type, name).toMatch(
      /^(?:(?:text\/[\w.+-]+|application\/(?:[\w.+-]*json|javascript|yaml)); ?charset=utf-8|image\/svg\+xml|application\/vnd\.mapbox-vector-tile|application\/json)$/,
    );
    if (/^(?:text|application\/(?:javascript|.*json))/.test(type))
      expect(type.toLowerCase(), name).toContain('charset=utf-8');
    if (type.includes('json')) expect(() => JSON.parse(body), name).not.toThrow();
  };
  for (const operation of world.operations.filter(({ entry }) => !entry.endless)) {
    const ids = operation.entry.object ? await objectFor(world, operation, world.ann) : {};
    const good = await call(world, operation, bearer(world.ann.session), { ids });
    look(operation.name, good.headers, good.text);
    const refused = await call(world, operation, {}, { ids });
    look(`${operation.name}, refused`, refused.headers, refused.text);
  }
  for (const url of [
    '/',
    '/v1/docs',
    '/llms.txt',
    '/sign-in',
    '/password',
    '/device',
    '/jwks',
    '/nowhere',
    '/v1/onboarding/privacy',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource',
    '/tiles.json',
    '/assets/none.js',
  ]) {
    const { headers, body } = await app.inject(url);
    look(url, headers, body);
  }
  expect(seen.size).toBeGreaterThan(2);
});

it('asking by GET or HEAD changes nothing: no token, no setting, no line of the audit trail', async () => {
  const { fixture, operations, ann } = world;
  const kept = async () => ({
    audit: (await fixture.state.audit.entries({ accountId: ann.account.id, limit: 1_000 })).length,
    tokens: await fixture.state.tokens(ann.account.id),
    account: await fixture.state.account(ann.account.email),
  });
  // The first request of a session ties it to its account.
  const usage = operations.find(({ name }) => name === 'GET /v1/users/me/usage')!;
  await call(world, usage, bearer(ann.session));
  const naming = operations.filter(({ method, entry }) => method === 'GET' && !entry.endless);
  const ids = new Map<string, Record<string, string>>();
  for (const operation of naming)
    if (operation.entry.object) ids.set(operation.name, await objectFor(world, operation, ann));
  const before = await kept();
  for (const operation of naming) {
    expect(operation.described.requestBody, operation.name).toBeUndefined();
    await call(world, operation, bearer(ann.session), { ids: ids.get(operation.name) ?? {} });
  }
  expect(await kept()).toEqual(before);
});

it('a page of another site can call nothing: no cookie opens an operation, and a form’s body is of no type that is read', async () => {
  const { fixture, operations, ann } = world;
  for (const operation of operations.filter(({ entry, method }) => entry.callers !== 'anybody' && method !== 'GET'))
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const url = operation.path.replace(/\{\w+\}/g, 'x');
      const send = (headers: Record<string, string>) =>
        fixture.app.inject({
          method: operation.method,
          remoteAddress: nextAddress(),
          url,
          payload: '{}',
          headers: { 'content-type': type, origin: 'https://evil.example', ...headers },
        });
      const withCookie = await send({ cookie: `session=${ann.session}; __Host-_session=${ann.session}` });
      expect([withCookie.statusCode, withCookie.json().detail.error], operation.name).toEqual([401, 'auth_missing']);
      if (!operation.described.requestBody) continue;
      expect((await send(bearer(ann.session))).statusCode, `${operation.name} ${type}`).toBe(415);
    }
});

it('a parameter that comes twice, or where another one belongs, is refused or passed over', async () => {
  const { fixture, ann } = world;
  const ask = (url: string) => fixture.app.inject({ url, headers: bearer(ann.token) });
  expect((await ask('/v1/changes?since=20260101-00000000&since=20250101-00000000')).statusCode).toBe(422);
  expect((await ask('/v1/runs?cursor=a&cursor=b')).statusCode).toBe(422);
  const fetch = await fixture.app.inject({
    method: 'POST',
    url: '/v1/fetch?fields=slope_degrees&account_id=x',
    headers: { ...bearer(ann.token), 'content-type': 'application/json' },
    payload: { lat: 44.8, lng: -68.77, fields: ['elevation'] },
  });
  expect([200, 422]).toContain(fetch.statusCode);
  if (fetch.statusCode === 200) expect(Object.keys(fetch.json().fields)).toEqual(['elevation']);
});

it('no folder is listed, and nothing of how the code came here is served', async () => {
  for (const url of [
    '/assets',
    '/assets/',
    '/.git/config',
    '/.git/HEAD',
    '/.svn/entries',
    '/package.json',
    '/assets/../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/server/',
    '/.env',
    '/metrics',
    '/debug/pprof',
  ])
    expect((await world.fixture.app.inject(url)).statusCode, url).toBe(404);
});

it('plain HTTP is answered as it is: no operation leads over to HTTPS', async () => {
  for (const operation of world.operations.filter(({ entry }) => !entry.endless)) {
    const { status } = await call(world, operation, { 'x-forwarded-proto': 'http' });
    expect(status < 300 || status >= 400, operation.name).toBe(true);
  }
});
