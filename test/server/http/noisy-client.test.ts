import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { pageText } from '../../../query/search/page/written-page.ts';
import type { Limits } from '../../../server/limits.ts';
import { Admission } from '../../../server/rate/admission.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { sendRaw, statuses } from './raw-request.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

/** A server with an account that holds whatever it asks until it is let go, and another account. */
async function stage(limits: Partial<Limits>) {
  const fixture = await openFixture({ limits, cache: false });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const base = await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  const other = await fixture.tokens.issue(await fixture.state.openAccount('quiet@example.org', 'build'));
  fixture.engine.before = () => released;
  opened.push({
    async [Symbol.asyncDispose]() {
      release();
      await fixture[Symbol.asyncDispose]();
    },
  });
  const ask = (
    token: string | null,
    path = '/v1/fetch',
    body: unknown = { lat: 44, lng: -68, fields: ['elevation'] },
  ) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  return { fixture, base, port: Number(new URL(base).port), other, release, ask };
}

/** Until the engine has been asked so often. */
async function asked(fixture: Fixture, calls: number): Promise<void> {
  while (fixture.engine.calls.length < calls) await new Promise(resolve => setTimeout(resolve, 5));
}

describe('one account', () => {
  it('has so many requests under way; more get 429 with Retry-After, and others are answered', async () => {
    const { fixture, other, release, ask } = await stage({ accountRequests: 3 });
    const running = [1, 2, 3].map(() => ask(fixture.token));
    await asked(fixture, 3);
    const refused = await ask(fixture.token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    const { detail } = (await refused.json()) as { detail: { error: string; message: string; retryable: boolean } };
    expect(detail).toMatchObject({ error: 'rate_limited', retryable: true });
    expect(detail.message).toMatch(/^More than 3 requests of this account at once/);
    const quiet = ask(other);
    await asked(fixture, 4);
    release();
    for (const reply of await Promise.all([...running, quiet])) expect(reply.status).toBe(200);
    // What has ended leaves room again.
    expect((await ask(fixture.token)).status).toBe(200);
  });

  it('that goes on when it is refused is answered a second later, so that refusing it is no work', async () => {
    const { fixture, ask } = await stage({ accountRequests: 1 });
    const running = ask(fixture.token);
    await asked(fixture, 1);
    let answered = 0;
    const many = Array.from({ length: 60 }, async () => {
      const reply = await ask(fixture.token);
      answered++;
      return reply.status;
    });
    // The first of a second go out at once.
    await Promise.race(many);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(answered).toBeLessThan(60);
    expect(new Set(await Promise.all(many))).toEqual(new Set([429]));
    void running.catch(() => {});
  });
});

describe('one address', () => {
  it('without a token has so many requests under way, an IPv6 network as a whole', async () => {
    const admission = new Admission({ accountRequests: 0, addressRequests: 2 });
    const from = (ip: string) => {
      const raw = new EventEmitter();
      const admitted = admission.admitAddress(
        { ip } as FastifyRequest,
        { raw, getHeader() {}, header() {} } as unknown as FastifyReply,
      );
      return { raw, admitted };
    };
    const [first, second] = [from('2001:db8::1'), from('2001:db8::2')];
    await Promise.all([first.admitted, second.admitted]);
    await expect(from('2001:db8::3').admitted).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 });
    await from('2001:db8:0:1::1').admitted;
    first.raw.emit('close');
    await from('2001:db8::3').admitted;
  });

  it('does not wait for health', async () => {
    const { base } = await stage({ addressRequests: 1 });
    const inside = await Promise.all(Array.from({ length: 30 }, () => fetch(`${base}/healthz`)));
    expect(inside.map(reply => reply.status)).toEqual(Array.from({ length: 30 }, () => 200));
  });

  it('that tries tokens that are wrong is told to wait, and a right one goes on', async () => {
    const { fixture, ask, release } = await stage({});
    release();
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask('wrong.to.ken')));
    const seen = replies.map(reply => reply.status);
    expect(new Set(seen)).toEqual(new Set([401, 429]));
    for (const reply of replies) if (reply.status === 429) expect(reply.headers.get('retry-after')).toBe('1');
    expect((await ask(fixture.token)).status).toBe(200);
  });

  it('has so many connections; more are refused with 429, and what is closed leaves room', async () => {
    const { port } = await stage({ addressConnections: 2 });
    const idle = await Promise.all([connected(port), connected(port)]);
    const text = await sendRaw(port, '');
    expect(statuses(text)).toEqual([429]);
    expect(text).toMatch(/\r\nRetry-After: 1\r\n/);
    const [first] = idle;
    const closed = new Promise(resolve => first!.once('close', resolve));
    first!.end();
    await closed;
    expect(statuses(await sendRaw(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))).toEqual([
      200,
    ]);
    idle[1]!.destroy();
  });
});

describe('answers that are not read', () => {
  const page = (bytes: number) => ({
    matches: pageText([Buffer.from(JSON.stringify([{ apn: 'x'.repeat(bytes) }]))]),
    status: 'complete' as const,
    reason: 'exhausted' as const,
    next: null,
  });
  const search = (token: string, limit: number) => {
    const body = JSON.stringify({ filters: [{ field: 'state', op: 'eq', value: 'ME' }], enrich: true, limit });
    return `POST /v1/search HTTP/1.1\r\nhost: plat\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };

  it('are cut off when nothing of them is taken for a while', async () => {
    const { fixture, port, release } = await stage({ stalledMs: 300 });
    release();
    fixture.engine.found = page(16_000_000);
    const socket = await connected(port);
    socket.pause();
    socket.write(search(fixture.token, 1));
    const gone = new Promise<number>(resolve => {
      let read = 0;
      socket.on('data', (piece: Buffer) => {
        read += piece.length;
      });
      socket.pause();
      socket.on('error', () => {});
      socket.once('close', () => resolve(read));
      const connections = () =>
        fixture.app.server.getConnections((_, count) => {
          // What had arrived before is still read.
          if (count === 0) socket.resume();
          else setTimeout(connections, 20);
        });
      connections();
    });
    expect(await gone).toBeLessThan(16_000_000);
  });

  it('fill the share of their account, whose next ones wait; others get theirs', async () => {
    // One page of a match is thought to have 320,000 bytes and is not weighed; one of ten is.
    const { fixture, port, other, release, ask } = await stage({ answerBytes: 8_000_000, stalledMs: 30_000 });
    release();
    fixture.engine.found = page(6_000_000);
    const unread = await connected(port);
    unread.pause();
    unread.write(search(fixture.token, 10));
    while (fixture.engine.searches.length < 1) await new Promise(resolve => setTimeout(resolve, 5));
    const body = { filters: [{ field: 'state', op: 'eq', value: 'ME' }], enrich: true, limit: 10 };
    fixture.engine.found = page(10);
    let done = false;
    const next = ask(fixture.token, '/v1/search', body).then(reply => {
      done = true;
      return reply.status;
    });
    expect((await ask(other, '/v1/search', { ...body, limit: 3 })).status).toBe(200);
    expect(done).toBe(false);
    unread.destroy();
    expect(await next).toBe(200);
  });
});

function connected(port: number): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false }, () => resolve(socket));
    socket.on('error', () => {});
  });
}

describe('long bodies', () => {
  const body = (bytes: number) => JSON.stringify({ lat: 44, lng: -68, fields: ['elevation'], pad: 'x'.repeat(bytes) });
  const head = (token: string, length: number) =>
    `POST /v1/fetch HTTP/1.1\r\nhost: plat\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

  it('that never end fill the share of their account, whose next ones wait; others are answered', async () => {
    const { fixture, port, other, release, ask } = await stage({ bodyBytes: 80_000 });
    release();
    const slow = await connected(port);
    slow.write(`${head(fixture.token, 30_000)}{`);
    // What is short passes while what is long has to wait, so the first has been let in when it is answered.
    expect((await ask(fixture.token)).status).toBe(200);
    let isAnswered = false;
    const next = ask(fixture.token, '/v1/fetch', JSON.parse(body(20_000))).then(reply => {
      isAnswered = true;
      return reply.status;
    });
    expect((await ask(other, '/v1/fetch', JSON.parse(body(20_000)))).status).toBe(422);
    expect(isAnswered).toBe(false);
    slow.destroy();
    expect(await next).toBe(422);
  });
});

it('one address asks a hundred times a second without a token; more get 429 with Retry-After', async () => {
  const admission = new Admission({ accountRequests: 5, addressRequests: 5 });
  let refused: unknown = null;
  // Seconds begin anew meanwhile, but not each time.
  for (let asked = 0; refused === null && asked < 100_000; asked++) {
    const raw = new EventEmitter();
    await admission
      .admitAddress({ ip: '192.0.2.1' } as never, { raw, getHeader() {}, header() {} } as never)
      .catch((error: unknown) => {
        expect(asked).toBeGreaterThanOrEqual(100);
        refused = error;
      });
    raw.emit('close');
  }
  expect(refused).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
  expect(refused).toMatchObject({ message: expect.stringMatching(/^Too many requests without a token a second/) });
  const told: Record<string, string> = {};
  const header = (name: string, value: string) => {
    told[name] = value;
  };
  const reply = { raw: new EventEmitter(), getHeader: (name: string) => told[name], header };
  await admission.admitAddress({ ip: '192.0.2.2' } as never, reply as never);
  expect(told).toEqual({ 'ratelimit-policy': '"second";q=100;w=1', ratelimit: '"second";r=99;t=1' });
});
