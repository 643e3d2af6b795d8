import { afterAll, beforeAll, expect, it } from 'vitest';
import { secret } from './logged.ts';
import { ROUTES } from './routes.ts';
import { bearer, call, nextAddress, openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ guests: true });
});
afterAll(() => world?.[Symbol.asyncDispose]());

async function guest({ fixture }: World = world, address = nextAddress()): Promise<string> {
  const answer = await fixture.app.inject({ method: 'POST', url: '/v1/guest', remoteAddress: address });
  return secret(answer.json().token);
}
const good = {
  fetch: { lat: 44.8, lng: -68.77, preset: 'terrain' },
  enrich: { lat: 44.8, lng: -68.77, preset: 'zoning' },
};
const post = (path: string, token: string, payload: object, remoteAddress = nextAddress()) =>
  world.fixture.app.inject({ method: 'POST', url: path, headers: bearer(token), payload, remoteAddress });

/** All that guests may do; a new entry here is a decision. */
const ALLOWED = ['GET /v1/suggest', 'POST /v1/enrich', 'POST /v1/fetch'];

it('a guest may do what is listed here and nothing else: every other operation that wants a token answers 401', async () => {
  const listed = Object.entries(ROUTES).flatMap(([name, { guests }]) => (guests ? [name] : []));
  expect(listed.sort()).toEqual(ALLOWED);
  const token = await guest();
  const answered: string[] = [];
  for (const operation of world.operations) {
    if (operation.entry.callers === 'anybody') continue;
    const { status, json } = await call(world, operation, bearer(token));
    if (status === 401) expect(json.detail.error, operation.name).toBe('auth_invalid');
    else answered.push(operation.name);
  }
  expect(answered.sort()).toEqual(ALLOWED);
  for (const method of ['POST', 'GET', 'DELETE'] as const) {
    const headers = { ...bearer(token), accept: 'application/json, text/event-stream' };
    const mcp = await world.fixture.app.inject({ method, url: '/mcp', headers, remoteAddress: nextAddress() });
    expect([method, mcp.statusCode]).toEqual([method, 401]);
  }
});

it("reads fields of named presets alone, at nobody's cost and without a trace in the store", async () => {
  const { state, account, clock } = world.fixture;
  const token = await guest();
  for (const path of ['fetch', 'enrich'] as const)
    expect((await post(`/v1/${path}`, token, good[path])).statusCode, path).toBe(200);
  const point = { lat: 44.8, lng: -68.77 };
  const outside = await post('/v1/fetch', token, { ...point, fields: ['parcel_apn'] });
  expect([outside.statusCode, outside.json().detail.error]).toEqual([401, 'auth_invalid']);
  expect((await post('/v1/fetch', token, { ...point, fields: ['slope_degrees'] })).statusCode).toBe(200);
  expect((await post('/v1/enrich', token, point)).statusCode).toBe(401);
  const period = new Date(clock.time).toISOString().slice(0, 7);
  expect(await state.ledger.usage(account.id, period, clock.time)).toMatchObject({ spent: 0, held: 0 });
});

it('resolves an address where that costs the operator nothing, and keeps nothing of it', async () => {
  const { fixture } = world;
  const token = await guest();
  const body = { address: '73 Harlow St, Bangor, ME', preset: 'terrain' };
  expect((await post('/v1/fetch', token, body)).statusCode).toBe(401);
  Object.assign(fixture.tier, { isFree: true });
  for (let i = 0; i < 2; i++) expect((await post('/v1/fetch', token, body)).statusCode).toBe(200);
  Object.assign(fixture.tier, { isFree: false });
});

it('holds an hour, and no other text than the one that was made', async () => {
  const token = await guest();
  const { clock } = world.fixture;
  clock.time += 59 * 60_000;
  expect((await post('/v1/fetch', token, good.fetch)).statusCode).toBe(200);
  for (const other of [
    `${token}x`,
    `${token.slice(0, -1)}`,
    token.slice('guest_'.length),
    'guest_',
    `guest_${Date.now() * 2}`,
  ])
    expect((await post('/v1/fetch', other, good.fetch)).statusCode, other).toBe(401);
  clock.time += 60_000;
  const late = await post('/v1/fetch', token, good.fetch);
  expect([late.statusCode, late.json().detail.error]).toEqual([401, 'auth_invalid']);
});

it('is limited by the address of its client, whatever tokens it takes', async () => {
  const { clock } = world.fixture;
  clock.time += 60_000 - (clock.time % 60_000);
  const [here, there] = ['203.0.113.7', '203.0.113.8'];
  const tokens: string[] = [];
  for (let i = 0; i < 10; i++) tokens.push(await guest(world, here));
  const more = await world.fixture.app.inject({ method: 'POST', url: '/v1/guest', remoteAddress: here });
  expect([more.statusCode, more.json().detail.error]).toEqual([429, 'rate_limited']);
  const ask = async (address: string, i: number) =>
    (await post('/v1/fetch', tokens[i % 10]!, good.fetch, address)).statusCode;
  for (let i = 0; i < 60; i++) expect(await ask(here, i)).toBe(200);
  expect([await ask(here, 0), await ask(there, 0)]).toEqual([429, 200]);
});

it('there are none unless the operator says so, and then a token of another server is none here', async () => {
  await using closed = await openWorld();
  const token = await guest();
  const answer = await closed.fixture.app.inject({ method: 'POST', url: '/v1/guest', remoteAddress: nextAddress() });
  expect([answer.statusCode, answer.json().token, typeof answer.json().reason]).toEqual([200, null, 'string']);
  for (const headers of [bearer(token), {}]) {
    const request = {
      method: 'POST',
      url: '/v1/fetch',
      headers,
      payload: good.fetch,
      remoteAddress: nextAddress(),
    } as const;
    expect((await closed.fixture.app.inject(request)).statusCode).toBe(401);
  }
});
