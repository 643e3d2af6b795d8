import { expect, it } from 'vitest';
import { describeStores } from '../state/state-stores.ts';

describeStores('kept geocodes and the lookups of a month', kind => {
  const geocode = (accountId: string, more: object = {}) => ({
    accountId,
    addressHash: 'h',
    version: 'v1',
    answer: '{"matches":[]}',
    expiresAt: 1_000,
    ...more,
  });

  it('are given to the account that had them resolved, until they expire', async () => {
    const state = await kind.open(await kind.place());
    const [a, b] = [await state.openAccount('a@b', 'free'), await state.openAccount('b@b', 'free')];
    expect(await state.geocodes.kept(a.id, 'h', 0)).toBeNull();
    await state.geocodes.keep(geocode(a.id));
    expect(await state.geocodes.kept(a.id, 'h', 999)).toEqual({ version: 'v1', answer: '{"matches":[]}' });
    expect(await state.geocodes.kept(a.id, 'h', 1_000)).toBeNull();
    expect(await state.geocodes.kept(a.id, 'other', 0)).toBeNull();
    expect(await state.geocodes.kept(b.id, 'h', 0)).toBeNull();
  });

  it('replace an earlier one', async () => {
    const state = await kind.open(await kind.place());
    const { id } = await state.openAccount('a@b', 'free');
    await state.geocodes.keep(geocode(id));
    await state.geocodes.keep(geocode(id, { version: 'v2', answer: '2', expiresAt: 2_000 }));
    expect(await state.geocodes.kept(id, 'h', 1_500)).toEqual({ version: 'v2', answer: '2' });
  });

  it('are forgotten once expired, and no others', async () => {
    const state = await kind.open(await kind.place());
    const { id } = await state.openAccount('a@b', 'free');
    for (const i of [1, 2, 3]) await state.geocodes.keep(geocode(id, { addressHash: `h${i}`, expiresAt: i }));
    expect(await state.geocodes.prune(2)).toBe(2);
    expect(await state.geocodes.prune(2)).toBe(0);
    expect(await state.geocodes.kept(id, 'h3', 2)).not.toBeNull();
  });

  it('are counted to the budget and not past it, by all servers together', async () => {
    const place = await kind.place();
    const servers = [await kind.open(place), await kind.open(place)];
    const spent = await Promise.all(
      Array.from({ length: 40 }, (_, i) => servers[i % 2]!.geocodes.spend('2026-01', 25)),
    );
    expect(spent.filter(Boolean)).toHaveLength(25);
    expect(await servers[0]!.geocodes.spend('2026-01', 25)).toBe(false);
    expect(await servers[0]!.geocodes.spend('2026-01', 26)).toBe(true);
    expect(await servers[1]!.geocodes.spend('2026-02', 1)).toBe(true);
    expect(await servers[1]!.geocodes.spend('2026-02', 1)).toBe(false);
  });
});
