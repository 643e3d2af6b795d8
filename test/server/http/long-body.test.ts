import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { noMatches } from '../../../query/search/page/written-page.ts';
import { dropBody, LONG } from '../../../server/http/body-memory.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
let port: number;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  port = (fixture.app.server.address() as AddressInfo).port;
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.searches.length = 0;
  fixture.engine.found = { matches: noMatches(), status: 'complete', reason: 'exhausted', next: null };
});

/** As many as the fixture's limit of a body lets through; bodies of 16 KB and more are given back. */
const CORNERS = 1500;

/** A ring about a point. */
function ring(lng: number): number[][] {
  const open = Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return [lng + Math.cos(angle) / 10, 44 + Math.sin(angle) / 10];
  });
  return [...open, open[0]!];
}

const body = (lng: number) =>
  JSON.stringify({
    filters: [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'geometry', op: 'within', value: { type: 'Polygon', coordinates: [ring(lng)] } },
    ],
  });

const request = (text: string, token = fixture.token) =>
  `POST /v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

/** Sends requests one behind the other on one connection; @returns the status of each answer. */
async function statuses(requests: readonly string[]): Promise<number[]> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const found = () => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(match => Number(match[1]));
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  for (const each of requests) socket.write(each);
  // A connection that ends early must not be waited for.
  const ended = once(socket, 'close');
  while (found().length < requests.length && !socket.destroyed) await Promise.race([once(socket, 'data'), ended]);
  socket.destroy();
  return found();
}

it('long bodies that stand behind each other on one connection are all read, though their memory is given back', async () => {
  const places = [-70, -69, -68, -67];
  expect(await statuses(places.map(lng => request(body(lng))))).toEqual([200, 200, 200, 200]);
  const rings = fixture.engine.searches.map(asked => [...asked.request.filters.areas[0]!.geometry.xy]);
  // Answers come in order. The server may work on the requests in any.
  expect(rings.sort(([a], [b]) => a! - b!)).toEqual(places.map(lng => ring(lng).flat()));
});

it('a long body that is refused leaves the connection to the next', async () => {
  const crossed = body(-70).replace(/\]\]\]\}/, ']]],"x":1}');
  expect(await statuses([request(crossed), request(body(-68)), request('{"filters":[]}')])).toEqual([422, 200, 422]);
  expect([...fixture.engine.searches[0]!.request.filters.areas[0]!.geometry.xy]).toEqual(ring(-68).flat());
});

it('a long body of a request that is refused before it is read leaves the connection to the next', async () => {
  const refused = request(body(-70), 'plat_none');
  expect(await statuses([refused, refused, request(body(-68))])).toEqual([401, 401, 200]);
});

it('the memory of a long body that nobody reads is given back', async () => {
  const raw = new PassThrough();
  dropBody({ raw, headers: { 'content-length': String(LONG) } } as unknown as FastifyRequest);
  const piece = Buffer.from(new ArrayBuffer(LONG));
  raw.write(piece);
  await vi.waitFor(() => expect(piece.buffer.byteLength).toBe(0));
});
