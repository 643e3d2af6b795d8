import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ISSUER, openFixture } from '../service-fixture.ts';
import { body, type Listening, listen, statuses } from './raw-request.ts';

let fixture: Listening['fixture'];
let port: Listening['port'];
let raw: Listening['raw'];
let logged: Listening['logged'];
beforeAll(async () => {
  ({ fixture, port, raw, logged } = await listen());
});
afterAll(() => fixture[Symbol.asyncDispose]());

it('a connection on which nothing was ever said does not keep a server from closing', async () => {
  const closing = await listen();
  const silent = connect(closing.port, '127.0.0.1');
  await once(closing.fixture.app.server, 'connection');
  const closed = once(silent.resume(), 'close');
  await closing.fixture[Symbol.asyncDispose]();
  await closed;
});

it('clients that leave before they are accepted, or while they are answered, are no faults', async () => {
  const lines: string[] = [];
  await using left = await openFixture({ logger: pino({ level: 'warn' }, { write: line => lines.push(line) }) });
  await left.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = left.app.server.address() as AddressInfo;
  const authorize = new URLSearchParams({
    client_id: 'plat',
    response_type: 'code',
    redirect_uri: `${ISSUER}/signed-in`,
  });
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\n`;
  const requests = [
    `${head('POST /v1/mcp/device/start')}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    `${head('POST /password')}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 21\r\n\r\nemail=ann@example.org`,
    `${head(`GET /authorize?${authorize}`)}\r\n`,
    `${head('GET /.well-known/openid-configuration')}\r\n`,
  ];
  const script = `const [port, text] = process.argv.slice(1);
    const socket = require('node:net').connect(Number(port), '127.0.0.1', () =>
      socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 100)));`;
  const leaving = (text: string) => spawn(process.execPath, ['-e', script, String(port), text]);
  // This process accepts nothing while others connect, send and reset.
  for (const text of requests) execFileSync(process.execPath, ['-e', script, String(port), text]);
  const served = vi.fn();
  left.app.server.on('request', served);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect(served).toHaveBeenCalledOnce();
  for (const text of requests) {
    const client = leaving(text);
    // The server learns of it when it writes its answer.
    left.app.server.prependOnceListener('request', () =>
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500),
    );
    await once(client, 'exit');
  }
  await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(lines).toEqual([]);
});

describe('connections', () => {
  it('malformed bytes get 400 malformed_request with an id', async () => {
    const text = await raw('NONSENSE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toMatch(/\r\nX-Request-ID: [0-9a-f-]{36}\r\n/);
    expect(body(text).detail).toMatchObject({ error: 'malformed_request', retryable: false });
  });

  const host = 'Host: x\r\nConnection: close\r\n';
  const posted = (rest: string) =>
    `POST /v1/fetch HTTP/1.1\r\n${host}Authorization: Bearer ${fixture.token}\r\nContent-Type: application/json\r\n${rest}`;
  const chunked = (rest: string) => posted(`Transfer-Encoding: chunked\r\n${rest}`);
  it.each([
    ['FOO / HTTP/1.1', () => `FOO / HTTP/1.1\r\n${host}\r\n`, 'method'],
    ['TLS', () => Uint8Array.from([0x16, 3, 1, 0, 0xa5, 1, 0, 0]), 'without TLS'],
    ['a raw UTF-8 target', () => `GET /ä HTTP/1.1\r\n${host}\r\n`, 'percent-encode'],
    ['a space in the target', () => `GET /a b HTTP/1.1\r\n${host}\r\n`, 'percent-encode'],
    ['HTTP/1.2', () => `GET / HTTP/1.2\r\n${host}\r\n`, 'does not end in HTTP/1.1'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'it is HTTP/2'],
    ['a header without a colon', () => `GET / HTTP/1.1\r\n${host}Abc\r\n\r\n`, 'a header is not'],
    [
      'two Content-Lengths',
      () => posted(`Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
      'more than one Content-Length',
    ],
    ['a negative length', () => posted(`Content-Length: -1\r\n\r\n`), 'Content-Length is not'],
    ['two lengths of a body', () => chunked(`Content-Length: 3\r\n\r\n0\r\n\r\n`), 'beside Transfer-Encoding'],
    ['gzip chunks', () => posted(`Transfer-Encoding: gzip\r\n\r\n`), 'not just `chunked`'],
    ['a bad chunk size', () => chunked(`\r\nzz\r\n`), 'does not begin with its size'],
    ['a long chunk extension', () => chunked(`\r\n2;${'a'.repeat(20_000)}\r\n`), 'extensions'],
    ['a chunk longer than said', () => chunked(`\r\n2\r\nabc\r\n0\r\n\r\n`), 'chunk sizes'],
    ['a bare CR', () => `GET / HTTP/1.1\r\n${host}A: b\rC: d\r\n\r\n`, 'does not end in CRLF'],
  ])('%s is called by its name', async (_, bytes, reason) => {
    const text = await raw(bytes());
    expect(statuses(text)).toEqual([400]);
    const { error, message } = body(text).detail;
    expect(error).toBe('malformed_request');
    expect(message).toContain(reason);
    expect(message).toMatch(/^The HTTP request itself is malformed: .*[^.]\.$/);
  });

  it('a request cut short is called so', async () => {
    const text = await raw(`POST /v1/fetch HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`, true);
    expect(statuses(text)).toEqual([401]);
    const headers = await raw(`POST /v1/fetch HTTP/1.1\r\n${host}A: b`, true);
    expect(statuses(headers)).toEqual([400]);
    expect(body(headers).detail.message).toContain('closed before all of it was sent');
  });

  it.each([['Host: y'], ['host: x'], ['HOST:']])(
    'a second Host header (%s) gets 400 malformed_request',
    async second => {
      const text = await raw(`GET /healthz HTTP/1.1\r\n${host}${second}\r\n\r\n`);
      expect(statuses(text)).toEqual([400]);
      expect(body(text).detail).toMatchObject({ error: 'malformed_request', retryable: false });
      expect(body(text).detail.message).toContain('more than one Host header');
    },
  );

  it('CONNECT is not_found', async () => {
    const text = await raw(`CONNECT x:1 HTTP/1.1\r\n${host}X-Request-ID: tunnel\r\n\r\n`);
    expect(statuses(text)).toEqual([404]);
    expect(text).toContain('\r\nX-Request-ID: tunnel\r\n');
    expect(body(text).detail.error).toBe('not_found');
    expect(logged('tunnel')).toEqual([expect.objectContaining({ method: 'CONNECT', status: 404 })]);
  });

  it('are closed after a refusal although the client keeps its side open', async () => {
    const open = (bytes: string) =>
      new Promise<void>(resolve => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes));
        // What is sent to a connection that is gone fails.
        const probe = setInterval(() => socket.write(' '), 100);
        socket.resume().on('error', () => {});
        socket.on('close', () => {
          clearInterval(probe);
          resolve();
        });
      });
    await Promise.all([
      open(`CONNECT x:1 HTTP/1.1\r\n${host}\r\n`),
      open('POST /v1/fetch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n'),
    ]);
  });

  it('what follows a request does not take its answer', async () => {
    const good = JSON.stringify({ lat: 44.8, lng: -68.77, fields: ['elevation'] });
    const request = (more: string) =>
      `POST /v1/fetch HTTP/1.1\r\nHost: x\r\n${more}X-Request-ID: first\r\nAuthorization: Bearer ${fixture.token}\r\nContent-Type: application/json\r\nContent-Length: ${good.length}\r\n\r\n${good}`;
    const two = await raw(`${request('')}NONSENSE\r\n\r\n`);
    expect(statuses(two)).toEqual([200, 400]);
    expect(two.match(/x-request-id: first/gi)).toHaveLength(1);
    expect(statuses(await raw(`${request('Connection: close\r\n')}GET / HTTP/1.1\r\n\r\n`))).toEqual([200]);
  });

  it('a request that was refused before its body is not answered again', async () => {
    const head = 'POST /v1/fetch HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{';
    expect(statuses(await raw(head))).toEqual([401]);
  });

  it('HTTP/1.1 without Host gets 400 malformed_request', async () => {
    const text = await raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(text).toMatch(/x-request-id: /i);
  });

  it('oversized headers get 431 headers_too_large', async () => {
    const text = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 431 /);
    expect(body(text).detail.error).toBe('headers_too_large');
  });

  it.each([
    ['headers that never end', () => 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'a body that never comes',
      () =>
        `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${fixture.token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    ],
  ])('%s get 408 request_timeout', async (_, bytes) => {
    const text = await raw(bytes());
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(text).toMatch(/\r\nRetry-After: 1\r\n/);
    expect(body(text).detail).toMatchObject({ error: 'request_timeout', retryable: true });
  });

  it('go on after a refused request on the same connection', async () => {
    const bad = 'POST /v1/fetch HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc';
    const text = await raw(`${bad}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(text.match(/HTTP\/1.1 (\d+)/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('two Authorization headers are auth_malformed', async () => {
    const text = await raw(
      `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${fixture.token}\r\nAuthorization: Bearer ${fixture.token}\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(body(text).detail.error).toBe('auth_malformed');
  });

  it('an unknown expectation is ignored', async () => {
    const text = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: magic\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1.1 200 /);
  });

  it('more than the limit are refused while the others go on', async () => {
    await using small = await openFixture({ limits: { maxConnections: 1 } });
    await small.app.listen({ host: '127.0.0.1', port: 0 });
    const at = (small.app.server.address() as AddressInfo).port;
    const first = connect(at, '127.0.0.1');
    await new Promise(resolve => first.once('connect', resolve));
    const second = connect(at, '127.0.0.1');
    await new Promise<void>(resolve => {
      second.once('close', () => resolve());
      second.once('error', () => {});
    });
    const answered = new Promise<string>(resolve => first.once('data', data => resolve(String(data))));
    first.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1.1 200 /);
    first.destroy();
  });
});
