import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixture } from '../service-fixture.ts';
import { body, type Listening, listen, statuses } from './raw-request.ts';

let fixture: Listening['fixture'];
let raw: Listening['raw'];
let logged: Listening['logged'];
beforeAll(async () => {
  // A busy machine may take seconds for what is no time at all.
  ({ fixture, raw, logged } = await listen(120_000));
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe('X-Request-ID', () => {
  it.each([['a'], ['A-z0.9_:x'], ['x'.repeat(128)]])('%s is echoed', async id => {
    const reply = await fixture.app.inject({ url: '/healthz', headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toBe(id);
  });

  it.each([[''], ['x'.repeat(129)], ['a b'], ['a,b'], ['ä'], ['a/b'], ['"a"']])('%j is replaced', async id => {
    const reply = await fixture.app.inject({ url: '/healthz', headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is on every kind of response', async () => {
    const auth = { authorization: `Bearer ${fixture.token}` };
    const json = { ...auth, 'content-type': 'application/json' };
    const expected: [number, InjectOptions][] = [
      [200, { url: '/healthz' }],
      [200, { url: '/v1/docs' }],
      [304, { url: '/v1/meta/fields', headers: { 'if-none-match': '*' } }],
      [401, { method: 'POST', url: '/v1/fetch' }],
      [404, { url: '/nowhere' }],
      [404, { url: '/%zz' }],
      [404, { url: '/v1/docs/nothing.js' }],
      [405, { method: 'DELETE', url: '/v1/fetch' }],
      [413, { method: 'POST', url: '/v1/fetch', headers: json, payload: 'x'.repeat(2049) }],
      [415, { method: 'POST', url: '/v1/fetch', headers: { ...auth, 'content-type': 'text/plain' }, payload: 'x' }],
      [422, { method: 'POST', url: '/v1/fetch', headers: json, payload: '{' }],
    ];
    for (const [status, request] of expected) {
      const reply = await fixture.app.inject({
        ...request,
        headers: { ...request.headers, 'x-request-id': 'mine' },
      });
      expect(reply.statusCode, JSON.stringify(request)).toBe(status);
      expect(reply.headers['x-request-id'], JSON.stringify(request)).toBe('mine');
    }
  });

  it('is bound to the log lines of its request', async () => {
    const lines: string[] = [];
    await using own = await openFixture({ logger: pino({ level: 'info' }, { write: line => lines.push(line) }) });
    await own.app.inject({ url: '/healthz', headers: { 'x-request-id': 'mine' } });
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ request_id: 'mine', route: '/healthz', status: 200 }),
    ]);
  });

  it.each([
    ['that came too slowly', 408, 'request_timeout', 'Content-Length: 10\r\n\r\n{', false],
    ['with a bad chunk', 400, 'malformed_request', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', false],
    ['cut short', 400, 'malformed_request', 'Content-Length: 10\r\n\r\n{', true],
    [
      'with oversized trailers',
      431,
      'headers_too_large',
      `Transfer-Encoding: chunked\r\n\r\n0\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      false,
    ],
  ])('of a request with a body %s is in the refusal and its log line', async (what, status, code, rest, end) => {
    const id = what.replaceAll(' ', '-');
    const impatient = status === 408 ? await listen() : null;
    await using _ = impatient?.fixture;
    const { fixture: own, raw: ask, logged: lines } = impatient ?? { fixture, raw, logged };
    const text = await ask(
      `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nX-Request-ID: ${id}\r\nAuthorization: Bearer ${own.token}\r\nContent-Type: application/json\r\n${rest}`,
      end,
    );
    expect(statuses(text)).toEqual([status]);
    expect(text).toContain(`\r\nX-Request-ID: ${id}\r\n`);
    expect(body(text).detail.error).toBe(code);
    expect(lines(id)).toEqual([
      expect.objectContaining({ level: 30, msg: 'request', method: 'POST', route: '/v1/fetch', status }),
    ]);
  });

  it('of a request whose headers never came in is new and in its log line', async () => {
    const text = await raw('NONSENSE\r\n\r\n');
    const id = text.match(/\r\nX-Request-ID: ([0-9a-f-]{36})\r\n/)![1]!;
    expect(logged(id)).toEqual([expect.objectContaining({ level: 30, msg: 'request', status: 400 })]);
  });

  it('of an unreadable address is in its log line', async () => {
    await fixture.app.inject({ url: '/%zz', headers: { 'x-request-id': 'unreadable' } });
    expect(logged('unreadable')).toEqual([expect.objectContaining({ msg: 'request', method: 'GET', status: 404 })]);
  });
});

describe('routes', () => {
  it.each([
    ['/index.html'],
    ['/assets/'],
    ['/assets/%2e%2e/%2e%2e/package.json'],
    ['/v1'],
    ['/v1/'],
    ['/v1/fetch/'],
    ['/V1/fetch'],
    ['/v1/fetch/nothing'],
    ['/healthz/x'],
    ['/%2e%2e/etc'],
  ])('%s is not_found', async url => {
    const reply = await fixture.app.inject({ url });
    expect(reply.statusCode).toBe(404);
    expect(reply.json().detail).toMatchObject({ error: 'not_found', retryable: false });
  });

  it.each([
    ['GET', '/v1/fetch', 'POST'],
    ['PUT', '/v1/fetch', 'POST'],
    ['OPTIONS', '/v1/fetch', 'POST'],
    ['HEAD', '/v1/fetch', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/readyz', 'GET, HEAD'],
    ['PATCH', '/v1/meta/fields?x=1', 'GET, HEAD'],
    ['POST', '/v1/meta/plans', 'GET, HEAD'],
    ['POST', '/v1/openapi.json', 'GET, HEAD'],
    ['POST', '/v1/docs', 'GET, HEAD'],
  ] as const)('%s %s is 405 with Allow: %s', async (method, url, allow) => {
    const reply = await fixture.app.inject({ method, url });
    expect(reply.statusCode).toBe(405);
    expect(reply.headers.allow).toBe(allow);
    if (method !== 'HEAD') expect(reply.json().detail.error).toBe('method_not_allowed');
  });

  it.each([
    ['http://host/v1/fetch', 405],
    ['http://host/nowhere', 404],
    ['/v1/%66etch', 405],
    ['/v1%2Ffetch', 404],
  ])('GET %s is judged by the path the router sees: %i', async (target, status) => {
    const text = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(statuses(text)).toEqual([status]);
  });

  it.each([
    ['POST', '/nowhere', 404],
    ['POST', '/v1/fetch/', 404],
    ['PUT', '/v1/fetch', 405],
    ['PATCH', '/v1/meta/fields', 405],
    ['POST', '/v1/docs', 405],
    ['QUERY', '/v1/fetch', 405],
  ] as const)('%s %s is %i whatever its body', async (method, url, status) => {
    const json = { 'content-type': 'application/json' };
    const requests: InjectOptions[] = [
      {},
      { payload: 'x' },
      { headers: { 'content-type': '' } },
      { headers: { 'content-type': 'nonsense' }, payload: 'x' },
      { headers: { 'content-type': 'text/plain' }, payload: 'x' },
      { headers: json, payload: '{' },
      { headers: json, payload: '{}' },
      { headers: json, payload: 'x'.repeat(2049) },
      { headers: { ...json, 'content-encoding': 'gzip' }, payload: '{}' },
    ];
    for (const request of requests) {
      const headers = { ...request.headers, 'x-request-id': 'mine' };
      const reply = await fixture.app.inject({ ...request, method, url, headers } as InjectOptions);
      expect(reply.statusCode, JSON.stringify(request)).toBe(status);
      expect(reply.json().detail.error).toBe(status === 404 ? 'not_found' : 'method_not_allowed');
      expect(reply.headers['x-request-id']).toBe('mine');
      if (status === 405) expect(reply.headers.allow).toBeTruthy();
    }
  });

  it('are judged before a body came in, which is then passed over on the same connection', async () => {
    const length = 3_000_000;
    const text = await raw(
      `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${' '.repeat(length)}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses(text)).toEqual([404, 200]);
  });

  it('answers HEAD like GET without a body', async () => {
    for (const url of ['/healthz', '/readyz', '/v1/meta/fields', '/v1/meta/plans', '/v1/openapi.json', '/v1/docs']) {
      const [get, head] = await Promise.all([fixture.app.inject(url), fixture.app.inject({ method: 'HEAD', url })]);
      expect(head.statusCode, url).toBe(get.statusCode);
      expect(head.body, url).toBe('');
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(head.headers[name], `${url} ${name}`).toBe(get.headers[name]);
    }
  });
});

it('ids of any length are judged by their route: by authentication first, then in its words', async () => {
  const { paths } = (await fixture.app.inject('/v1/openapi.json')).json();
  const id = 'x'.repeat(8_000);
  let judged = 0;
  for (const [path, methods] of Object.entries<Record<string, { security?: object[] }>>(paths))
    for (const [method, { security }] of Object.entries(methods)) {
      if (!path.includes('{') || !security?.length) continue;
      const url = path.replaceAll('{fmt}', 'csv').replace(/\{\w+\}/g, id);
      const ask = async (token: string | null) => {
        const headers = token === null ? {} : { authorization: `Bearer ${token}` };
        // An address of its own for each: many refusals in a minute would be refused for that.
        const remoteAddress = `10.9.0.${judged + 1}`;
        const reply = await fixture.app.inject({ method: method as 'GET', url, headers, remoteAddress });
        return [reply.statusCode, reply.json().detail.error];
      };
      expect(await ask(null), `${method} ${path}`).toEqual([401, 'auth_missing']);
      const [status, error] = await ask(fixture.token);
      expect([status, error], path).not.toEqual([404, 'not_found']);
      if (status === 404) expect(error, path).toMatch(/\w_not_found$/);
      judged++;
    }
  expect(judged).toBeGreaterThan(5);
});

describe('bodies', () => {
  const post = (headers: Record<string, string>, payload: string | Buffer) =>
    fixture.app.inject({
      method: 'POST',
      url: '/v1/fetch',
      headers: { authorization: `Bearer ${fixture.token}`, ...headers },
      payload,
    });
  const good = JSON.stringify({ lat: 44.8, lng: -68.77, fields: ['elevation'] });

  it.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON']])(
    '%s is read',
    async type => {
      expect((await post({ 'content-type': type }, good)).statusCode).toBe(200);
    },
  );

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/vnd.api+json'],
    ['application/jsonx'],
    ['nonsense'],
  ])('%s is unsupported_media_type', async type => {
    const reply = await post({ 'content-type': type }, good);
    expect(reply.statusCode).toBe(415);
    expect(reply.json().detail).toMatchObject({ error: 'unsupported_media_type', retryable: false });
  });

  it('a compressed one is unsupported_media_type', async () => {
    const reply = await post({ 'content-type': 'application/json', 'content-encoding': 'gzip' }, good);
    expect(reply.statusCode).toBe(415);
  });

  it('of the limit is read and one byte more is body_too_large', async () => {
    const pad = (length: number) => good + ' '.repeat(length - good.length);
    expect((await post({ 'content-type': 'application/json' }, pad(2048))).statusCode).toBe(200);
    const reply = await post({ 'content-type': 'application/json' }, pad(2049));
    expect(reply.statusCode).toBe(413);
    expect(reply.json().detail).toMatchObject({ error: 'body_too_large', retryable: false });
  });

  it.each([
    ['with its length', (text: string) => `Content-Length: ${text.length}\r\n\r\n${text}`],
    [
      'in chunks',
      (text: string) => `Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    ],
  ])('far over the limit, sent %s, is passed over: whoever still writes it gets the answer', async (_, sent) => {
    const head = `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.token}\r\nContent-Type: application/json\r\n`;
    const text = await raw(
      `${head}${sent(' '.repeat(9_000_000))}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses(text)).toEqual([413, 200]);
  });

  it('over the limit holds its connection no longer than a request may take to come in', async () => {
    const { fixture: own, raw: ask } = await listen(400);
    await using _ = own;
    const text = await ask(
      `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n{`,
    );
    expect(statuses(text)).toEqual([413]);
  });

  it('sent in chunks is held to the limit too', async () => {
    const chunk = `400\r\n${' '.repeat(1024)}\r\n`;
    const text = await raw(
      `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${fixture.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}${chunk}0\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(body(text).detail.error).toBe('body_too_large');
  });
});
