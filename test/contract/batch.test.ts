import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineBusy, WorkerStopped } from '../../query/engine/engine-interface.ts';
import { fetchBatch } from '../../server/fetch/batch.ts';
import { contextFor, type Fixture, openFixture } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ cache: false, plan: 'scale' });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.calls.length = 0;
  fixture.engine.answers.clear();
  fixture.engine.before = async () => {};
});

const place = (i: number) => ({ lat: 44 + i / 100, lng: -68 });
const places = (count: number) => Array.from({ length: count }, (_, i) => place(i));
const send = (body: unknown, headers?: Record<string, string>) => client.post('/v1/fetch/batch', body, headers);
const used = async () => (await client.get('/v1/users/me/usage')).json.credits_used as number;

describe('a batch', () => {
  it('answers each location at its index with exactly the keys of a fetch', async () => {
    fixture.engine.answers.set('elevation', { status: 'failed', value: null, error: 'x', retryable: false });
    const single = (await client.post('/v1/fetch', { ...place(0), fields: ['elevation', 'flood_note'] })).json;
    const { status, json } = await send({ locations: places(7), fields: ['elevation', 'flood_note'] });
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      fetched_at: '2026-01-02T03:04:05.678Z',
      results: places(7).map((point, index) => ({
        index,
        ok: true,
        ...single,
        ...point,
        resolved_location: { ...point, source: 'coordinate' },
      })),
    });
  });

  it('expands a preset for all locations, with the order and the cap of a fetch', async () => {
    const { json } = await send({ locations: places(2), preset: 'terrain', fields: ['flood_note', 'elevation'] });
    for (const { fields } of json.results)
      expect(Object.keys(fields)).toEqual(['slope_degrees', 'elevation', 'flood_note']);
    expect((await send({ locations: places(1), preset: 'natural_hazard' })).status).toBe(200);
    const many = await send({ locations: places(1), preset: 'natural_hazard', fields: ['filler_50'] });
    expect(many.status).toBe(400);
    expect(many.json.detail).toMatchObject({ error: 'fields_too_many', max: 50, requested: 51 });
  });

  it('takes 25 locations, the same one too, four at a time', async () => {
    let running = 0;
    let most = 0;
    fixture.engine.before = async () => {
      most = Math.max(most, ++running);
      await new Promise(resolve => setTimeout(resolve, 5));
      running--;
    };
    const { status, json } = await send({
      locations: Array.from({ length: 25 }, () => place(0)),
      fields: ['elevation'],
    });
    expect(status).toBe(200);
    expect(json.results.map((entry: { index: number }) => entry.index)).toEqual([...Array(25).keys()]);
    expect(most).toBe(4);
    expect(fixture.engine.calls).toHaveLength(25);
  });

  it('gives each location 20 seconds and the whole 90', async () => {
    const start = fixture.clock.time;
    fixture.engine.before = async () => {
      fixture.clock.time += 8_000;
    };
    await send({ locations: places(12), fields: ['elevation'] });
    const deadlines = fixture.engine.calls.map(call => call.deadline - start);
    fixture.clock.time = start;
    expect(deadlines[0]).toBe(20_000);
    expect(Math.max(...deadlines)).toBe(90_000);
  });

  it.each([
    ['outside', { lat: 0, lng: 0 }, 'coord_out_of_bounds', false],
    ['address', { address: '1 Main St, Bangor, ME' }, 'address_not_found', false],
  ])('%s is a failure of that location alone, at no charge', async (_, location, error, retryable) => {
    const before = await used();
    const { status, json } = await send({ locations: [place(0), location, place(1)], fields: ['elevation'] });
    expect(status).toBe(200);
    expect(json.results.map((entry: { ok: boolean }) => entry.ok)).toEqual([true, false, true]);
    expect(json.results[1]).toStrictEqual({
      index: 1,
      ok: false,
      error: { error, message: expect.any(String), retryable },
    });
    expect((await used()) - before).toBe(2);
  });

  it('of failing locations only is still a 200, at no charge', async () => {
    const before = await used();
    const { status, json } = await send({ locations: [{ lat: 0, lng: 0 }], fields: ['parcel_apn'] });
    expect(status).toBe(200);
    expect(json.results[0].ok).toBe(false);
    expect(await used()).toBe(before);
  });

  it('shed at capacity is fetch_busy at that location, at no charge', async () => {
    const before = await used();
    fixture.engine.before = async () => {
      if (fixture.engine.calls.length === 2) throw new EngineBusy('full');
    };
    const { json } = await send({ locations: places(3), fields: ['elevation', 'parcel_apn'] });
    const shed = json.results.filter((entry: { ok: boolean }) => !entry.ok);
    expect(shed).toHaveLength(1);
    expect(shed[0].error).toMatchObject({ error: 'fetch_busy', retryable: true });
    expect((await used()) - before).toBe(2 * 151);
  });

  it('whose worker stopped is worker_stopped there, at no charge', async () => {
    const before = await used();
    fixture.engine.before = async () => {
      if (fixture.engine.calls.length === 2) throw new WorkerStopped();
    };
    const { status, json } = await send({ locations: places(3), fields: ['elevation', 'parcel_apn'] });
    expect(status).toBe(200);
    const entries = json.results.filter((entry: { ok: boolean }) => !entry.ok);
    expect(entries).toHaveLength(1);
    expect(entries[0].error).toMatchObject({ error: 'worker_stopped', retryable: true });
    expect((await used()) - before).toBe(2 * 151);
  });

  it('goes on after an unforeseen fault at one location, which tells nothing of it', async () => {
    const before = await used();
    fixture.engine.before = async () => {
      if (fixture.engine.calls.length === 1) throw new Error('secret detail');
    };
    const { status, json } = await send({ locations: places(3), fields: ['elevation'] });
    expect(status).toBe(200);
    expect(json.results[0]).toMatchObject({ ok: false, error: { error: 'location_failed', retryable: true } });
    expect(JSON.stringify(json)).not.toContain('secret');
    expect((await used()) - before).toBe(2);
  });

  it('says how far it is', async () => {
    const steps: string[] = [];
    const body = { locations: [...places(5), { lat: 0, lng: 0 }], fields: ['elevation'] };
    await fetchBatch(contextFor(fixture), body, { onProgress: (done, total) => steps.push(`${done}/${total}`) });
    expect(steps).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6']);
  });

  it('whose client has gone stops and costs nothing', async () => {
    const before = await used();
    const controller = new AbortController();
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
    await expect(
      fetch(`${client.base}/v1/fetch/batch`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ locations: places(9), fields: ['elevation'] }),
      }),
    ).rejects.toThrow();
    await aborted;
    await expect.poll(used).toBe(before);
    expect(fixture.engine.calls.length).toBeLessThanOrEqual(4);
  });
});

describe('whole-request errors', () => {
  it.each([
    ['no locations', { locations: [] }, 'too_short', ['body', 'locations']],
    ['26 locations', { locations: places(26) }, 'too_long', ['body', 'locations']],
    ['a count', { locations: 3 }, 'list_type', ['body', 'locations']],
    ['none', {}, 'missing', ['body', 'locations']],
    ['null', { locations: null }, 'list_type', ['body', 'locations']],
    ['a location that is none', { locations: [5] }, 'model_attributes_type', ['body', 'locations', 0]],
    [
      'a wrong type inside',
      { locations: [place(0), { lat: '44', lng: -68 }] },
      'float_type',
      ['body', 'locations', 1, 'lat'],
    ],
    ['an unknown key inside', { locations: [{ ...place(0), z: 1 }] }, 'extra_forbidden', ['body', 'locations', 0, 'z']],
    ['an unknown key', { locations: places(1), lat: 44 }, 'extra_forbidden', ['body', 'lat']],
    [
      'a long address',
      { locations: [{ address: 'x'.repeat(257) }] },
      'string_too_long',
      ['body', 'locations', 0, 'address'],
    ],
    ['an unknown preset', { locations: places(1), preset: 'x' }, 'literal_error', ['body', 'preset']],
  ])('%s is 422', async (_, body, type, loc) => {
    const { status, json } = await send({ fields: ['elevation'], ...body });
    expect(status).toBe(422);
    expect(json.detail).toHaveLength(1);
    expect(json.detail[0]).toMatchObject({ type, loc });
  });

  it.each([
    [{}, 'neither'],
    [{ lat: 44 }, '`lng` is missing'],
    [{ lat: 44, lng: -68, address: 'x' }, 'both'],
    [{ lat: null, lng: null, address: null }, 'neither'],
  ])('locator %j is invalid_locator for the whole request and names its index', async (locator, reason) => {
    const { status, json } = await send({ locations: [place(0), locator], fields: ['elevation'] });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject({ error: 'invalid_locator', retryable: false, index: 1 });
    expect(json.detail.message).toContain('locations[1]');
    expect(json.detail.message).toContain(reason);
    expect(fixture.engine.calls).toHaveLength(0);
  });

  it.each([
    [{}, 'no_fields_requested'],
    [{ fields: [] }, 'no_fields_requested'],
    [{ fields: ['nope'] }, 'fields_unknown'],
    [{ fields: Array.from({ length: 51 }, (_, i) => `filler_${i}`) }, 'fields_too_many'],
  ])('%j is %s before any work', async (selection, error) => {
    const before = await used();
    const { status, json } = await send({ locations: places(3), ...selection });
    expect(status).toBe(400);
    expect(json.detail.error).toBe(error);
    expect(fixture.engine.calls).toHaveLength(0);
    expect(await used()).toBe(before);
  });
});

it('answers what its own OpenAPI document promises', async () => {
  const openapi = (await client.get('/v1/openapi.json')).json;
  const { responses, parameters } = openapi.paths['/v1/fetch/batch'].post;
  expect(parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false }]);
  const ajv = new Ajv({ strict: false });
  const key = { 'idempotency-key': 'promise-1' };
  const bodies: [unknown, Record<string, string>?][] = [
    [{ locations: [place(0), { lat: 0, lng: 0 }], fields: ['elevation', 'parcel_apn'] }, key],
    [{ locations: [place(0), { lat: 0, lng: 0 }], fields: ['elevation', 'parcel_apn'] }, key],
    [{ locations: places(1), fields: ['elevation'] }, key],
    [{ locations: [] }],
    [{ locations: [{}], fields: ['elevation'] }],
    [{ locations: places(1), fields: ['nope'] }],
  ];
  const seen: number[] = [];
  for (const [body, headers] of bodies) {
    const { status, json } = await send(body, headers);
    seen.push(status);
    const validate = ajv.compile({
      ...responses[status].content['application/json'].schema,
      components: openapi.components,
    });
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  }
  expect(seen).toEqual([200, 200, 409, 422, 422, 400]);
});
