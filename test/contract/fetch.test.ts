import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineBusy } from '../../query/engine/engine-interface.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';

let fixture: Fixture;
let base: string;

beforeAll(async () => {
  fixture = await openFixture({ cache: false });
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(fixture.app.server.address() as AddressInfo).port}`;
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.calls.length = 0;
  fixture.engine.answers.clear();
  fixture.engine.before = async () => {};
});

const POINT = { lat: 44.8, lng: -68.77 };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  readonly json: any;
}

async function send(body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(`${base}/v1/fetch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

describe('a fetch', () => {
  it('answers every field with exactly the record keys, in request order', async () => {
    fixture.engine.answers.set('flood_note', {
      status: 'absent',
      value: null,
      notes: 'Not mapped here.',
      vintage: null,
    });
    fixture.engine.answers.set('elevation', {
      status: 'failed',
      value: null,
      confidence: 'low',
      error: 'The file is damaged.',
      retryable: false,
    });
    const { status, json, headers } = await send({ ...POINT, fields: ['flood_note', 'slope_degrees', 'elevation'] });
    expect(status).toBe(200);
    const fetched_at = '2026-01-02T03:04:05.678Z';
    const shared = {
      source: 'test_dem',
      source_url: 'https://example.org/dem',
      fetched_at,
      ttl_seconds: 3600,
    };
    expect(json).toStrictEqual({
      ...POINT,
      fetched_at,
      fields: {
        flood_note: {
          ...shared,
          value: null,
          unit: null,
          confidence: 'high',
          dataset_vintage: null,
          notes: 'Not mapped here.',
          status: 'absent',
        },
        slope_degrees: {
          ...shared,
          value: 12.5,
          unit: 'degrees',
          confidence: 'high',
          dataset_vintage: '2021',
          notes: null,
          status: 'ok',
        },
        elevation: {
          ...shared,
          value: null,
          unit: 'm',
          confidence: 'low',
          dataset_vintage: '2021',
          notes: null,
          status: 'failed',
          error: 'The file is damaged.',
          retryable: false,
        },
      },
      partial_failures: [{ field: 'elevation', source: 'test_dem', error: 'The file is damaged.', retryable: false }],
      resolved_location: { ...POINT, source: 'coordinate' },
    });
    expect(Object.keys(json.fields)).toEqual(['flood_note', 'slope_degrees', 'elevation']);
    for (const header of ['cache-control', 'etag', 'expires', 'last-modified']) expect(headers.get(header)).toBeNull();
  });

  it('gives the engine 20 seconds', async () => {
    await send({ ...POINT, fields: ['elevation'] });
    expect(fixture.engine.calls[0]!.deadline).toBe(fixture.clock.time + 20_000);
  });

  it('expands the preset first and adds explicit fields once, in their order', async () => {
    const { json } = await send({ ...POINT, preset: 'terrain', fields: ['flood_note', 'elevation', 'flood_note'] });
    expect(Object.keys(json.fields)).toEqual(['slope_degrees', 'elevation', 'flood_note']);
    expect(fixture.engine.calls[0]!.names).toEqual(['slope_degrees', 'elevation', 'flood_note']);
  });

  it('takes null as not given', async () => {
    const { status } = await send({ ...POINT, address: null, preset: null, fields: ['elevation'] });
    expect(status).toBe(200);
  });

  it('accepts 50 fields and a preset of 50, and refuses 51 with both numbers', async () => {
    const fillers = Array.from({ length: 51 }, (_, i) => `filler_${i}`);
    expect((await send({ ...POINT, fields: fillers.slice(0, 50) })).status).toBe(200);
    expect((await send({ ...POINT, preset: 'natural_hazard', fields: fillers.slice(0, 50) })).status).toBe(200);
    for (const body of [{ fields: fillers }, { preset: 'natural_hazard', fields: ['filler_50'] }]) {
      const { status, json } = await send({ ...POINT, ...body });
      expect(status).toBe(400);
      expect(json.detail).toMatchObject({ error: 'fields_too_many', retryable: false, max: 50, requested: 51 });
    }
  });

  it('lists all unknown names together, each once', async () => {
    const { status, json } = await send({
      ...POINT,
      fields: ['nope', 'elevation', 'constructor', '', 'nope', '__proto__'],
    });
    expect(status).toBe(400);
    expect(json.detail).toMatchObject({
      error: 'fields_unknown',
      retryable: false,
      fields_unknown: ['nope', 'constructor', '', '__proto__'],
    });
    expect(fixture.engine.calls).toHaveLength(0);
  });

  it.each([[{}], [{ fields: [] }], [{ fields: null, preset: null }]])('refuses to answer nothing: %j', async body => {
    const { status, json } = await send({ ...POINT, ...body });
    expect(status).toBe(400);
    expect(json.detail.error).toBe('no_fields_requested');
  });

  it('answers an address that nobody knows with address_not_found', async () => {
    const { status, json } = await send({ address: '1 Main St, Bangor, ME', fields: ['elevation'] });
    expect(status).toBe(404);
    expect(json.detail).toMatchObject({ error: 'address_not_found', retryable: false });
  });

  it('answers overload with fetch_busy and Retry-After', async () => {
    fixture.engine.before = async () => {
      throw new EngineBusy('full');
    };
    const { status, json, headers } = await send({ ...POINT, fields: ['elevation'] });
    expect(status).toBe(429);
    expect(json.detail).toMatchObject({ error: 'fetch_busy', retryable: true });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('answers an unforeseen fault with a plain 500 that has neither body nor request id', async () => {
    fixture.engine.before = async () => {
      throw new Error('secret detail');
    };
    const response = await fetch(`${base}/v1/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...POINT, fields: ['elevation'] }),
    });
    expect(response.status).toBe(500);
    expect(response.headers.get('x-request-id')).toBeNull();
    expect(await response.text()).toBe('Internal Server Error');
  });

  it('ignores unknown headers and the onboarding header', async () => {
    const { status } = await send(
      { ...POINT, fields: ['elevation'] },
      { 'X-Service-Onboarding-Attempt': 'a', 'X-Other': 'b' },
    );
    expect(status).toBe(200);
  });

  it('tells the engine when the client has gone', async () => {
    const aborted = new Promise<void>(resolve => {
      fixture.engine.before = signal =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => {
            resolve();
            reject(signal!.reason);
          });
          controller.abort();
        });
    });
    const controller = new AbortController();
    await expect(
      fetch(`${base}/v1/fetch`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...POINT, fields: ['elevation'] }),
      }),
    ).rejects.toThrow();
    await aborted;
  });
});
