import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, PlatError } from '../../client/client.ts';

/** What a service was asked, and what it answers, in turn; an error is a connection that breaks. */
interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}
let sent: Sent[] = [];
let answers: (() => Response)[] = [];

const breaks = () => {
  throw new TypeError('fetch failed');
};
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
const refusal = (status: number, error: string, retryable: boolean, headers: Record<string, string> = {}) =>
  json(status, { detail: { error, message: `It is ${error}.`, retryable, more: 7 } }, headers);

const client = (more: Partial<ClientOptions> = {}) =>
  createClient({
    url: 'http://plat.example/',
    token: 'a-token',
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init as Sent['init'] });
      return answers.shift()!();
    },
    ...more,
  });
const place = { lat: 44.8, lng: -68.77, fields: ['elevation'] };

beforeEach(() => {
  sent = [];
  answers = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What became of a promise after some time. */
async function after(ms: number, promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = 'pending';
  promise.then(
    value => {
      state = value;
    },
    error => {
      state = error;
    },
  );
  await vi.advanceTimersByTimeAsync(ms);
  return state;
}

it('sends an operation as the API description has it', async () => {
  answers = [json(200, { fields: {} }), json(200, { run_id: 'a/b' }), json(200, { fields: [] })];
  await client().fetch(place);
  await client().run({ run_id: 'a/b' });
  await client({ token: undefined }).fieldCatalog();
  expect(sent.map(({ url, init }) => [init.method, url])).toEqual([
    ['POST', 'http://plat.example/v1/fetch'],
    ['GET', 'http://plat.example/v1/runs/a%2Fb'],
    ['GET', 'http://plat.example/v1/meta/fields'],
  ]);
  expect(sent[0]!.init.headers).toEqual({ authorization: 'Bearer a-token', 'content-type': 'application/json' });
  expect(JSON.parse(sent[0]!.init.body as string)).toEqual(place);
  expect(sent[1]!.init).toMatchObject({ headers: { authorization: 'Bearer a-token' }, body: undefined });
  expect(sent[2]!.init.headers).toEqual({});
});

it('waits for what Retry-After asks at least, in seconds and as a date, and a little more', async () => {
  answers = [
    refusal(429, 'fetch_busy', true, { 'retry-after': '7' }),
    refusal(429, 'rate_limited', true, { 'retry-after': new Date(Date.now() + 20_000).toUTCString() }),
    json(200, { fields: {} }),
  ];
  const asked = client().fetch(place);
  expect(await after(7_000, asked)).toBe('pending');
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(sent).toHaveLength(2);
  expect(await after(10_000, asked)).toBe('pending');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await asked).toEqual({ fields: {} });
  expect(sent).toHaveLength(3);
});

it('waits longer each time where nobody says how long, and stops after its attempts', async () => {
  answers = Array.from({ length: 5 }, () => refusal(503, 'state_unavailable', true));
  const chance = vi.spyOn(Math, 'random').mockReturnValue(1);
  const asked = client({ retries: { attempts: 5 } }).fetch(place);
  for (const [i, ms] of [250, 500, 1_000, 2_000].entries()) {
    await after(ms - 1, asked);
    expect(sent).toHaveLength(i + 1);
    await after(1, asked);
  }
  chance.mockRestore();
  expect(await after(0, asked)).toMatchObject({ code: 'state_unavailable', retryable: true });
  expect(sent).toHaveLength(5);
});

it('fails at once where waiting takes too long, or sending it again is of no use', async () => {
  answers = [
    refusal(402, 'credits_exhausted', true, { 'retry-after': new Date(Date.now() + 86_400_000).toUTCString() }),
    refusal(400, 'fields_unknown', false, { 'x-request-id': 'r-1', 'retry-after': '1' }),
    json(422, { detail: [{ loc: ['body', 'lat'], msg: 'Input should be a valid number', type: 'float_type' }] }),
    () => new Response('Internal Server Error', { status: 500 }),
  ];
  const failure = () =>
    client()
      .fetch(place)
      .catch((error: unknown) => error as PlatError);
  const spent = (await failure()) as PlatError;
  expect([spent.code, spent.retryable]).toEqual(['credits_exhausted', true]);
  expect(spent.retryAfterMs).toBeGreaterThan(86_000_000);
  const unknown = (await failure()) as PlatError;
  expect(unknown).toBeInstanceOf(PlatError);
  expect(unknown).toMatchObject({ code: 'fields_unknown', status: 400, requestId: 'r-1', detail: { more: 7 } });
  expect(unknown.message).toBe('It is fields_unknown.');
  const shape = (await failure()) as PlatError;
  expect(shape).toMatchObject({ code: null, status: 422, issues: [{ loc: ['body', 'lat'] }] });
  expect(shape.message).toContain('body.lat: Input should be a valid number');
  expect(await failure()).toMatchObject({ code: null, status: 500, message: 'HTTP 500', issues: [] });
  expect(sent).toHaveLength(4);
});

it('sends again what broke only where a second request changes and costs nothing', async () => {
  answers = [breaks, breaks, json(200, { run_id: 'x' })];
  await expect(client().fetch(place)).rejects.toThrow('fetch failed');
  expect(sent).toHaveLength(1);
  expect(await after(1_000, client().run({ run_id: 'x' }))).toEqual({ run_id: 'x' });
});

it('gives a request a key of its own and keeps it, or takes the one that it was given', async () => {
  const batch = { locations: [{ lat: 44.8, lng: -68.77 }], fields: ['elevation'] };
  answers = [breaks, json(200, {}), json(200, {}), json(202, {})];
  await after(1_000, client().fetchBatch(batch));
  await client().fetchBatch(batch);
  await client().submitRun({ kind: 'fetch_batch', request: batch }, { idempotencyKey: 'mine-0001' });
  const keys = sent.map(({ init }) => init.headers['idempotency-key']!);
  expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(keys[3]).toBe('mine-0001');

  const ask = {
    description: 'Distance to the nearest covered bridge',
    example_locations: [{ lat: 44.8, lng: -68.77 }],
  };
  answers = [breaks, json(202, {}), json(202, {}), json(202, {})];
  await after(1_000, client().fileFieldRequest(ask));
  await client().fileFieldRequest(ask, { idempotencyKey: 'mine-0002' });
  await client().fileFieldRequest({ ...ask, idempotency_key: 'mine-0003' });
  const bodies = sent.slice(4).map(({ init }) => JSON.parse(init.body as string));
  expect(bodies[0]).toEqual({ ...ask, idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(bodies.map(body => body.idempotency_key)).toEqual([
    bodies[0].idempotency_key,
    bodies[0].idempotency_key,
    'mine-0002',
    'mine-0003',
  ]);
});

it('ends with its signal, while it waits too', async () => {
  answers = [refusal(429, 'fetch_busy', true, { 'retry-after': '30' })];
  const controller = new AbortController();
  const asked = client().fetch(place, { signal: controller.signal });
  expect(await after(1_000, asked)).toBe('pending');
  controller.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  expect(sent).toHaveLength(1);
});
