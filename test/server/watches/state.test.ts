import { expect, it } from 'vitest';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import type { JobClaim } from '../../../server/state/jobs/queue.ts';
import { packed } from '../../../server/state/packed-text.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { type WatchDeliveryId, watchDeliveryEnded } from '../../../server/state/watches/deliveries.ts';
import { comparisonJob, comparisonOf } from '../../../server/watches/comparison-job.ts';
import { deliveryOf, watchDeliveryJob } from '../../../server/watches/delivery-job.ts';
import { describeStores } from '../state/state-stores.ts';

const MOST = 5;

/** A watch of parcels that was compared with release `a`. */
const watchOf = (accountId: string, id: string, more: object = {}) => ({
  ...{ id, accountId, fields: ['zoning'], release: 'a', createdAt: 1_000, seenAt: 900 },
  callback: { webhook_url: 'https://hooks.example.org/x', email: 'me@example.org' },
  about: { site_id: null, parcels: 1, filters: null },
  subject: '{"of":"parcels","parcels":[]}',
  ...more,
});

/** Ends the next comparison as one that found something to tell, or nothing. */
async function compare(store: StateStore, payload: string | null, to = 'b'): Promise<JobClaim> {
  const claim = (await store.jobs.claim(comparisonJob.name))!;
  const effect = store.watches.compared({
    ...{ watchId: claim.key!, from: 'a', to, now: 5_000, seenAt: 4_000, job: deliveryOf },
    payload: payload === null ? null : await packed(payload),
  });
  await store.jobs.finish(claim, effect);
  return claim;
}

describeStores('watches', ({ place, open }) => {
  const openWith = async (...names: string[]) => {
    const store = await open(await place());
    const accounts = await Promise.all(names.map(async name => (await store.openAccount(`${name}@x`, 'free')).id));
    return { store, accounts };
  };
  const idOf = (watch_id: string, channel: WatchDeliveryId['channel'] = 'webhook', release = 'b') => ({
    ...{ watch_id, release, channel },
  });

  it('are read and deleted by their account alone, newest first', async () => {
    const { store, accounts } = await openWith('ann', 'bob');
    const [ann, bob] = accounts as [string, string];
    for (const [i, id] of ['w1', 'w2', 'w3'].entries())
      await store.watches.add(watchOf(ann, id, { createdAt: i }), MOST, null);
    expect(await store.watches.watch(ann, 'w1')).toMatchObject({ status: 'active', toldAt: null, fields: ['zoning'] });
    expect(await store.watches.watch(bob, 'w1')).toBeNull();
    const ids = async (after: { createdAt: number; id: string } | null) =>
      (await store.watches.list(ann, { after, limit: 2 })).map(({ id }) => id);
    expect([await ids(null), await ids({ createdAt: 1, id: 'w2' })]).toEqual([['w3', 'w2'], ['w1']]);
    expect(await store.watches.list(bob, { after: null, limit: 2 })).toEqual([]);
    expect([await store.watches.remove(bob, 'w1'), await store.watches.remove(ann, 'w1')]).toEqual([false, true]);
    expect(await store.watches.remove(ann, 'w1')).toBe(false);
  });

  it('of one account are as many as it may have, also when they come together', async () => {
    const { store, accounts } = await openWith('ann');
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, i) => store.watches.add(watchOf(accounts[0]!, `w${i}`), MOST, null)),
    );
    expect(added.filter(one => one)).toHaveLength(MOST);
    expect(await store.watches.count(accounts[0]!)).toBe(MOST);
  });

  it('are due once for a release, and compared for accounts in turn', async () => {
    const { store, accounts } = await openWith('ann', 'bob');
    const [ann, bob] = accounts as [string, string];
    for (let i = 0; i < 4; i++) await store.watches.add(watchOf(ann, `a${i}`, { seenAt: i }), MOST, null);
    await store.watches.add(watchOf(bob, 'b0', { seenAt: 9 }), MOST, null);
    expect(await store.watches.due('a', 10)).toEqual([]);
    const due = await store.watches.due('b', 10);
    expect(due.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2', 'a3', 'b0']);
    for (const { id, accountId } of due)
      expect(await store.watches.enqueue(id, 'b', comparisonOf(id, accountId))).toBe(true);
    expect(await store.watches.enqueue('a0', 'b', comparisonOf('a0', ann))).toBe(false);
    expect(await store.watches.due('b', 10)).toEqual([]);
    const owners: (string | null)[] = [];
    for (let i = 0; i < 5; i++) owners.push((await compare(store, null)).account);
    // The one watch of the other account waits for one of the four, not for all.
    expect(owners.indexOf(bob)).toBeLessThan(2);
    expect((await store.watches.work('a0'))!).toMatchObject({ release: 'b', toldAt: null });
    expect(await store.jobs.claim(watchDeliveryJob.name)).toBeNull();
  });

  it('tell once what was found, on each channel, with the end of the comparison', async () => {
    const { store, accounts } = await openWith('ann');
    await store.watches.add(watchOf(accounts[0]!, 'w'), MOST, null);
    await store.watches.enqueue('w', 'b', comparisonOf('w', accounts[0]!));
    await compare(store, '{"total":1}');
    expect(await store.watches.work('w')).toMatchObject({ release: 'b', toldAt: 5_000 });
    expect(await store.watches.lastEvent('w')).toMatchObject({
      payload: '{"total":1}',
      deliveries: [
        { channel: 'webhook', status: 'waiting' },
        { channel: 'email', status: 'waiting' },
      ],
    });
    const claims = [await store.jobs.claim(watchDeliveryJob.name), await store.jobs.claim(watchDeliveryJob.name)];
    expect(claims.map(claim => claim!.data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'webhook', release: 'b' }),
        expect.objectContaining({ channel: 'email' }),
      ]),
    );
    await store.jobs.finish(
      claims[0]!,
      watchDeliveryEnded(claims[0]!.data as WatchDeliveryId, { status: 'delivered', error: null, now: 1 }),
    );
    expect(await store.watches.delivery(claims[0]!.data as WatchDeliveryId)).toMatchObject({ status: 'delivered' });
    // A comparison that another one was faster than changes nothing.
    const late = store.watches.compared({
      ...{ watchId: 'w', from: 'a', to: 'c', now: 6_000, seenAt: 0, job: deliveryOf },
      payload: await packed('{}'),
    });
    await store.jobs.enqueue(jobOf(comparisonJob, 'w', { watch_id: 'w' }, accounts[0]!));
    await store.jobs.finish((await store.jobs.claim(comparisonJob.name))!, late);
    expect(await store.watches.work('w')).toMatchObject({ release: 'b', toldAt: 5_000 });
  });

  it('that nobody takes any more are stopped, and one with another channel goes on', async () => {
    const { store, accounts } = await openWith('ann');
    const webhook_url = 'https://hooks.example.org/x';
    await store.watches.add(watchOf(accounts[0]!, 'w1'), MOST, null);
    await store.watches.add(watchOf(accounts[0]!, 'w2', { callback: { webhook_url } }), MOST, null);
    for (const id of ['w1', 'w2']) {
      await store.watches.enqueue(id, 'b', comparisonOf(id, accounts[0]!));
      await compare(store, '{}');
      let claim = (await store.jobs.claim(watchDeliveryJob.name))!;
      while ((claim.data as WatchDeliveryId).channel !== 'webhook') {
        await store.jobs.finish(claim);
        claim = (await store.jobs.claim(watchDeliveryJob.name))!;
      }
      const end = { status: 'ended', error: 'it wants no more', now: 1 } as const;
      await store.jobs.finish(claim, watchDeliveryEnded(idOf(id), end, webhook_url));
    }
    expect(await store.watches.work('w1')).toMatchObject({ status: 'active', callback: { email: 'me@example.org' } });
    expect(await store.watches.work('w2')).toMatchObject({ status: 'stopped', callback: null });
    expect((await store.watches.due('c', 9)).map(({ id }) => id)).toEqual(['w1']);
  });

  it('forget news of long ago, and all of it with the watch and with the account', async () => {
    const { store, accounts } = await openWith('ann');
    for (const id of ['w1', 'w2', 'w3']) {
      await store.watches.add(watchOf(accounts[0]!, id), MOST, null);
      await store.watches.enqueue(id, 'b', comparisonOf(id, accounts[0]!));
      await compare(store, '{}');
    }
    await store.watches.remove(accounts[0]!, 'w1');
    expect(await store.watches.delivery(idOf('w1'))).toBeNull();
    await store.accountRecords.remove(accounts[0]!, 1, 'test');
    expect([await store.watches.work('w2'), await store.watches.delivery(idOf('w3'))]).toEqual([null, null]);
    const [bob] = [(await store.openAccount('bob@x', 'free')).id];
    await store.watches.add(watchOf(bob, 'w4'), MOST, null);
    await store.watches.enqueue('w4', 'b', comparisonOf('w4', bob));
    await compare(store, '{}');
    expect([await store.watches.prune(4_999), await store.watches.prune(5_000)]).toEqual([0, 2]);
    expect(await store.watches.lastEvent('w4')).toBeNull();
  });
});
