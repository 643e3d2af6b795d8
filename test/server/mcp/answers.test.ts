import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { pageText } from '../../../query/search/page/written-page.ts';
import { doJob } from '../../../server/jobs/attempt.ts';
import type { JobKind } from '../../../server/jobs/job-kind.ts';
import { Room } from '../../../server/memory/room.ts';
import { runJob } from '../../../server/runs/run-job.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';

const PLACE = { lat: 44.8, lng: -68.77 };
const SEARCH = { filters: [{ field: 'state', op: 'eq', value: 'ME' }], limit: 100, enrich: true };
/** Characters that nobody parses or writes in the thread that serves everybody. */
const MUCH = 100_000;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ catalog });
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.engine.reset());
afterEach(() => vi.restoreAllMocks());

/** The generations of the protocol: how a call is sent in each. */
const GENERATIONS = {
  2025: (name: string, req: object, progress?: string) => ({
    headers: {},
    params: { name, arguments: { req, view: 'full' }, ...(progress ? { _meta: { progressToken: progress } } : {}) },
  }),
  2026: (name: string, req: object, progress?: string) => ({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    params: {
      name,
      arguments: { req, view: 'full' },
      _meta: {
        [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
        [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
        [CLIENT_CAPABILITIES_META_KEY]: {},
        ...(progress ? { progressToken: progress } : {}),
      },
    },
  }),
} as const;

const head = () => ({
  authorization: `Bearer ${fixture.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

type Generation = keyof typeof GENERATIONS;

async function call(generation: Generation, name: string, req: object, progress?: string) {
  const { headers, params } = GENERATIONS[generation](`service_${name}`, req, progress);
  const payload = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  const reply = await fixture.app.inject({ method: 'POST', url: '/mcp', headers: { ...head(), ...headers }, payload });
  return { type: reply.headers['content-type'], body: reply.body };
}

/** The result in an answer, which is one message or a stream whose last event is the result. */
const resultOf = ({ body }: { body: string }) =>
  // biome-ignore lint/suspicious/noExplicitAny: messages of the protocol, looked into here
  (JSON.parse(body.startsWith('{') ? body : [...body.matchAll(/^data: (.+)$/gm)].at(-1)![1]!) as any).result;

/** Lengths of the longest text that was parsed, and of the longest that was written. */
function watchJson() {
  const [parse, stringify] = [JSON.parse, JSON.stringify];
  const longest = { parsed: 0, written: 0 };
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    longest.parsed = Math.max(longest.parsed, text.length);
    return parse(text, reviver) as unknown;
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...more: unknown[]) => {
    const text = stringify(value, ...(more as [])) as string | undefined;
    longest.written = Math.max(longest.written, text?.length ?? 0);
    return text as string;
  });
  return longest;
}

/** A page of so many bytes. */
function page(bytes: number) {
  const match = {
    apn: '1',
    address: null,
    city: null,
    county: 'Test',
    state: 'ME',
    acreage: 2.5,
    pad: 'é'.repeat(bytes / 4),
  };
  const first = [
    { ...match, pad: '', analysis_point: PLACE, fields: { struct: 'yes' }, field_status: { struct: 'ok' } },
  ];
  fixture.engine.found = {
    matches: pageText([Buffer.from(JSON.stringify([match, match]))]),
    status: 'limited',
    reason: 'limit_reached',
    next: null,
    outline: { count: 2, first: JSON.stringify(first) },
  };
  return [match, match];
}

describe.each([2025, 2026] as const)('the answer of a tool, by the protocol of %i', generation => {
  it('is the page that a search has written, which nobody parses or writes again', async () => {
    const matches = page(2_000_000);
    const longest = watchJson();
    const answer = await call(generation, 'search', SEARCH);
    vi.restoreAllMocks();
    expect(longest.parsed).toBeLessThan(MUCH);
    expect(longest.written).toBeLessThan(MUCH);
    const { content, structuredContent } = resultOf(answer);
    expect(structuredContent).toMatchObject({ status: 'limited', next_cursor: null, matches });
    expect(content[0].text).toBe(
      '2 parcels; limited (limit_reached).\n1. 1; Test, ME; 2.5 acres; 44.8,-68.77; struct yes\n… and 1 more lines in the structured content',
    );
  });

  it('is the record of a parcel that enrich has written, which nobody parses or writes again', async () => {
    const record = {
      value: 1,
      unit: null,
      source: 's',
      dataset_vintage: null,
      confidence: 'high',
      notes: null,
      status: 'ok',
    };
    const all = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`field_${i}`, record]));
    const text = (fields: object) => new TextEncoder().encode(JSON.stringify(fields));
    const [fields, first] = [text(all), text({ field_0: record })];
    fixture.engine.enriched = ({ outline }) => ({
      status: 'matched',
      parcel: { parcelId: 'p', apn: '1', address: null, source: 's', matchType: 'contains', metres: 0 } as never,
      enriched: {
        point: PLACE,
        method: 'stored_parcel_centroid',
        source: 's',
        failures: [],
        fields,
        ...(outline ? { outline: first } : {}),
      },
    });
    const longest = watchJson();
    const answer = await call(generation, 'enrich', PLACE);
    vi.restoreAllMocks();
    expect(longest.parsed).toBeLessThan(MUCH);
    expect(longest.written).toBeLessThan(MUCH);
    const { content, structuredContent } = resultOf(answer);
    expect(structuredContent.fields).toEqual(all);
    expect(structuredContent).not.toHaveProperty('outline');
    expect(content[0].text).toMatch(/Parcel matched: .*\nfield_0: 1 \[s, high confidence\]\n… and \d+ more lines/);
  });

  it('is the result of a run that is stored, which nobody parses or writes again', async () => {
    fixture.engine.answers.set('elevation', { value: 'x'.repeat(10_000) });
    const locations = Array.from({ length: 25 }, (_, i) => ({ lat: 44 + i / 100, lng: -68 }));
    const request = { locations, fields: ['elevation'] };
    const { run_id } = resultOf(await call(generation, 'runs', { kind: 'fetch_batch', request })).structuredContent;
    const jobs = { ...contextFor(fixture), callbacks: NO_CALLBACKS };
    const claim = (await fixture.state.jobs.claim('run'))!;
    await doJob(jobs, runJob as unknown as JobKind, claim, new AbortController().signal);
    const longest = watchJson();
    const answer = await call(generation, 'runs', { run_id });
    const plain = await fixture.app.inject({ url: `/v1/runs/${run_id}`, headers: head() });
    const { body: events } = await fixture.app.inject({ url: `/v1/runs/${run_id}/events`, headers: head() });
    vi.restoreAllMocks();
    expect(longest.parsed).toBeLessThan(MUCH);
    expect(longest.written).toBeLessThan(MUCH);
    const { structuredContent } = resultOf(answer);
    expect(structuredContent).toMatchObject({ run_id, status: 'done', request, result: { results: { length: 25 } } });
    expect(JSON.parse(plain.body)).toEqual(structuredContent);
    expect(JSON.parse(/^event: final\ndata: (.+)$/m.exec(events)![1]!)).toEqual(structuredContent);
  });

  it('follows its progress in one stream, whole', async () => {
    const locations = Array.from({ length: 6 }, (_, i) => ({ lat: 44 + i / 100, lng: -68 }));
    const answer = await call(generation, 'fetch_batch', { locations, fields: ['elevation'] }, 'p');
    expect(answer.type).toBe('text/event-stream');
    expect(answer.body.match(/notifications\/progress/g)).toHaveLength(6);
    expect(resultOf(answer).structuredContent.results).toHaveLength(6);
  });

  it('holds its bytes until the client has read them or has gone', async () => {
    const hold = vi.spyOn(Room.prototype, 'hold');
    const { port } = fixture.app.server.address() as AddressInfo;
    const send = async () => {
      page(16_000_000);
      const { headers, params } = GENERATIONS[generation]('service_search', SEARCH);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
      const lines = Object.entries({ host: 'plat', ...head(), ...headers, 'content-length': body.length });
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(line => `${line.join(': ')}\r\n`).join('')}\r\n${body}`);
      const asked = fixture.engine.searches.length;
      while (fixture.engine.searches.length === asked) await sleep(5);
      const room = hold.mock.contexts.at(-1) as unknown as Room;
      // The estimate becomes what it is.
      while (room.used > 16_100_000) await sleep(5);
      expect(room.used).toBeGreaterThan(16_000_000);
      return { socket, room };
    };
    const gone = await send();
    gone.socket.destroy();
    while (gone.room.used > 0) await sleep(5);
    const read = await send();
    read.socket.resume();
    while (read.room.used > 0) await sleep(5);
    read.socket.destroy();
    await once(read.socket, 'close');
  });
});
