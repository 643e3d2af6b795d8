import { expect, it, vi } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { ALL_TERMS } from '../../../server/scopes.ts';
import { recordSettings } from '../../../server/settings-trail.ts';
import { tidy } from '../../../server/state/housekeeping.ts';
import { describeStores } from './state-stores.ts';

const DAY = 24 * 60 * 60 * 1000;

describeStores('the audit trail', kind => {
  it('holds every change of tokens, plans and limits, with who made it, and none that changed nothing', async () => {
    const state = await kind.open(await kind.place());
    const { id } = await state.openAccount('a@b', 'free', 'me');
    await state.openAccount('a@b', 'market', 'me');
    await state.setPlan(id, 'growth', 'me');
    await state.setPlan(id, 'growth', 'me');
    await state.setMonthlyCreditLimit(id, 5, 'the account');
    await state.setMonthlyCreditLimit(id, null);
    await state.addToken(
      {
        jti: 'j',
        accountId: id,
        plan: 'growth',
        issuedAt: 1,
        expiresAt: 2,
        revokedAt: null,
        name: null,
        keyId: null,
        lastUsedAt: null,
        kind: 'token' as const,
        ...ALL_TERMS,
      },
      'me',
    );
    expect(await state.revokeToken('j', 3, 'me')).toBe(true);
    expect(await state.revokeToken('j', 4, 'me')).toBe(false);
    const entries = (await state.audit.entries({ accountId: id, limit: 100 })).map(
      ({ actor, action, subject, detail }) => [actor, action, subject, detail],
    );
    expect(entries).toHaveLength(6);
    for (const entry of [
      ['me', 'account_opened', null, { plan: 'free' }],
      ['me', 'plan_changed', null, { from: 'free', to: 'growth' }],
      ['the account', 'credit_limit_changed', null, { from: null, to: 5 }],
      ['server', 'credit_limit_changed', null, { from: 5, to: null }],
      ['me', 'token_issued', 'j', { expires_at: 2 }],
      ['me', 'token_revoked', 'j', {}],
    ])
      expect(entries).toContainEqual(entry);
  });

  it('is asked by account, action and time, newest first', async () => {
    const state = await kind.open(await kind.place());
    const now = vi.spyOn(Date, 'now');
    try {
      for (const [i, email] of ['a@b', 'c@d', 'e@f'].entries()) {
        now.mockReturnValue((i + 1) * DAY);
        await state.openAccount(email, 'free');
      }
    } finally {
      now.mockRestore();
    }
    const days = async (asked: Partial<Parameters<typeof state.audit.entries>[0]>) =>
      (await state.audit.entries({ limit: 9, ...asked })).map(({ at }) => at / DAY);
    expect(await days({})).toEqual([3, 2, 1]);
    expect(await days({ limit: 1 })).toEqual([3]);
    expect(await days({ since: 2 * DAY })).toEqual([3, 2]);
    expect(await days({ accountId: (await state.account('c@d'))!.id })).toEqual([2]);
    expect(await days({ action: 'token_issued' })).toEqual([]);
    // Two years are kept.
    await tidy(state, 732.5 * DAY);
    expect(await days({})).toEqual([3]);
  });

  it('has nothing of a change that failed', async () => {
    const state = await kind.open(await kind.place());
    const row = {
      jti: 'j',
      accountId: 'nobody',
      plan: 'free',
      issuedAt: 1,
      expiresAt: 2,
      revokedAt: null,
      name: null,
      keyId: null,
      lastUsedAt: null,
      kind: 'token' as const,
      ...ALL_TERMS,
    } as const;
    await expect(state.addToken(row)).rejects.toThrow();
    expect(await state.audit.entries({ limit: 9 })).toEqual([]);
  });

  it('tells with what settings servers start, once, and no secret', async () => {
    const state = await kind.open(await kind.place());
    const secret = 'w8Zq3nB1xT6rLm0YfKc5VdJh2sGu9PaE';
    const details = async () =>
      (await state.audit.entries({ action: 'settings_changed', limit: 9 })).map(e => e.detail);
    await recordSettings(state, readSettings({}));
    expect(await details()).toEqual([]);
    const changed = readSettings({ PLAT_QUEUE: '7', PLAT_TOKEN_SECRET: secret });
    await recordSettings(state, changed);
    await recordSettings(state, changed);
    expect(await details()).toEqual([{ PLAT_QUEUE: 7, PLAT_TOKEN_SECRET: '(given)' }]);
  });
});
