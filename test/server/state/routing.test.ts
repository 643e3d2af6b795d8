import { expect, it } from 'vitest';
import { describeStores } from './state-stores.ts';

describeStores('the budget of driving calculations', ({ place, open }) => {
  it('is one for all servers of a store, and never passed, however many ask at once', async () => {
    const at = await place();
    const [one, other] = [await open(at), await open(at)];
    const asked = Array.from({ length: 30 }, (_, i) => (i % 2 ? one : other).routing.spend('2026-11', 7, 100));
    const granted = (await Promise.all(asked)).filter(Boolean);
    expect(granted).toHaveLength(14);
    expect(await one.routing.spend('2026-11', 3, 100)).toBe(false);
    expect(await one.routing.spend('2026-11', 2, 100)).toBe(true);
    expect(await other.routing.spend('2026-11', 1, 100)).toBe(false);
  });

  it('begins anew with the month, and a request larger than it counts nothing', async () => {
    const store = await open(await place());
    expect(await store.routing.spend('2026-11', 11, 10)).toBe(false);
    expect(await store.routing.spend('2026-11', 10, 10)).toBe(true);
    expect(await store.routing.spend('2026-12', 10, 10)).toBe(true);
  });
});
