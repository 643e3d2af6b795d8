import { afterAll, beforeAll, expect, it } from 'vitest';
import { secretsIn, takeHeard } from '../../security/logged.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ rateLimit: true, plan: 'free' });
  fixture.engine.suggestions = [
    { kind: 'owner', text: 'SMITH JO', lng: -68.7, lat: 44.8, parcelId: 'pcl_x', source: 'synthetic:roll' },
    { kind: 'street', text: 'SMITH ST, BANGOR, ME', lng: -68.8, lat: 44.9, parcelId: null, source: 'synthetic:roads' },
  ];
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const get = (query: string, token = fixture.token) =>
  fixture.app.inject({ url: `/v1/suggest?${query}`, headers: { authorization: `Bearer ${token}` } });

it('answers what the engine finds, and hands text, point, kinds and limit over', async () => {
  const answer = await get('q=%20smith%20&lat=44.8&lng=-68.7&kinds=owner,street&limit=2');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    suggestions: [
      { kind: 'owner', text: 'SMITH JO', lat: 44.8, lng: -68.7, parcel_id: 'pcl_x', source: 'synthetic:roll' },
      { kind: 'street', text: 'SMITH ST, BANGOR, ME', lat: 44.9, lng: -68.8, source: 'synthetic:roads' },
    ],
  });
  const request = { text: 'smith', point: { lng: -68.7, lat: 44.8 }, kinds: ['owner', 'street'], limit: 2 };
  expect(fixture.engine.suggestRequests.at(-1)).toEqual({ request, account: fixture.account.id });
  expect((await get('q=ab')).statusCode).toBe(200);
  expect(fixture.engine.suggestRequests.at(-1)!.request).toMatchObject({ point: null, limit: 5 });
});

it.each([
  ['q=a', 'q'],
  ['lat=44.8&lng=-68.7', 'q'],
  [`q=${'a'.repeat(257)}`, 'q'],
  ['q=ab&lat=44.8', 'lng'],
  ['q=ab&lng=-68.7', 'lat'],
  ['q=ab&lat=91&lng=-68.7', 'lat'],
  ['q=ab&lat=44.8&lng=-181', 'lng'],
  ['q=ab&lat=x&lng=-68.7', 'lat'],
  ['q=ab&limit=11', 'limit'],
  ['q=ab&limit=0', 'limit'],
  ['q=ab&kinds=lake', 'kinds'],
  ['q=ab&colour=red', 'colour'],
])('refuses %s and names %s', async (query, key) => {
  const answer = await get(query);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0].loc).toEqual(['query', key]);
});

it('takes a coordinate in either order for a place, whatever it is written like, and one abroad for none', async () => {
  const asked = fixture.engine.suggestRequests.length;
  for (const text of [
    '44.8016, -68.7712',
    '-68.7712, 44.8016',
    '-68.7712 44.8016',
    'N44.8016 W68.7712',
    '68.7712 W, 44.8016 N',
  ])
    expect((await get(`q=${encodeURIComponent(text)}`)).json().suggestions, text).toMatchObject([
      { kind: 'place', lat: 44.8016, lng: -68.7712, source: 'coordinate' },
    ]);
  expect((await get('q=44.8016,-68.7712&kinds=owner')).json()).toEqual({ suggestions: [] });
  expect(fixture.engine.suggestRequests).toHaveLength(asked);
  await get('q=52.52,13.405');
  expect(fixture.engine.suggestRequests.at(-1)!.request.text).toBe('52.52,13.405');
});

it('counts against 600 a minute of its own, which the plan knows nothing of, and costs nothing', async () => {
  fixture.clock.time += 60_000 - (fixture.clock.time % 60_000);
  for (let i = 0; i < 600; i++) expect((await get('q=ab')).statusCode).toBe(200);
  const refused = await get('q=ab');
  expect([refused.statusCode, refused.json().detail.error]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const usage = { url: '/v1/users/me/usage', headers: { authorization: `Bearer ${fixture.token}` } };
  const other = await fixture.app.inject(usage);
  expect([other.statusCode, other.json().credits_used]).toEqual([200, 0]);
  fixture.clock.time += 60_000;
  expect((await get('q=ab')).statusCode).toBe(200);
});

it('what was typed stands in no line of the log, whether it is answered, refused or fails', async () => {
  takeHeard();
  await get('q=Zanzibarquux');
  await get('q=Zanzibarquux&limit=99');
  await get('q=Zanzibarquux', 'nobody');
  fixture.engine.before = async () => {
    throw new Error('a fault');
  };
  await get('q=Zanzibarquux');
  fixture.engine.before = async () => {};
  const text = takeHeard();
  expect(text.split('\n').filter(line => line.includes('"/v1/suggest"')).length).toBeGreaterThanOrEqual(4);
  expect(text).toContain('unhandled fault');
  expect(text).not.toContain('Zanzibarquux');
  expect(secretsIn(text)).toEqual([]);
});
