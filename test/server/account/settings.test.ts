import { afterEach, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const POINT = { lat: 44.8, lng: -68.77 };

describeDoors('settings and usage of an account', kind => {
  const opened: Fixture[] = [];
  const pair = async () => {
    const place = await kind.place();
    for (let i = 0; i < 2; i++)
      opened.push(await openFixture({ state: await kind.open(place), plan: 'free', cache: false }));
    return opened as [Fixture, Fixture];
  };
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });
  const ask = async (
    fixture: Fixture,
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    bearer: string,
    body?: unknown,
  ) => {
    const reply = await fixture.app.inject({
      method,
      url: `/v1/${url}`,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: reply.statusCode, json: reply.json(), headers: reply.headers };
  };

  it('set a limit that acts on every server at once; null takes it off', async () => {
    const [one, two] = await pair();
    const session = await one.session();
    const set = (limit: number | null) =>
      ask(one, 'PATCH', 'users/me/settings', session, { monthly_credit_limit: limit });
    const fetchTwo = () => ask(two, 'POST', 'fetch', two.token, { ...POINT, fields: ['elevation'] });
    expect((await fetchTwo()).status).toBe(200);
    const changed = await set(0);
    expect(changed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(changed.json).toStrictEqual({ settings: { monthly_credit_limit: 0 } });
    const refused = await fetchTwo();
    expect(refused.status).toBe(402);
    expect(refused.json.detail).toMatchObject({ error: 'credits_exhausted', self_imposed_limit: 0 });
    await set(2);
    expect((await fetchTwo()).status).toBe(200);
    expect((await fetchTwo()).status).toBe(402);
    expect((await set(null)).json).toStrictEqual({ settings: { monthly_credit_limit: null } });
    expect((await fetchTwo()).status).toBe(200);
    // It only tightens.
    await set(1_000_000);
    expect((await ask(two, 'GET', 'users/me/usage', two.token)).json).toMatchObject({ effective_limit: 1_000 });
  });

  it.each([
    {},
    { monthly_credit_limit: -1 },
    { monthly_credit_limit: 1.5 },
    { monthly_credit_limit: '5' },
    { monthly_credit_limit: 1e300 },
    { monthly_credit_limit: 5, plan: 'market' },
  ])('are not changed by %j', async body => {
    const [one] = await pair();
    const { status, json } = await ask(one, 'PATCH', 'users/me/settings', await one.session(), body);
    expect({ status, list: Array.isArray(json.detail) }).toEqual({ status: 422, list: true });
    expect((await ask(one, 'GET', 'users/me/usage', one.token)).json).toMatchObject({
      plan: 'free',
      self_imposed_limit: null,
    });
  });

  it('tell usage by endpoint, token and day, which adds up to what the ledger holds', async () => {
    const [one, two] = await pair();
    one.tier.knows('73 Harlow St, Bangor, ME');
    const day = new Date(one.clock.time).toISOString().slice(0, 10);
    const idOf = (token: string) => JSON.parse(atob(token.split('.')[1]!)).jti as string;
    for (const fields of [['elevation'], ['elevation', 'slope_degrees']])
      expect((await ask(one, 'POST', 'fetch', one.token, { ...POINT, fields })).status).toBe(200);
    expect((await ask(one, 'POST', 'geocode', one.token, { address: '73 Harlow St, Bangor, ME' })).status).toBe(200);
    two.clock.time += DAY_MS;
    two.engine.answers.set('slope_degrees', { status: 'failed', value: null });
    const fields = ['elevation', 'slope_degrees', 'flood_note'];
    expect((await ask(two, 'POST', 'fetch', two.token, { ...POINT, fields })).status).toBe(200);
    const next = new Date(two.clock.time).toISOString().slice(0, 10);
    const usage = async () => (await ask(two, 'GET', 'users/me/usage', two.token)).json;
    expect(await usage()).toMatchObject({
      credits_used: 6,
      by_endpoint: [
        { endpoint: 'fetch', requests: 3, credits: 5 },
        { endpoint: 'geocode', requests: 1, credits: 1 },
      ],
      by_token: [
        { id: idOf(one.token), requests: 3, credits: 4 },
        { id: idOf(two.token), requests: 1, credits: 2 },
      ],
      by_day: [
        { date: day, requests: 3, credits: 4 },
        { date: next, requests: 1, credits: 2 },
      ],
    });
    // What runs counts with what it has reserved.
    const { account, state, clock } = two;
    const held = await state.ledger.reserve({
      id: 'running',
      accountId: account.id,
      period: day.slice(0, 7),
      endpoint: 'batch',
      grantId: '',
      costs: [40],
      allowance: 1_000,
      now: clock.time,
      expiresAt: clock.time + 60_000,
    });
    const sum = (parts: { credits: number }[]) => parts.reduce((all, part) => all + part.credits, 0);
    const agree = async (credits: number) => {
      const said = await usage();
      expect([said.by_endpoint, said.by_token, said.by_day].map(sum)).toEqual([credits, credits, credits]);
      expect(said.credits_used).toBe(credits);
      const kept = await state.ledger.usage(account.id, said.period, clock.time);
      expect(kept.spent + kept.held).toBe(credits);
    };
    await agree(46);
    if ('refused' in held) throw new Error('refused');
    await state.ledger.settle(held, 33, clock.time);
    await agree(39);
    await state.ledger.settle(held, 33, clock.time);
    await agree(39);
    two.clock.time += 40 * DAY_MS;
    const later = { authorization: two.token };
    expect((await ask(two, 'GET', 'users/me/usage', later.authorization)).json).toMatchObject({
      credits_used: 0,
      by_endpoint: [],
      by_token: [],
      by_day: [],
    });
  });
});
