import { expect, it } from 'vitest';
import { ALL_TERMS } from '../../../server/scopes.ts';
import type { StatePlace } from './state-stores.ts';
import { describeStores } from './state-stores.ts';

describeStores('accounts and tokens', kind => {
  const token = (accountId: string, jti: string) =>
    ({
      jti,
      accountId,
      plan: 'build',
      issuedAt: 1,
      expiresAt: 2,
      revokedAt: null,
      name: null,
      keyId: null,
      lastUsedAt: null,
      kind: 'token' as const,
      ...ALL_TERMS,
    }) as const;

  it('stay over a restart', async () => {
    const place = await kind.place();
    const first = await kind.open(place);
    const account = await first.openAccount('Some.One@Example.org', 'build');
    await first.addToken(token(account.id, 'j1'));
    const second = await kind.open(place);
    expect(await second.account('some.one@example.ORG')).toEqual({ ...account, email: 'some.one@example.org' });
    expect(await second.token('j1')).toEqual({ token: token(account.id, 'j1'), account, disabled: false });
    expect(await second.token('j2')).toBeNull();
    expect(await second.account('nobody@example.org')).toBeNull();
  });

  it('open once, whatever plan is asked for the second time', async () => {
    const state = await kind.open(await kind.place());
    const [a, b] = await Promise.all([state.openAccount('a@b', 'free'), state.openAccount('A@B', 'market')]);
    expect(a).toEqual(b);
    await state.setPlan(a!.id, 'growth');
    expect((await state.account('a@b'))!.plan).toBe('growth');
  });

  it('are those of operators once one is made of them, which the trail says', async () => {
    const place = await kind.place();
    const state = await kind.open(place);
    const [one, other] = [await state.openAccount('op@b', 'free'), await state.openAccount('no@b', 'free')];
    const set = (is: boolean) => state.accountRecords.setOperator(one!.id, is, 1_000_000, 'test');
    expect([await set(true), await set(true)]).toEqual([true, false]);
    const again = await kind.open(place);
    expect(await again.accountRecords.isOperator(one!.id)).toBe(true);
    expect(await again.accountRecords.isOperator(other!.id)).toBe(false);
    expect([await set(false), await set(false)]).toEqual([true, false]);
    expect(await again.accountRecords.isOperator(one!.id)).toBe(false);
    await set(true);
    await state.accountRecords.remove(one!.id, 2_000_000, 'test');
    expect(await again.accountRecords.isOperator(one!.id)).toBe(false);
  });

  it('are revoked once: the first time stays', async () => {
    const state = await kind.open(await kind.place());
    const { id } = await state.openAccount('a@b', 'free');
    await state.addToken(token(id, 'j'));
    await state.revokeToken('j', 5);
    await state.revokeToken('j', 7);
    expect((await state.token('j'))!.token.revokedAt).toBe(5);
  });

  it('go newest first', async () => {
    const state = await kind.open(await kind.place());
    const { id } = await state.openAccount('a@b', 'free');
    for (const issuedAt of [3, 1, 4_102_444_800]) await state.addToken({ ...token(id, `j${issuedAt}`), issuedAt });
    expect((await state.tokens(id)).map(row => row.issuedAt)).toEqual([4_102_444_800, 3, 1]);
  });

  it('refuse a token of an account that is not there', async () => {
    const state = await kind.open(await kind.place());
    await expect(state.addToken(token('nobody', 'j'))).rejects.toThrow(/foreign key/i);
  });

  it('are migrated once by processes that start together', async () => {
    const place: StatePlace = await kind.place();
    const stores = await Promise.all(Array.from({ length: 6 }, () => kind.open(place)));
    const accounts = await Promise.all(stores.map(store => store.openAccount('a@b', 'free')));
    expect(new Set(accounts.map(account => account.id)).size).toBe(1);
  });

  it('count requests by minute, also over two processes', async () => {
    const place = await kind.place();
    const [one, two] = [await kind.open(place), await kind.open(place)];
    const { id } = await one.openAccount('a@b', 'free');
    const counts = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).requests.count(id, 100)));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(await one.requests.count(id, 101)).toBe(1);
    // The other machine's clock is a little behind: no second allowance.
    expect(await two.requests.count(id, 100)).toBe(2);
    expect(await two.requests.count(id, 102)).toBe(1);
  });
});
