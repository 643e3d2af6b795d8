import { afterEach, expect, it, vi } from 'vitest';
import type { Terminal } from '../../../query/engine/command.ts';
import { createSessionService } from '../../../server/auth/session.ts';
import { createTokenService } from '../../../server/auth/token.ts';
import { commands } from '../../../server/commands.ts';
import { embeddedProvider } from '../../../server/provider/embedded.ts';
import { FATES } from '../../../server/state/sign-in/account-tables.ts';
import { EMBEDDED } from '../../../server/state/sign-in/identities.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { ISSUER, SECRET } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const EMAIL = 'ann@example.org';
const ANN = { account: EMAIL };

async function run(name: string, options: Record<string, string> = {}, json = true) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal: Terminal = { json, interactive: false, out: line => out.push(line), err: line => err.push(line) };
  const command = commands.find(found => found.name === name)!;
  const code = await command.run([], options, terminal);
  return { code, out, err, document: json ? JSON.parse(out.join('')) : null };
}

describeStores('the commands of accounts', kind => {
  /** The state that commands work on, and a server on it. */
  const open = async () => {
    const place = await kind.place();
    vi.stubEnv('PLAT_HOME', place.home);
    vi.stubEnv('PLAT_STATE_URL', place.url);
    vi.stubEnv('PLAT_TOKEN_SECRET', SECRET);
    vi.stubEnv('PLAT_CURSOR_SECRET', SECRET);
    vi.stubEnv('PLAT_PUBLIC_URL', ISSUER);
    const state: StateStore = await kind.open(place);
    const embedded = embeddedProvider({ issuer: ISSUER, audience: '' }, SECRET, state, Date);
    const sessions = createSessionService(embedded.terms, state.identities, Date);
    return { state, sessions, tokens: createTokenService(SECRET, state, Date) };
  };
  afterEach(() => vi.unstubAllEnvs());

  it('make, list and show accounts, and put them on a plan', async () => {
    await open();
    expect((await run('account create', { account: 'Ann@Example.org', plan: 'growth' })).document).toMatchObject({
      account: EMAIL,
      plan: 'growth',
      status: 'active',
      issuer: null,
    });
    await expect(run('account create', ANN)).rejects.toThrow('There is an account ann@example.org already');
    expect((await run('account plan', { ...ANN, plan: 'scale' })).document).toMatchObject({ plan: 'scale' });
    await run('token create', ANN, false);
    await run('session create', ANN, false);
    expect((await run('account show', ANN)).document).toMatchObject({
      account: EMAIL,
      plan: 'scale',
      active_tokens: 1,
      credits_used: 0,
    });
    expect((await run('account show', ANN, false)).out).toContain('plan: scale');
    await run('account create', { account: 'zoe@example.org' });
    expect((await run('account list')).document.map((row: { account: string }) => row.account)).toEqual([
      EMAIL,
      'zoe@example.org',
    ]);
    expect((await run('account list', {}, false)).out).toHaveLength(2);
    for (const [name, options] of [
      ['account create', {}],
      ['account create', { account: 'a@b.org', plan: 'gold' }],
      ['account plan', ANN],
      ['account show', { account: 'nobody@example.org' }],
      ['account delete', {}],
    ] as const)
      await expect(run(name, options), name).rejects.toThrow();
  });

  it('disable: sessions and tokens are refused at once, and enable lets tokens in again but no session of before', async () => {
    const { sessions, tokens } = await open();
    const token = (await run('token create', ANN, false)).out[0]!;
    const session = (await run('session create', ANN, false)).out[0]!;
    expect((await sessions.verify(session)).account.email).toBe(EMAIL);
    expect((await tokens.verify(token)).account.email).toBe(EMAIL);
    expect((await run('account disable', ANN)).document).toMatchObject({ status: 'disabled' });
    await expect(sessions.verify(session)).rejects.toMatchObject({ code: 'user_disabled' });
    await vi.waitFor(() => expect(tokens.verify(token)).rejects.toMatchObject({ code: 'user_disabled' }), 2_000);
    expect((await run('account disable', ANN, false)).out).toEqual([`${EMAIL}: was disabled before`]);
    expect((await run('account enable', ANN)).document).toMatchObject({ status: 'active', disabled_at: null });
    await vi.waitFor(async () => expect((await tokens.verify(token)).account.email).toBe(EMAIL), 2_000);
    await expect(sessions.verify(session)).rejects.toMatchObject({ code: 'auth_revoked' });
  });

  it('end sessions, and forget the browsers that are signed in', async () => {
    const { state, sessions } = await open();
    const session = (await run('session create', ANN, false)).out[0]!;
    const { account } = await sessions.verify(session);
    const user = (await state.users.byEmail(EMAIL))!;
    const record = { sealed: 'x', uid: null, userCode: null, grantId: null, expiresAt: null };
    await state.providerRecords.put({ ...record, kind: 'Session', id: 'hers', userId: user.id });
    await state.providerRecords.put({ ...record, kind: 'Session', id: 'another', userId: 'another' });
    await run('session end', ANN);
    await expect(sessions.verify(session)).rejects.toMatchObject({ code: 'auth_revoked' });
    expect(await state.providerRecords.find('Session', 'id', 'hers', Date.now())).toBeNull();
    expect(await state.providerRecords.find('Session', 'id', 'another', Date.now())).not.toBeNull();
    const [entry] = await state.audit.entries({ accountId: account.id, action: 'sessions_ended', limit: 1 });
    expect(entry).toMatchObject({ detail: { reason: 'operator' } });
  });

  it('delete leaves sums and nothing personal; the address makes a new account', async () => {
    const { state, sessions, tokens } = await open();
    const token = (await run('token create', ANN, false)).out[0]!;
    const session = (await run('session create', ANN, false)).out[0]!;
    const { account } = await sessions.verify(session);
    await tokens.verify(token);
    const now = Date.now();
    await state.ledger.reserve({
      id: 'c',
      accountId: account.id,
      period: '2026-01',
      endpoint: 'fetch',
      grantId: '',
      costs: [7],
      allowance: 100,
      now,
      expiresAt: now + 1_000,
    });
    await state.mailCodes.add('code', EMAIL, now + 60_000);
    await state.attempts.count(`reveal:${account.id}`, now, 60_000);
    expect((await run('account delete', ANN)).document).toEqual({ account: EMAIL, id: account.id, status: 'deleted' });

    expect((await run('account list')).document).toEqual([]);
    await expect(run('account show', ANN)).rejects.toThrow('No account ann@example.org');
    await vi.waitFor(() => expect(tokens.verify(token)).rejects.toMatchObject({ code: 'auth_invalid' }), 2_000);
    await expect(sessions.verify(session)).rejects.toMatchObject({ code: 'auth_revoked' });
    expect(await state.users.byEmail(EMAIL)).toBeNull();
    expect(await state.mailCodes.find('code', now)).toBeNull();
    expect(await state.attempts.counted(`reveal:${account.id}`, now, 60_000)).toBe(0);
    expect(await state.identities.holder(EMBEDDED, JSON.parse(atob(session.split('.')[1]!)).sub)).toBeNull();
    expect(await state.tokens(account.id)).toEqual([]);
    expect((await state.ledger.usage(account.id, '2026-01', now)).held).toBe(7);
    const trail = await state.audit.entries({ accountId: account.id, limit: 99 });
    expect(trail[0]).toMatchObject({ action: 'account_deleted' });
    expect(JSON.stringify(trail)).not.toContain('example.org');
    const again = (await run('session create', ANN, false)).out[0]!;
    expect((await sessions.verify(again)).account.id).not.toBe(account.id);
  });
});

it('every table that has rows of accounts says what becomes of them', () => {
  expect(
    Object.entries(FATES)
      .filter(([, fate]) => fate === 'kept')
      .map(([table]) => table),
  ).toEqual(['credit_usage', 'charges', 'usage_days', 'audit', 'jobs']);
});
