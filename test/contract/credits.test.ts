import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineBusy, WorkerStopped } from '../../query/engine/engine-interface.ts';
import { PLANS } from '../../server/plans.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeEach(async () => {
  fixture = await openFixture({ plan: 'free', cache: true });
  client = await connect(fixture);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const POINT = { lat: 44.8, lng: -68.77 };
const places = (count: number) => Array.from({ length: count }, (_, i) => ({ lat: 44 + i / 10, lng: -68 }));
const fetchOf = (...fields: string[]) => client.post('/v1/fetch', { ...POINT, fields });
const usage = async () => (await client.get('/v1/users/me/usage')).json;
const used = async () => (await usage()).credits_used as number;
/** Uses up the month but for some credits. */
async function leave(credits: number): Promise<void> {
  const { id: accountId } = fixture.account;
  const now = fixture.clock.time;
  const allowance = PLANS.free.creditsPerMonth;
  const cost = allowance - credits;
  const more = { period: '2026-01', endpoint: 'fetch', grantId: '', allowance, now, expiresAt: now + 1 };
  const held = await fixture.state.ledger.reserve({ id: 'before', accountId, costs: [cost], ...more });
  if ('refused' in held) throw new Error('refused');
  await fixture.state.ledger.settle(held, cost, now);
}

describe('a fetch', () => {
  it.each([
    [['elevation'], 1],
    [['elevation', 'slope_degrees', 'elevation'], 2],
    [['parcel_apn'], 300],
    [['elevation', 'parcel_apn'], 301],
  ])('of %j costs %d', async (fields, cost) => {
    expect((await fetchOf(...fields)).status).toBe(200);
    expect(await used()).toBe(cost);
  });

  it('costs 150 for the parcel group on scale and market', async () => {
    let total = 0;
    for (const plan of ['scale', 'market'] as const) {
      await fixture.state.setPlan(fixture.account.id, plan);
      await fetchOf('parcel_apn');
      total += 150;
      expect(await used()).toBe(total);
    }
  });

  it('costs nothing for failed fields, and something for absent ones', async () => {
    fixture.engine.answers.set('elevation', { status: 'failed', value: null, error: 'x' });
    fixture.engine.answers.set('slope_degrees', { status: 'absent', value: null });
    fixture.engine.answers.set('parcel_apn', { status: 'failed', value: null, error: 'x' });
    expect((await fetchOf('elevation', 'slope_degrees', 'flood_note', 'parcel_apn')).status).toBe(200);
    expect(await used()).toBe(2);
  });

  it('costs from the cache what it costs fresh', async () => {
    await fetchOf('elevation', 'slope_degrees');
    await fetchOf('elevation', 'slope_degrees');
    expect(fixture.engine.calls).toHaveLength(1);
    expect(await used()).toBe(4);
  });

  it.each([
    [{ fields: ['nope'] }],
    [{ fields: [] }],
    [{ fields: ['elevation'], lat: 0 }],
    [{ fields: ['elevation'], address: 'x' }],
    [{ fields: ['elevation'], lat: 'x' }],
  ])('that is refused costs nothing: %j', async more => {
    expect((await client.post('/v1/fetch', { ...POINT, ...more })).status).toBeGreaterThanOrEqual(400);
    expect(await used()).toBe(0);
  });

  it('that is shed or breaks costs nothing', async () => {
    fixture.engine.before = async () => {
      throw new EngineBusy('full');
    };
    expect((await fetchOf('elevation')).status).toBe(429);
    fixture.engine.before = async () => {
      throw new Error('a fault');
    };
    await fetchOf('elevation').catch(() => {});
    expect(await used()).toBe(0);
  });

  it.each([
    ['/v1/fetch', { ...POINT, fields: ['elevation'] }],
    ['/v1/enrich', { ...POINT }],
    ['/v1/lookup', { input: `${POINT.lat}, ${POINT.lng}` }],
    ['/v1/search', { filters: [{ field: 'state', op: 'eq', value: 'ME' }] }],
    ['/v1/search', { filters: [{ field: 'state', op: 'eq', value: 'ME' }], enrich: true }],
  ])('whose worker stopped costs nothing and may be sent again: %s %j', async (path, body) => {
    fixture.engine.before = async () => {
      throw new WorkerStopped();
    };
    const { status, headers, json } = await client.post(path, body);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(json.detail).toMatchObject({ error: 'worker_stopped', retryable: true });
    expect(await used()).toBe(0);
    const { held } = await fixture.state.ledger.usage(fixture.account.id, '2026-01', fixture.clock.time);
    expect(held).toBe(0);
  });

  it('under the same X-Request-ID is charged every time', async () => {
    for (let i = 0; i < 2; i++)
      await client.post('/v1/fetch', { ...POINT, fields: ['elevation'] }, { 'x-request-id': 'mine' });
    expect(await used()).toBe(2);
  });

  it('counts as used while it runs', async () => {
    let during = 0;
    fixture.engine.before = async () => {
      during = await used();
    };
    await fetchOf('parcel_apn');
    expect(during).toBe(300);
  });
});

describe('credits_exhausted', () => {
  it('refuses what passes the plan, with the facts and Retry-After at the reset', async () => {
    await leave(300);
    const { status, json, headers } = await fetchOf('elevation', 'parcel_apn');
    expect(status).toBe(402);
    expect(json.detail).toStrictEqual({
      error: 'credits_exhausted',
      message: expect.stringContaining('301'),
      retryable: true,
      plan: 'free',
      credits_required: 301,
      credits_included: 1_000,
      credits_used: 700,
      credits_remaining: 300,
      self_imposed_limit: null,
      resets_at: '2026-02-01T00:00:00.000Z',
    });
    expect(headers.get('retry-after')).toBe('Sun, 01 Feb 2026 00:00:00 GMT');
    expect(new Date(headers.get('retry-after')!).toISOString()).toBe(json.detail.resets_at);
    expect(fixture.engine.calls).toHaveLength(0);
    expect((await fetchOf('parcel_apn')).status).toBe(200);
    expect((await fetchOf('elevation')).status).toBe(402);
  });

  it('names the limit the account set itself when that refuses, and only then', async () => {
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, 10);
    const own = await fetchOf('parcel_apn');
    expect(own.status).toBe(402);
    expect(own.json.detail).toMatchObject({ self_imposed_limit: 10, credits_included: 1_000 });
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, 5_000);
    await leave(0);
    expect((await fetchOf('elevation')).json.detail.self_imposed_limit).toBeNull();
  });

  it('with an own limit of 0 stops all that costs, and nothing else', async () => {
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, 0);
    expect((await fetchOf('elevation')).status).toBe(402);
    expect((await client.post('/v1/fetch/batch', { locations: places(2), fields: ['elevation'] })).status).toBe(402);
    expect((await client.post('/v1/fetch/quote', { fields: ['elevation'] })).status).toBe(200);
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
    expect((await fetchOf('elevation')).status).toBe(200);
  });

  it('ends with the month, on the 1st at 00:00 UTC', async () => {
    await leave(0);
    fixture.clock.time = Date.UTC(2026, 1, 1) - 1;
    expect((await fetchOf('elevation')).status).toBe(402);
    fixture.clock.time = Date.UTC(2026, 1, 1);
    // The token of the fixture is still good: it lives 90 days.
    expect((await fetchOf('elevation')).status).toBe(200);
    expect(await usage()).toMatchObject({ period: '2026-02', credits_used: 1, resets_at: '2026-03-01T00:00:00.000Z' });
  });

  it('over the turn of the year', async () => {
    fixture.clock.time = Date.UTC(2026, 2, 31, 23, 59);
    expect((await usage()).resets_at).toBe('2026-04-01T00:00:00.000Z');
  });

  it('comes after shape, fields and place', async () => {
    await leave(0);
    expect((await fetchOf('nope')).status).toBe(400);
    expect((await client.post('/v1/fetch', { lat: 0, lng: 0, fields: ['elevation'] })).status).toBe(400);
    expect((await client.post('/v1/fetch', {})).status).toBe(422);
  });

  it('in a batch that straddles the allowance refuses what does not fit and runs the rest', async () => {
    await leave(700);
    const body = { locations: [{ lat: 0, lng: 0 }, ...places(4)], fields: ['parcel_apn'] };
    const quote = (await client.post('/v1/fetch/quote', { fields: body.fields, locations: 4 })).json;
    expect(quote.allowance).toMatchObject({ would_exceed_allowance: true, limited_by: 'plan' });
    expect(quote.notes.join(' ')).toContain('2 of the 4 locations');
    const { status, json } = await client.post('/v1/fetch/batch', body);
    expect(status).toBe(200);
    expect(json.results.map((entry: { error?: { error: string } }) => entry.error?.error ?? 'ok')).toEqual([
      'coord_out_of_bounds',
      'ok',
      'ok',
      'credits_exhausted',
      'credits_exhausted',
    ]);
    expect(Object.keys(json.results[4].error)).toEqual(['error', 'message', 'retryable']);
    expect(fixture.engine.calls).toHaveLength(2);
    expect(await used()).toBe(900);
  });

  it('refuses a batch of which not one location fits', async () => {
    await leave(299);
    const { status, json, headers } = await client.post('/v1/fetch/batch', {
      locations: places(3),
      fields: ['parcel_apn'],
    });
    expect(status).toBe(402);
    expect(json.detail.error).toBe('credits_exhausted');
    expect(headers.get('retry-after')).toBe('Sun, 01 Feb 2026 00:00:00 GMT');
  });

  it('keeps 64 requests at once within the allowance', async () => {
    await leave(100);
    const replies = await Promise.all(
      Array.from({ length: 64 }, () => fetchOf('elevation', 'slope_degrees', 'flood_note')),
    );
    const answered = replies.filter(reply => reply.status === 200).length;
    expect(replies.filter(reply => reply.status === 402)).toHaveLength(64 - answered);
    expect(answered).toBe(33);
    expect(await used()).toBe(999);
  });
});

describe('the headers of an answer', () => {
  const BATCH = { locations: places(2), fields: ['elevation'] };
  const SITE = {
    type: 'Polygon',
    coordinates: [[[-68.77, 44.8], [-68.769, 44.8], [-68.769, 44.801], [-68.77, 44.801], [-68.77, 44.8]]], // biome-ignore format: a ring
  };
  it.each<[string, unknown, Record<string, string>?]>([
    ['/v1/fetch', { ...POINT, fields: ['elevation', 'slope_degrees'] }],
    ['/v1/fetch', { ...POINT, fields: ['parcel_apn'] }],
    ['/v1/fetch/batch', BATCH],
    ['/v1/fetch/batch', BATCH, { 'Idempotency-Key': 'the-same-key' }],
    ['/v1/lookup', { input: `${POINT.lat}, ${POINT.lng}` }],
    ['/v1/sites', { site: SITE }],
    ['/v1/ask', { ...POINT, question: 'How high is the ground here?' }],
  ])('say what it cost and what is left: %s', async (path, body, key) => {
    await fetchOf('elevation');
    const before = await used();
    const { status, headers } = await client.post(path, body, key);
    expect(status).toBeLessThan(300);
    const after = await used();
    expect(headers.get('x-service-credits')).toBe(`${after - before}`);
    expect(headers.get('x-service-credits-remaining')).toBe(`${1_000 - after}`);
  });

  it('say 0 where every field failed, and nothing where nothing is metered', async () => {
    fixture.engine.answers.set('elevation', { status: 'failed', value: null, error: 'x' });
    expect((await fetchOf('elevation')).headers.get('x-service-credits')).toBe('0');
    for (const { headers } of [await client.get('/v1/users/me/usage'), await client.post('/v1/fetch', {})])
      expect(headers.has('x-service-credits')).toBe(false);
  });
});

describe('requests a minute', () => {
  let limited: Fixture;
  let limitedClient: Client;
  beforeEach(async () => {
    limited = await openFixture({ plan: 'free', rateLimit: true });
    limitedClient = await connect(limited);
  });
  afterEach(() => limited[Symbol.asyncDispose]());
  const quote = () => limitedClient.post('/v1/fetch/quote', { fields: ['elevation'] });

  it('are those of the plan; then rate_limited with the seconds to the next one', async () => {
    for (let i = 0; i < 60; i++) {
      const { status, headers } = await quote();
      expect(status).toBe(200);
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60');
      expect(headers.get('ratelimit')).toBe(`"minute";r=${59 - i};t=55`);
    }
    const { status, json, headers } = await quote();
    expect(status).toBe(429);
    expect(headers.get('ratelimit')).toBe('"minute";r=0;t=55');
    expect(json.detail).toMatchObject({ error: 'rate_limited', retryable: true });
    // The clock of the tests stands at 5.678 s.
    expect(headers.get('retry-after')).toBe('55');
    limited.clock.time += 54_000;
    expect((await quote()).status).toBe(429);
    limited.clock.time += 1_000;
    expect((await quote()).status).toBe(200);
  });

  it('count quotes, replays and refused requests, and not those without a valid token', async () => {
    const body = { locations: [POINT], fields: ['elevation'] };
    const key = { 'Idempotency-Key': 'the-same-key' };
    await limitedClient.post('/v1/fetch/batch', body, key);
    for (let i = 0; i < 29; i++)
      expect((await limitedClient.post('/v1/fetch/batch', body, key)).json.replayed).toBe(true);
    for (let i = 0; i < 15; i++) await quote();
    for (let i = 0; i < 15; i++) expect((await limitedClient.post('/v1/fetch', {})).status).toBe(422);
    for (let i = 0; i < 5; i++)
      expect((await limitedClient.post('/v1/fetch', {}, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await limitedClient.post('/v1/fetch', 'not even JSON')).status).toBe(429);
    expect((await limitedClient.post('/v1/fetch/batch', body, key)).status).toBe(429);
  });

  it('leave public endpoints alone', async () => {
    for (let i = 0; i < 61; i++) await quote();
    for (const path of ['/healthz', '/v1/meta/plans']) expect((await limitedClient.get(path)).status).toBe(200);
  });

  it('belong to an account and follow its plan', async () => {
    for (let i = 0; i < 61; i++) await quote();
    await limited.state.setPlan(limited.account.id, 'build');
    expect((await quote()).status).toBe(200);
    const other = await limited.tokens.issue(await limited.state.openAccount('other@example.org', 'free'));
    const headers = { authorization: `Bearer ${other}` };
    expect((await limitedClient.post('/v1/fetch/quote', { fields: ['elevation'] }, headers)).status).toBe(200);
  });
});
