import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ cache: false, plan: 'scale' });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  fixture.engine.calls.length = 0;
  fixture.engine.answers.clear();
  fixture.engine.before = async () => {};
  await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
});

const BODY = {
  locations: [
    { lat: 44, lng: -68 },
    { lat: 45, lng: -68 },
  ],
  fields: ['elevation', 'parcel_apn'],
};
const PRICE = 2 * 151;
let keys = 0;
const newKey = () => `a-key_${String(keys++).padStart(4, '0')}`;
const send = (key: string, body: unknown = BODY) => client.post('/v1/fetch/batch', body, { 'Idempotency-Key': key });
const used = async () => (await client.get('/v1/users/me/usage')).json.credits_used as number;

it('replays the stored result with replayed: true, without work or charge', async () => {
  const key = newKey();
  const before = await used();
  const first = await send(key);
  expect(first.status).toBe(200);
  expect(first.json).not.toHaveProperty('replayed');
  fixture.engine.calls.length = 0;
  fixture.clock.time += 60_000;
  const second = await send(key);
  expect(second.status).toBe(200);
  expect(second.json).toStrictEqual({ ...first.json, replayed: true });
  expect(fixture.engine.calls).toHaveLength(0);
  expect((await used()) - before).toBe(PRICE);
});

it('takes a body that differs by the order of its keys for the same one', async () => {
  const key = newKey();
  const { json } = await send(key);
  const turned = { fields: BODY.fields, locations: BODY.locations.map(({ lat, lng }) => ({ lng, lat })) };
  expect(JSON.stringify(turned)).not.toBe(JSON.stringify(BODY));
  expect((await send(key, turned)).json).toStrictEqual({ ...json, replayed: true });
});

it.each([
  ['other fields', { ...BODY, fields: ['elevation'] }],
  ['other order of fields', { ...BODY, fields: [...BODY.fields].reverse() }],
  ['other order of locations', { ...BODY, locations: [...BODY.locations].reverse() }],
  ['another place', { ...BODY, locations: [{ lat: 44, lng: -68.0000001 }, BODY.locations[1]] }],
])('%s under the key is idempotency_key_reused', async (_, body) => {
  const key = newKey();
  await send(key);
  const before = await used();
  const { status, json, headers } = await send(key, body);
  expect(status).toBe(409);
  expect(json.detail).toMatchObject({ error: 'idempotency_key_reused', retryable: false });
  expect(headers.get('retry-after')).toBeNull();
  expect(await used()).toBe(before);
});

it.each([
  ['7 characters', 'a'.repeat(7), 422],
  ['8 characters', 'a'.repeat(8), 200],
  ['128 characters', 'a'.repeat(128), 200],
  ['129 characters', 'a'.repeat(129), 422],
  ['every kind of character', 'Az09_-Az', 200],
  ['nothing', '', 422],
  ['a space', 'abcd efgh', 422],
  ['a dot', 'abcd.efgh', 422],
  ['a letter outside ASCII', 'abcdéfgh', 422],
])('a key of %s: %s is %d', async (_, key, expected) => {
  const { status, json } = await send(key);
  expect(status).toBe(expected);
  if (expected === 422) {
    expect(json.detail).toHaveLength(1);
    expect(json.detail[0].loc).toEqual(['header', 'idempotency-key']);
  }
});

it('takes two keys in one request for none that is valid', async () => {
  const { status } = await client.post('/v1/fetch/batch', BODY, { 'Idempotency-Key': 'abcdefgh, abcdefgi' });
  expect(status).toBe(422);
});

it('is free again after 24 hours', async () => {
  const key = newKey();
  await send(key);
  fixture.clock.time += 24 * 3_600_000 - 1;
  expect((await send(key)).json.replayed).toBe(true);
  fixture.clock.time += 1;
  const { status, json } = await send(key, { ...BODY, fields: ['elevation'] });
  expect(status).toBe(200);
  expect(json).not.toHaveProperty('replayed');
});

it.each([
  ['shape', { ...BODY, locations: [] }, 422],
  ['locator', { ...BODY, locations: [{}] }, 422],
  ['fields', { ...BODY, fields: ['nope'] }, 400],
])('is not used up by a request refused for its %s', async (_, body, expected) => {
  const key = newKey();
  expect((await send(key, body)).status).toBe(expected);
  const { status, json } = await send(key);
  expect(status).toBe(200);
  expect(json).not.toHaveProperty('replayed');
});

it('is not used up by a request refused for its cost', async () => {
  const key = newKey();
  await fixture.state.setMonthlyCreditLimit(fixture.account.id, 0);
  expect((await send(key)).status).toBe(402);
  await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
  const { status, json } = await send(key, { ...BODY, fields: ['elevation'] });
  expect(status).toBe(200);
  expect(json).not.toHaveProperty('replayed');
});

it('replays entries that failed, as they were', async () => {
  const key = newKey();
  const body = { ...BODY, locations: [{ lat: 0, lng: 0 }, ...BODY.locations] };
  const { json } = await send(key, body);
  expect(json.results[0].ok).toBe(false);
  expect((await send(key, body)).json).toStrictEqual({ ...json, replayed: true });
});

it('replays also when the credits are used up since', async () => {
  const key = newKey();
  await send(key);
  await fixture.state.setMonthlyCreditLimit(fixture.account.id, 0);
  expect((await send(key)).json.replayed).toBe(true);
});

it('while the first runs is batch_in_progress with Retry-After; another body is reused even then', async () => {
  const key = newKey();
  let go = () => {};
  const gate = new Promise<void>(resolve => {
    go = resolve;
  });
  const started = new Promise<void>(resolve => {
    fixture.engine.before = () => {
      resolve();
      return gate;
    };
  });
  const first = send(key);
  await started;
  const { status, json, headers } = await send(key);
  expect(status).toBe(409);
  expect(json.detail).toMatchObject({ error: 'batch_in_progress', retryable: true });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(key, { ...BODY, fields: ['elevation'] })).json.detail.error).toBe('idempotency_key_reused');
  go();
  expect((await first).json).not.toHaveProperty('replayed');
  expect((await send(key)).json.replayed).toBe(true);
});

it('of another account is another key', async () => {
  const key = newKey();
  await send(key);
  const other = await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'scale'));
  const { status, json } = await client.post(
    '/v1/fetch/batch',
    { ...BODY, fields: ['elevation'] },
    { 'Idempotency-Key': key, authorization: `Bearer ${other}` },
  );
  expect(status).toBe(200);
  expect(json).not.toHaveProperty('replayed');
});

it('goes on when its client has gone, so that the retry gets the result of the one execution', async () => {
  const key = newKey();
  const before = await used();
  const controller = new AbortController();
  let go = () => {};
  const gate = new Promise<void>(resolve => {
    go = resolve;
  });
  fixture.engine.before = () => {
    controller.abort();
    return gate;
  };
  await expect(
    fetch(`${client.base}/v1/fetch/batch`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        authorization: `Bearer ${fixture.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(BODY),
    }),
  ).rejects.toThrow();
  // What a server that stops waits for.
  expect(fixture.outliving.size).toBe(1);
  go();
  await expect.poll(async () => (await send(key)).json.replayed).toBe(true);
  expect(fixture.engine.calls).toHaveLength(2);
  expect((await used()) - before).toBe(PRICE);
  await expect.poll(() => fixture.outliving.size).toBe(0);
});

it('under 64 requests at once executes and charges once', async () => {
  const key = newKey();
  const before = await used();
  fixture.engine.before = () => new Promise(resolve => setTimeout(resolve, 20));
  const retry = async () => {
    for (;;) {
      const reply = await send(key);
      if (reply.status !== 409) return reply;
      expect(reply.json.detail.error).toBe('batch_in_progress');
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  };
  const replies = await Promise.all(Array.from({ length: 64 }, retry));
  expect(replies.every(reply => reply.status === 200)).toBe(true);
  expect(replies.filter(reply => reply.json.replayed === undefined)).toHaveLength(1);
  const { results } = replies[0]!.json;
  for (const reply of replies) expect(reply.json.results).toStrictEqual(results);
  expect(fixture.engine.calls).toHaveLength(2);
  expect((await used()) - before).toBe(PRICE);
});
