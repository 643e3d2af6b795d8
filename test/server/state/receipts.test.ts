import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { receiptsIn } from '../../../server/state/receipts/records.ts';
import { describeStores } from './state-stores.ts';
import { tablesOf } from './tables-of.ts';

const key = (id: string, signsFrom: number) => ({
  id,
  publicKey: `x-${id}`,
  sealed: `sealed-${id}`,
  signsFrom,
  signedUntil: null,
});

describeStores('receipts', ({ place, open }) => {
  it('are read by their account until they expire, and are pruned then', async () => {
    const store = await open(await place());
    const [ann, bob] = [(await store.openAccount('ann@x', 'free')).id, (await store.openAccount('bob@x', 'free')).id];
    const row = { id: 'r1', accountId: ann, document: '{"a":"ö"}', createdAt: 1_000, expiresAt: 2_000 };
    await store.receipts.add(row);
    expect(await store.receipts.receipt(ann, 'r1', 1_999)).toBe('{"a":"ö"}');
    expect(await store.receipts.receipt(bob, 'r1', 1_999)).toBeNull();
    expect(await store.receipts.receipt(ann, 'r1', 2_000)).toBeNull();
    expect([await store.receipts.prune(1_999), await store.receipts.prune(2_000)]).toEqual([0, 1]);
    expect(await store.receipts.prune(2_000)).toBe(0);
  });

  it('of one account stay within their bytes: its oldest go first, those of others stay', async () => {
    const at = await place();
    const store = await open(at);
    const [ann, bob] = [(await store.openAccount('ann@x', 'free')).id, (await store.openAccount('bob@x', 'free')).id];
    const db = tablesOf(at);
    const records = receiptsIn(db, 5_000);
    const add = (accountId: string, i: number) =>
      records.add({
        id: `${accountId}-${i}`,
        accountId,
        document: randomBytes(500).toString('base64'),
        createdAt: i,
        expiresAt: 10_000 + i,
      });
    await add(bob, 0);
    for (let i = 0; i < 30; i++) await add(ann, i);
    const there = await Promise.all(Array.from({ length: 30 }, (_, i) => records.receipt(ann, `${ann}-${i}`, 0)));
    const count = there.filter(one => one !== null).length;
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThan(11);
    expect(there.slice(-count)).not.toContain(null);
    expect(await records.receipt(bob, `${bob}-0`, 0)).not.toBeNull();
    await records.prune(20_000);
    const sums = await db.selectFrom('receipt_bytes').select('bytes').execute();
    expect(sums.map(({ bytes }) => Number(bytes))).toEqual([0, 0]);
    await db.destroy();
  });

  it('are signed by one key at a time: rotating deletes the private halves of all others', async () => {
    const at = await place();
    const [one, other] = [await open(at), await open(at)];
    await one.receiptKeys.add(key('a', 1));
    await other.receiptKeys.add(key('b', 2));
    await one.receiptKeys.rotate(key('c', 3));
    expect(await other.receiptKeys.keys()).toEqual([
      key('c', 3),
      { ...key('b', 2), sealed: null, signedUntil: 3 },
      { ...key('a', 1), sealed: null, signedUntil: 3 },
    ]);
  });
});
