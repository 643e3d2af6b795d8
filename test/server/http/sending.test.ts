import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { pageText } from '../../../query/search/page/written-page.ts';
import { eventStream } from '../../../server/http/event-stream.ts';
import { sendWithBackpressure } from '../../../server/http/sending.ts';
import { openFixture } from '../service-fixture.ts';
import { roomyApp } from './roomy-app.ts';

const opened: (() => PromiseLike<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function listening(app: FastifyInstance): Promise<number> {
  opened.push(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  opened.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Until it holds. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5));
}

describe('the memory of an answer', () => {
  /** A page of 15.9 MB asked for at a door: its memory, and the client that asked. */
  async function asked(door: string) {
    const fixture = await openFixture();
    opened.push(() => fixture[Symbol.asyncDispose]());
    await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const match = { apn: 'x'.repeat(15_900_000), analysis_point: {}, fields: {}, field_status: {} };
    const matches = pageText([Buffer.from(JSON.stringify([match]))]);
    const outline = { count: 1, first: '[]' };
    // The page itself, as a worker hands it over.
    fixture.engine.search = async () => ({ matches, outline, status: 'complete', reason: 'exhausted', next: null });
    const search = { filters: [{ field: 'state', op: 'eq', value: 'ME' }] };
    const params = { name: 'service_search', arguments: { req: search, view: 'full' } };
    const body = JSON.stringify(door === '/mcp' ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params } : search);
    const client = await connected((fixture.app.server.address() as AddressInfo).port);
    client.write(
      `POST ${door} HTTP/1.1\r\nhost: plat\r\nauthorization: Bearer ${fixture.token}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    return { memory: matches.memory.buffer, client };
  }

  it.each(['/v1/search', '/mcp'])('is freed when the client of %s has read it', async door => {
    const { memory, client } = await asked(door);
    let read = 0;
    client.on('data', bytes => {
      read += bytes.length;
    });
    await eventually(() => memory.byteLength === 0);
    await eventually(() => read > 15_900_000);
  });

  it.each(['/v1/search', '/mcp'])('is freed when the client of %s leaves in the middle of it', async door => {
    const { memory, client } = await asked(door);
    await once(client, 'data');
    client.pause();
    expect(memory.byteLength).toBeGreaterThan(15_900_000);
    client.destroy();
    await eventually(() => memory.byteLength === 0);
  });

  it('is left alone where others read it too', async () => {
    const app = Fastify();
    sendWithBackpressure(app, 30_000);
    const shared = Buffer.alloc(300_000, 'x');
    app.get('/', (_request, reply) => reply.type('text/plain').send(shared));
    for (const _ of [1, 2]) expect((await app.inject('/')).body).toBe('x'.repeat(300_000));
  });
});

describe('answers over 256 kB', () => {
  const BYTES = 24_000_000;

  it('are handed over as the client takes them: what waits in the connection stays small, and all of it arrives', async () => {
    const app = Fastify();
    sendWithBackpressure(app, 30_000);
    const whole = Buffer.alloc(BYTES, 'abcdefgh');
    let server: Socket | null = null;
    app.get('/', (request, reply) => {
      server = request.raw.socket;
      return reply.type('text/plain').send(whole);
    });
    const client = await connected(await listening(app));
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    // What the kernel took is not the server's memory; then it stands still with a few pieces.
    let written = -1;
    await eventually(() => {
      const now = server?.bytesWritten ?? -1;
      const stands = now > 0 && now === written && server!.writableLength > 0;
      written = now;
      return stands;
    });
    expect(written).toBeLessThan(BYTES);
    expect(server!.writableLength).toBeLessThanOrEqual(3 * 64 * 1024 + 1_000);
    const pieces: Buffer[] = [];
    client.on('data', piece => pieces.push(piece as Buffer)).resume();
    await once(client, 'close');
    const text = Buffer.concat(pieces);
    const body = text.subarray(text.indexOf('\r\n\r\n') + 4);
    expect(text.toString('latin1', 0, 400)).toMatch(new RegExp(`content-length: ${BYTES}\r\n`));
    expect(body.equals(whole)).toBe(true);
  });

  it('and shorter ones are the same bytes whether they are streamed or not, and HEAD has none', async () => {
    const app = Fastify({ exposeHeadRoutes: true });
    sendWithBackpressure(app, 30_000);
    app.get<{ Params: { bytes: string } }>('/:bytes', (request, reply) =>
      reply.type('text/plain; charset=utf-8').send('é'.repeat(Number(request.params.bytes) / 2)),
    );
    for (const bytes of [65_534, 262_144, 262_146, 1_000_000]) {
      const answer = await app.inject(`/${bytes}`);
      expect(answer.headers['content-length']).toBe(String(bytes));
      expect(answer.body).toBe('é'.repeat(bytes / 2));
      expect((await app.inject({ method: 'HEAD', url: `/${bytes}` })).body).toBe('');
    }
    await app.close();
  });
});

describe('a stream of events', () => {
  it.each([
    ['goes on', false],
    ['has ended', true],
  ])(
    'that %s and that the client takes nothing of is cut off after a while, whatever heartbeats come',
    async (_, ended) => {
      const app = roomyApp();
      let closed = false;
      app.get('/', async (request, reply) => {
        const stream = eventStream(reply, 20, 100);
        reply.raw.once('close', () => {
          closed = true;
        });
        // Until the kernel takes no more: what is left is far below what is cut off at once.
        do {
          stream.send('status', 'x'.repeat(10_000));
          await new Promise(resolve => setImmediate(resolve));
        } while (request.raw.socket.writableLength < 100_000 && !reply.raw.destroyed);
        if (ended) stream.end();
        return reply;
      });
      const client = await connected(await listening(app));
      client.pause();
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await eventually(() => closed);
    },
  );

  it('whose client leaves a megabyte untaken is cut off at once', async () => {
    const app = roomyApp();
    let closed = false;
    app.get('/', async (_, reply) => {
      const stream = eventStream(reply, 60_000);
      reply.raw.once('close', () => {
        closed = true;
      });
      while (!reply.raw.destroyed) {
        stream.send('status', 'x'.repeat(50_000));
        await new Promise(resolve => setImmediate(resolve));
      }
      return reply;
    });
    const client = await connected(await listening(app));
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => closed);
  });

  it('that is silent and has nothing untaken stays open', async () => {
    const app = roomyApp();
    let beats = 0;
    app.get('/', async (_, reply) => {
      eventStream(reply, 5, 20);
      return new Promise(() => {});
    });
    const client = await connected(await listening(app));
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    client.on('data', bytes => {
      beats += String(bytes).split(': waiting').length - 1;
    });
    await eventually(() => beats > 6);
    expect(client.destroyed).toBe(false);
    client.destroy();
  });
});

describe('a connection', () => {
  it('that nothing is asked by is closed after a while, also one that was answered before', async () => {
    const fixture = await openFixture({ limits: { keepAliveMs: 50 } });
    opened.push(() => fixture[Symbol.asyncDispose]());
    await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const client = await connected((fixture.app.server.address() as AddressInfo).port);
    client.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    let text = '';
    client.on('data', bytes => {
      text += bytes;
    });
    await once(client, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('that takes nothing of the answers of tools is cut off', async () => {
    const fixture = await openFixture({ limits: { stalledMs: 100 } });
    opened.push(() => fixture[Symbol.asyncDispose]());
    await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const match = { apn: 'x'.repeat(15_900), analysis_point: {}, fields: {}, field_status: {} };
    fixture.engine.found = {
      matches: pageText([Buffer.from(JSON.stringify([match]))]),
      status: 'complete',
      reason: 'exhausted',
      next: null,
    };
    let closed = false;
    fixture.app.server.once('connection', (socket: Socket) => {
      socket.once('close', () => {
        closed = true;
      });
    });
    const req = { filters: [{ field: 'state', op: 'eq', value: 'ME' }] };
    const params = { name: 'service_search', arguments: { req } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const client = await connected((fixture.app.server.address() as AddressInfo).port);
    client.pause();
    // One answer of a tool is short and fits in what the kernel holds for the client.
    const request = `POST /mcp HTTP/1.1\r\nhost: plat\r\nauthorization: Bearer ${fixture.token}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    client.write(request.repeat(1_000));
    await eventually(() => closed);
    expect(fixture.engine.searches.length).toBeGreaterThan(1);
    expect(fixture.engine.searches.length).toBeLessThan(1_000);
  });

  it('that asks for page after page and reads none gets no more of them made than a quarter of the room', async () => {
    const fixture = await openFixture({ limits: { answerBytes: 64_000_000 } });
    opened.push(() => fixture[Symbol.asyncDispose]());
    await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const { engine, token } = fixture;
    engine.found = {
      matches: pageText([Buffer.from(JSON.stringify([{ apn: 'x'.repeat(15_900_000) }]))]),
      status: 'complete',
      reason: 'exhausted',
      next: null,
    };
    const body = JSON.stringify({ filters: [{ field: 'state', op: 'eq', value: 'ME' }], enrich: true, limit: 49 });
    const request = `POST /v1/search HTTP/1.1\r\nhost: plat\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const client = await connected((fixture.app.server.address() as AddressInfo).port);
    client.pause();
    client.write(request.repeat(10));
    await eventually(() => engine.searches.length > 0);
    // Another account's page is made meanwhile, so the others of the connection would have been too.
    const other = await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'build'));
    const answer = await fixture.app.inject({
      method: 'POST',
      url: '/v1/search',
      headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
      payload: body.replace('49', '3'),
    });
    expect(answer.statusCode).toBe(200);
    expect(engine.searches).toHaveLength(2);
  });
});
