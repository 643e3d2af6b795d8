import { expect, it } from 'vitest';
import { describeStores } from './state-stores.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 5, 15, 12, 0, 30);

describeStores('a clock that jumps an hour forward and back', kind => {
  const open = async () => {
    const store = await kind.open(await kind.place());
    return { store, id: (await store.openAccount('someone@example.org', 'free')).id };
  };
  const minute = (at: number) => Math.floor(at / 60_000);

  it('locks no account out of its requests, nor lets clocks that differ by a minute double them', async () => {
    const { store, id } = await open();
    for (let i = 0; i < 3; i++) await store.requests.count(id, minute(NOON));
    for (let i = 0; i < 100; i++) await store.requests.count(id, minute(NOON + HOUR));
    expect(await store.requests.count(id, minute(NOON))).toBe(1);
    expect(await store.requests.count(id, minute(NOON))).toBe(2);
    expect(await store.requests.count(id, minute(NOON) + 1)).toBe(1);
    expect(await store.requests.count(id, minute(NOON))).toBe(2);
  });

  it('locks nobody out of signing in', async () => {
    const { store } = await open();
    const length = 15 * 60_000;
    for (let i = 0; i < 12; i++) await store.attempts.count('key', NOON + HOUR, length);
    expect(await store.attempts.counted('key', NOON, length)).toBe(0);
    expect(await store.attempts.count('key', NOON, length)).toBe(1);
  });

  it('leaves no idempotency key to a process that died while it was ahead', async () => {
    const { store, id } = await open();
    const begin = (now: number) =>
      store.idempotency.begin({
        ...{ accountId: id, endpoint: 'batch', key: 'a-key-12', bodyHash: 'hash' },
        ...{ now, leaseUntil: now + 30_000, expiresAt: now + 24 * HOUR },
      });
    expect((await begin(NOON + HOUR)).kind).toBe('execute');
    expect((await begin(NOON + HOUR)).kind).toBe('running');
    expect((await begin(NOON)).kind).toBe('execute');
    expect((await begin(NOON + 1_000)).kind).toBe('running');
  });

  it('gives back what was reserved ahead and not settled; what is settled stays', async () => {
    const { store, id } = await open();
    const reserve = async (name: string, now: number) => {
      const held = await store.ledger.reserve({
        ...{
          id: name,
          accountId: id,
          period: '2026-06',
          endpoint: 'fetch',
          grantId: '',
          costs: [10],
          allowance: 1_000,
        },
        ...{ now, expiresAt: now + 80_000 },
      });
      if ('refused' in held) throw new Error('refused');
      return held;
    };
    const running = await reserve('running', NOON);
    const settled = await reserve('settled', NOON + HOUR);
    await reserve('lost', NOON + HOUR);
    expect(await store.ledger.settle(settled, 10, NOON + HOUR + 5)).toMatchObject({ spent: 10 });
    expect(await store.ledger.settle(running, 4, NOON + 10)).toMatchObject({ spent: 14 });
    expect(await store.ledger.usage(id, '2026-06', NOON + 20)).toMatchObject({ spent: 14, held: 0 });
  });
});
