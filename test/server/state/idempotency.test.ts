import { expect, it } from 'vitest';
import type { Found, KeyedRequest } from '../../../server/state/idempotency.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { describeStores } from './state-stores.ts';

describeStores('idempotency records', kind => {
  const keyed = (accountId: string, more: Partial<KeyedRequest> = {}): KeyedRequest => ({
    accountId,
    endpoint: 'fetch/batch',
    key: 'key-0001',
    bodyHash: 'hash',
    now: 1_000,
    leaseUntil: 2_000,
    expiresAt: 10_000,
    ...more,
  });
  const claimOf = (found: Found) => {
    if (found.kind !== 'execute') throw new Error(`found ${found.kind}`);
    return found.claim;
  };
  const reserve = async (state: StateStore, accountId: string, id: string, expiresAt = 9_000) => {
    const held = await state.ledger.reserve({
      id,
      accountId,
      period: '2026-01',
      endpoint: 'fetch/batch',
      grantId: '',
      costs: [10],
      allowance: 100,
      now: 1_000,
      expiresAt,
    });
    if ('refused' in held) throw new Error('refused');
    return held;
  };
  const start = async () => {
    const place = await kind.place();
    const state = await kind.open(place);
    return { place, state, id: (await state.openAccount('a@b', 'free')).id };
  };
  const usage = (state: StateStore, id: string) => state.ledger.usage(id, '2026-01', 1_000);

  it('let one execute, tell the others to wait, and replay what it filed with its charge', async () => {
    const { state, id } = await start();
    const claim = claimOf(await state.idempotency.begin(keyed(id)));
    expect(await state.idempotency.begin(keyed(id))).toEqual({ kind: 'running' });
    const reservation = await reserve(state, id, claim.id);
    expect(await state.idempotency.complete(claim, '{"a":1}', { reservation, cost: 7, now: 1_500 })).toEqual({
      spent: 7,
      held: 0,
    });
    expect(await state.idempotency.begin(keyed(id, { now: 9_999 }))).toEqual({ kind: 'replay', response: '{"a":1}' });
    expect(await usage(state, id)).toMatchObject({ spent: 7, held: 0 });
    expect(await state.idempotency.complete(claim, '{"a":2}', { reservation, cost: 9, now: 1_500 })).toBe('lost');
    expect(await usage(state, id)).toMatchObject({ spent: 7 });
  });

  it('belong to an account, an endpoint and a body', async () => {
    const { state, id } = await start();
    const other = await state.openAccount('c@d', 'free');
    claimOf(await state.idempotency.begin(keyed(id)));
    expect(await state.idempotency.begin(keyed(id, { bodyHash: 'other' }))).toEqual({ kind: 'reused' });
    claimOf(await state.idempotency.begin(keyed(other.id, { bodyHash: 'other' })));
    claimOf(await state.idempotency.begin(keyed(id, { endpoint: 'field-requests' })));
  });

  it('end: then the key is free for any body', async () => {
    const { state, id } = await start();
    const claim = claimOf(await state.idempotency.begin(keyed(id)));
    await state.idempotency.complete(claim, '{}', { reservation: null, cost: 0, now: 1_500 });
    const next = await state.idempotency.begin(keyed(id, { now: 10_000, bodyHash: 'other', expiresAt: 20_000 }));
    expect(claimOf(next).id).not.toBe(claim.id);
    expect(await state.idempotency.prune(19_999)).toBe(0);
    expect(await state.idempotency.prune(20_000)).toBe(1);
  });

  it('are freed by a refusal, with what was reserved', async () => {
    const { state, id } = await start();
    const claim = claimOf(await state.idempotency.begin(keyed(id)));
    const reservation = await reserve(state, id, claim.id);
    await state.idempotency.abandon(claim, { reservation, now: 1_500 });
    expect(await usage(state, id)).toMatchObject({ spent: 0, held: 0 });
    claimOf(await state.idempotency.begin(keyed(id, { bodyHash: 'other' })));
  });

  it('go to another executor when the lease ends, who is charged under the same id', async () => {
    const { state, id } = await start();
    const dead = claimOf(await state.idempotency.begin(keyed(id)));
    const held = await reserve(state, id, dead.id);
    const heir = claimOf(await state.idempotency.begin(keyed(id, { now: 2_000, leaseUntil: 3_000 })));
    expect(heir.id).toBe(dead.id);
    expect(await reserve(state, id, heir.id)).toEqual(held);
    expect(await usage(state, id)).toMatchObject({ held: 10 });
    // The one taken for dead comes back: it can neither renew, file, nor give back what the other works with.
    expect(await state.idempotency.renew(dead, 5_000)).toBe(false);
    expect(await state.idempotency.complete(dead, '{}', { reservation: held, cost: 10, now: 2_100 })).toBe('lost');
    await state.idempotency.abandon(dead, { reservation: held, now: 2_100 });
    expect(await usage(state, id)).toMatchObject({ spent: 0, held: 10 });
    expect(await state.idempotency.complete(heir, '{}', { reservation: held, cost: 10, now: 2_200 })).toMatchObject({
      spent: 10,
    });
    expect(await usage(state, id)).toMatchObject({ spent: 10, held: 0 });
  });

  it('stay with an executor that renews', async () => {
    const { state, id } = await start();
    const claim = claimOf(await state.idempotency.begin(keyed(id)));
    expect(await state.idempotency.renew(claim, 5_000)).toBe(true);
    expect(await state.idempotency.begin(keyed(id, { now: 4_999 }))).toEqual({ kind: 'running' });
    claimOf(await state.idempotency.begin(keyed(id, { now: 5_000, leaseUntil: 6_000 })));
  });

  it('are not filed when the credits are gone: neither result nor charge', async () => {
    const { state, id } = await start();
    const claim = claimOf(await state.idempotency.begin(keyed(id)));
    const reservation = await reserve(state, id, claim.id, 1_100);
    await state.ledger.releaseExpired(1_100);
    await state.setMonthlyCreditLimit(id, 5);
    expect(await state.idempotency.complete(claim, '{}', { reservation, cost: 10, now: 1_200 })).toBe('unaffordable');
    expect(await state.idempotency.begin(keyed(id))).toEqual({ kind: 'running' });
    expect(await usage(state, id)).toMatchObject({ spent: 0, held: 0 });
  });

  it.each([[64]])('give %d that come at once to three processes exactly one executor', async count => {
    const { place, state, id } = await start();
    const stores = [state, await kind.open(place), await kind.open(place)];
    const found = await Promise.all(
      Array.from({ length: count }, (_, i) => stores[i % 3]!.idempotency.begin(keyed(id))),
    );
    expect(found.filter(({ kind: what }) => what === 'execute')).toHaveLength(1);
    expect(found.filter(({ kind: what }) => what === 'running')).toHaveLength(count - 1);
    // And again when its lease has ended.
    const again = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        stores[i % 3]!.idempotency.begin(keyed(id, { now: 2_000, leaseUntil: 3_000 })),
      ),
    );
    expect(again.filter(({ kind: what }) => what === 'execute')).toHaveLength(1);
  });
});
