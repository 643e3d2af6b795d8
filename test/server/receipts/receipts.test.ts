import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { isSigned, type Receipt } from '../../../server/receipts/document.ts';
import { createReceiptKeys, type PublishedKey, publicKeyOf } from '../../../server/receipts/keys.ts';
import { StateUnavailable } from '../../../server/state/outage/unavailable.ts';
import { type Fixture, openFixture, SECRET } from '../service-fixture.ts';

const RELEASE = '20261120-ab12cd34';
const ASKING = { 'x-service-receipt': '1' };
let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ guests: true });
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.reset();
  fixture.engine.kept = [RELEASE];
  fixture.engine.current = { ...fixture.engine.current, release: RELEASE };
  fixture.engine.answers.set('elevation', { value: 12 });
});

async function post(url: string, payload: object, headers: Record<string, string> = ASKING, token = fixture.token) {
  const reply = await fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    payload,
  });
  return { status: reply.statusCode, id: reply.headers['x-service-receipt'] as string | undefined, text: reply.body };
}

async function receiptOf(id: string, token = fixture.token) {
  const url = `/v1/receipts/${id}`;
  const reply = await fixture.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return { status: reply.statusCode, body: reply.json() };
}

const keys = async (): Promise<PublishedKey[]> =>
  (await fixture.app.inject('/.well-known/receipt-keys.json')).json().keys;
const keyOf = async ({ key_id }: Receipt) => publicKeyOf((await keys()).find(({ kid }) => kid === key_id)!);

let east = 0;
const fetchBody = () => ({ lat: 44, lng: -68 - ++east / 1000, fields: ['elevation'] });

it('says what was asked, answered and read, signed by a key that is published', async () => {
  const body = fetchBody();
  const { id, text } = await post('/v1/fetch', body);
  expect(id).toMatch(/^rcpt_[a-z2-7]{26}$/);
  const { status, body: receipt } = await receiptOf(id!);
  expect(status).toBe(200);
  expect(receipt).toMatchObject({
    receipt_id: id,
    request: { method: 'POST', path: '/v1/fetch', body },
    answer: { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') },
    release: { id: RELEASE, layers: [{ layer: 'test:elevation' }] },
    engine: { name: 'plat' },
  });
  expect(Object.keys(receipt.answer.parts)).toEqual(
    expect.arrayContaining(['lat', 'fields.elevation.value', 'resolved_location.source']),
  );
  expect(Object.keys(receipt.answer.parts).filter(path => path.includes('fetched_at'))).toEqual([]);
  const key = await keyOf(receipt);
  expect(isSigned(receipt, key)).toBe(true);
  // The order of names says nothing; any value does.
  expect(isSigned(Object.fromEntries(Object.entries(receipt).reverse()) as unknown as Receipt, key)).toBe(true);
  const altered = { ...receipt, answer: { ...receipt.answer, bytes: receipt.answer.bytes + 1 } };
  expect(isSigned(altered, key)).toBe(false);
});

it('is of the content, whenever it is asked for, and of another content where a value is another', async () => {
  const body = fetchBody();
  const contents: string[] = [];
  for (const value of [12, 12, 13]) {
    fixture.engine.version = `v${contents.length}`;
    fixture.engine.answers.set('elevation', { value });
    fixture.clock.time += 60_000;
    const { body: receipt } = await receiptOf((await post('/v1/fetch', body)).id!);
    contents.push(receipt.answer.content_sha256);
  }
  expect(contents[1]).toBe(contents[0]);
  expect(contents[2]).not.toBe(contents[0]);
});

it.each([
  [
    '/v1/fetch/batch',
    () => ({ locations: [fetchBody()].map(({ lat, lng }) => ({ lat, lng })), fields: ['elevation'] }),
  ],
  ['/v1/enrich', () => ({ lat: 44, lng: -68 })],
  ['/v1/lookup', () => ({ input: '44,-68' })],
  ['/v1/search', () => ({ filters: [{ field: 'state', op: 'eq', value: 'ME' }] })],
  ['/v1/search/count', () => ({ filters: [{ field: 'state', op: 'eq', value: 'ME' }] })],
])('is given for POST %s', async (url, body) => {
  const { status, id } = await post(url, body());
  expect(status).toBe(200);
  expect((await receiptOf(id!)).body.request.path).toBe(url);
});

it('is given only where it is asked for with 1, and of an answer in JSON that names its release', async () => {
  const others: readonly Record<string, string>[] = [{}, { 'x-service-receipt': '0' }, { 'x-service-receipt': 'yes' }];
  for (const headers of others) expect((await post('/v1/fetch', fetchBody(), headers)).id).toBeUndefined();
  expect((await post('/v1/fetch', fetchBody(), { ...ASKING, accept: 'text/csv' })).id).toBeUndefined();
  expect((await post('/v1/fetch', { lat: 44, lng: -68 })).id).toBeUndefined();
  expect((await post('/v1/fetch/quote', { fields: ['elevation'], locations: 1 })).id).toBeUndefined();
  const { token } = (await fixture.app.inject({ method: 'POST', url: '/v1/guest', payload: {} })).json();
  const guest = await post('/v1/fetch', { lat: 44, lng: -68, preset: 'terrain' }, ASKING, token);
  expect([guest.status, guest.id]).toEqual([200, undefined]);
});

it('is read by its account alone, for thirty days', async () => {
  const { id } = await post('/v1/fetch', fetchBody());
  const other = await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'free'));
  for (const [asked, token] of [
    [id!, other],
    ['rcpt_aaaaaaaaaaaaaaaaaaaaaaaaaa', fixture.token],
    ['x', fixture.token],
  ] as const) {
    const { status, body } = await receiptOf(asked, token);
    expect([status, body.detail.error]).toEqual([404, 'receipt_not_found']);
  }
  fixture.clock.time += 30 * 24 * 3_600_000;
  expect((await receiptOf(id!)).status).toBe(404);
});

it('is missing rather than that an answer is held back', async () => {
  const { receipts } = fixture.state;
  const down = vi.spyOn(receipts, 'add').mockRejectedValue(new StateUnavailable(new Error('down')));
  expect(await post('/v1/fetch', fetchBody())).toMatchObject({ status: 200, id: undefined });
  down.mockRestore();
  const gone = vi.spyOn(fixture.engine, 'evidence').mockRejectedValue(new Error('a fault'));
  expect(await post('/v1/fetch', fetchBody())).toMatchObject({ status: 200, id: undefined });
  gone.mockRestore();
});

it('leaves a long body to whoever sent it', async () => {
  const locations = Array.from({ length: 25 }, (_, i) => ({ lat: 44, lng: -68 - i / 1000 }));
  const padded = { locations: locations.slice(0, 2), fields: Array(5_000).fill('elevation') };
  const { status, id } = await post('/v1/fetch/batch', padded);
  expect(status).toBe(200);
  const { body: receipt } = await receiptOf(id!);
  expect(receipt.request.body).toBeNull();
  expect(receipt.request.sha256).toMatch(/^[0-9a-f]{64}$/);
});

it('is signed by another key after a rotation, and earlier ones stay valid', async () => {
  const { body: before } = await receiptOf((await post('/v1/fetch', fetchBody())).id!);
  fixture.clock.time += 1_000;
  const kid = await createReceiptKeys(fixture.state.receiptKeys, SECRET, fixture.clock).rotate();
  const { body: after } = await receiptOf((await post('/v1/fetch', fetchBody())).id!);
  expect([after.key_id, after.key_id === before.key_id]).toEqual([kid, false]);
  for (const receipt of [before, after]) expect(isSigned(receipt, await keyOf(receipt))).toBe(true);
  const [now, then] = await keys();
  expect([now!.signed_until, then!.signed_until]).toEqual([null, now!.signs_from]);
  expect(JSON.stringify(await keys())).not.toContain('"d"');
  expect((await fixture.state.receiptKeys.keys()).map(({ sealed }) => sealed === null)).toEqual([false, true]);
});

it('is made by a server with another secret with a key of its own', async () => {
  const other = createReceiptKeys(fixture.state.receiptKeys, 'another secret for tests, long enough', fixture.clock);
  fixture.clock.time += 1_000;
  const { key_id } = await other.sign({} as never);
  expect((await keys()).map(key => key.kid)).toContain(key_id);
  const { body: receipt } = await receiptOf((await post('/v1/fetch', fetchBody())).id!);
  expect(receipt.key_id).not.toBe(key_id);
});
