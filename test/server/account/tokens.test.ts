import { afterEach, expect, it, vi } from 'vitest';
import { createTokenService } from '../../../server/auth/token.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeDoors, type StatePlace } from '../state/state-stores.ts';

const ID = /^[0-9a-f-]{36}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

describeDoors("an account's API tokens", kind => {
  let place: StatePlace;
  let fixture: Fixture;
  const open = async () => {
    place = await kind.place();
    fixture = await openFixture({ state: await kind.open(place) });
  };
  afterEach(() => fixture.app.close());

  const ask = async (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', url: string, bearer: string, body?: unknown) => {
    const reply = await fixture.app.inject({
      method,
      url: `/v1/users/me/${url}`,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const json = reply.body === '' ? null : reply.json();
    return { status: reply.statusCode, json, error: json?.detail?.error as string | undefined, headers: reply.headers };
  };

  it('are created with a name and days, listed newest first, and work', async () => {
    await open();
    const session = await fixture.session();
    fixture.clock.time += 5_000;
    const plain = await ask('POST', 'tokens', session);
    expect(plain).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
    fixture.clock.time += 5_000;
    const { status, json } = await ask('POST', 'tokens', session, { name: 'nightly job', expires_in_days: 7 });
    expect(status).toBe(201);
    const created = new Date(Math.floor(fixture.clock.time / 1000) * 1000).toISOString();
    expect(json).toStrictEqual({
      id: expect.stringMatching(ID),
      name: 'nightly job',
      created_at: created,
      expires_at: new Date(Date.parse(created) + 7 * DAY_MS).toISOString(),
      last_used_at: null,
      recoverable: true,
      status: 'active',
      token: expect.stringMatching(/^eyJ/),
    });
    expect(Date.parse(plain.json.expires_at) - Date.parse(plain.json.created_at)).toBe(90 * DAY_MS);
    const longest = await ask('POST', 'tokens', session, { name: 'x'.repeat(64), expires_in_days: 365 });
    expect(Date.parse(longest.json.expires_at) - Date.parse(longest.json.created_at)).toBe(365 * DAY_MS);
    expect((await ask('DELETE', `tokens/${longest.json.id}`, session)).status).toBe(204);
    expect((await ask('GET', 'usage', json.token)).status).toBe(200);
    const list = (await ask('GET', 'tokens', session)).json;
    const { token: _, ...record } = json;
    const active = list.tokens.filter(({ status }: { status: string }) => status === 'active');
    expect(active[0]).toStrictEqual({ ...record, last_used_at: created });
    expect(active.map((entry: { name: string | null }) => entry.name)).toEqual(['nightly job', null, null]);
    expect(JSON.stringify(list)).not.toContain('eyJ');
  });

  it('are listed newest first also within a second', async () => {
    await open();
    const session = await fixture.session();
    const names = Array.from({ length: 12 }, (_, i) => `token ${i}`);
    for (const [i, name] of names.entries()) {
      if (i === 6) fixture.clock.time += 1;
      expect((await ask('POST', 'tokens', session, { name })).status).toBe(201);
    }
    const { tokens } = (await ask('GET', 'tokens', session)).json;
    expect(tokens.map((token: { name: string }) => token.name)).toEqual([...names.reverse(), null]);
  });

  it.each([
    [{ name: '' }],
    [{ name: 'x'.repeat(65) }],
    [{ name: 'two\nlines' }],
    [{ name: 'nul\u0000' }],
    [{ name: null }],
    [{ expires_in_days: 0 }],
    [{ expires_in_days: 366 }],
    [{ expires_in_days: 1.5 }],
    [{ expires_in_days: '7' }],
    [{ plan: 'market' }],
    [{ account_id: 'other' }],
    [[]],
    [null],
    [{ name: 'half \ud800' }],
  ])('are not created from %j', async body => {
    await open();
    const { status, json } = await ask('POST', 'tokens', await fixture.session(), body);
    expect({ status, detail: json.detail }).toMatchObject({ status: 422, detail: [expect.anything()] });
    expect(await fixture.state.tokens(fixture.account.id)).toHaveLength(1);
  });

  it('are at most a hundred active ones', async () => {
    await open();
    const session = await fixture.session();
    const { tokens, account } = fixture;
    for (let i = 1; i < 100; i++) await tokens.create(account, { name: null, days: 1 });
    expect(await ask('POST', 'tokens', session)).toMatchObject({ status: 409, error: 'tokens_too_many' });
    const [row] = await fixture.state.tokens(account.id);
    expect((await ask('DELETE', `tokens/${row!.jti}`, session)).status).toBe(204);
    expect((await ask('POST', 'tokens', session)).status).toBe(201);
  });

  it('need a session, which is judged before the body; a token revokes itself and nothing else', async () => {
    await open();
    const { state, account, token, app } = fixture;
    const [own] = await state.tokens(account.id);
    const { row: other } = await fixture.tokens.create(account, { name: null, days: 1 });
    for (const [method, url] of [
      ['GET', 'tokens'],
      ['POST', 'tokens'],
      ['POST', `tokens/${own!.jti}/reveal`],
      ['DELETE', `tokens/${other.jti}`],
      ['DELETE', 'tokens/nothing'],
      ['PATCH', 'settings'],
    ] as const)
      expect(await ask(method, url, token), url).toMatchObject({ status: 403, error: 'auth_method_not_allowed' });
    const broken = await app.inject({
      method: 'PATCH',
      url: '/v1/users/me/settings',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      payload: '{',
    });
    expect(broken.json().detail.error).toBe('auth_method_not_allowed');
    expect((await ask('DELETE', `tokens/${own!.jti}`, token)).status).toBe(204);
    expect(await ask('DELETE', `tokens/${own!.jti}`, token)).toMatchObject({ status: 401, error: 'auth_invalid' });
  });

  it('are noted as used without a write a request', async () => {
    await open();
    const { state, account, tokens } = fixture;
    const { token } = await tokens.create(account, { name: null, days: 1 });
    const noting = vi.spyOn(state, 'noteTokenUses');
    for (let i = 0; i < 5; i++)
      for (const bearer of [token, fixture.token]) expect((await ask('GET', 'usage', bearer)).status).toBe(200);
    expect(noting).not.toHaveBeenCalled();
    expect((await state.tokens(account.id)).map(row => row.lastUsedAt)).toEqual([null, null]);
    await tokens.noteUses();
    await tokens.noteUses();
    expect(noting).toHaveBeenCalledTimes(1);
    const now = Math.floor(fixture.clock.time / 1000);
    expect((await state.tokens(account.id)).map(row => row.lastUsedAt)).toEqual([now, now]);
  });

  it('are revealed as they were while active; expired and revoked ones are not', async () => {
    await open();
    const session = await fixture.session();
    fixture.clock.time += 1_000;
    const { json } = await ask('POST', 'tokens', session, { expires_in_days: 1 });
    const revealed = await ask('POST', `tokens/${json.id}/reveal`, session);
    expect(revealed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(revealed.json).toStrictEqual({ id: json.id, token: json.token });
    expect((await ask('POST', `tokens/${json.id}/reveal`, session, { more: 1 })).status).toBe(422);
    fixture.clock.time += DAY_MS + 1_000;
    const later = await fixture.session();
    const expired = await ask('POST', `tokens/${json.id}/reveal`, later);
    expect(expired).toMatchObject({ status: 409, error: 'token_not_active' });
    expect(expired.json.detail.message).toContain('expired');
    const { json: second } = await ask('POST', 'tokens', later);
    for (let i = 0; i < 2; i++) expect((await ask('DELETE', `tokens/${second.id}`, later)).status).toBe(204);
    expect(await ask('POST', `tokens/${second.id}/reveal`, later)).toMatchObject({ status: 409 });
    expect((await ask('GET', 'tokens', later)).json.tokens.map((t: { status: string }) => t.status)).toEqual([
      'revoked',
      'expired',
      'active',
    ]);
    expect((await ask('GET', 'usage', second.token)).error).toBe('auth_invalid');
  });

  it('are revealed ten times a minute, over all servers', async () => {
    await open();
    const session = await fixture.session();
    const [row] = await fixture.state.tokens(fixture.account.id);
    const other = await openFixture({ state: await kind.open(place) });
    const reveal = (app: Fixture['app']) =>
      app.inject({
        method: 'POST',
        url: `/v1/users/me/tokens/${row!.jti}/reveal`,
        headers: { authorization: `Bearer ${session}` },
      });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => reveal((i % 2 ? fixture : other).app)));
    expect(replies.map(reply => reply.statusCode).sort()).toEqual([...Array(10).fill(200), 429, 429]);
    const refused = replies.find(reply => reply.statusCode === 429)!;
    expect(refused.json().detail).toMatchObject({
      error: 'rate_limited',
      message: 'More than 10 reveals in a minute: try again after the Retry-After seconds.',
      retryable: true,
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    fixture.clock.time += Number(refused.headers['retry-after']) * 1000;
    expect((await reveal(fixture.app)).statusCode).toBe(200);
    // Revealing is what is limited, nothing else.
    expect((await ask('GET', 'tokens', session)).status).toBe(200);
    await other.app.close();
  });

  it('are not recoverable after the secret that signs them was changed', async () => {
    await open();
    const session = await fixture.session();
    const { state, account, clock } = fixture;
    const old = createTokenService('another secret of the years before', state, clock);
    const { row } = await old.create(account, { name: 'old', days: 9 });
    const listed = (await ask('GET', 'tokens', session)).json.tokens;
    expect(listed.find((t: { id: string }) => t.id === row.jti)).toMatchObject({
      recoverable: false,
      status: 'active',
    });
    const refused = await ask('POST', `tokens/${row.jti}/reveal`, session);
    expect(refused).toMatchObject({ status: 409, error: 'token_not_recoverable' });
  });

  it('of another account, unknown ones and ids that are none are 404, and stay as they are', async () => {
    await open();
    const theirs = await fixture.state.openAccount('other@example.org', 'free');
    const { row, token } = await fixture.tokens.create(theirs, { name: null, days: 1 });
    const session = await fixture.session();
    for (const id of [row.jti, '00000000-0000-4000-8000-000000000000', 'x', '%00', "'", '..%2f'])
      for (const [method, url] of [
        ['POST', `tokens/${id}/reveal`],
        ['DELETE', `tokens/${id}`],
      ] as const)
        expect(await ask(method, url, session), url).toMatchObject({ status: 404 });
    expect((await ask('GET', 'usage', token)).status).toBe(200);
  });

  it('are refused on every server within two seconds of their revocation', async () => {
    await open();
    const [row] = await fixture.state.tokens(fixture.account.id);
    const other = await openFixture({ state: await kind.open(place) });
    const elsewhere = () =>
      other.app.inject({ url: '/v1/users/me/usage', headers: { authorization: `Bearer ${fixture.token}` } });
    expect((await elsewhere()).statusCode).toBe(200);
    expect((await ask('DELETE', `tokens/${row!.jti}`, await fixture.session())).status).toBe(204);
    const end = Date.now() + 2_000;
    while ((await elsewhere()).statusCode === 200) expect(Date.now()).toBeLessThan(end);
    await other.app.close();
  });
});
