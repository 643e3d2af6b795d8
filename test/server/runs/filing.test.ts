import { afterEach, expect, it } from 'vitest';
import { submitRun } from '../../../server/runs/operation.ts';
import type { RunRecords } from '../../../server/state/runs/records.ts';
import { periodOf } from '../../../server/state/usage/period.ts';
import { contextFor, type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const open: Fixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.app.close();
});

const BODY = {
  kind: 'fetch_batch' as const,
  request: {
    locations: [
      { lat: 44, lng: -68 },
      { lat: 45, lng: -68 },
    ],
    fields: ['elevation'],
  },
};
const PRICE = 2;
const KEY = 'a-key-of-runs-01';
/** Longer than an executor that does not renew its claim keeps it. */
const LEASE_MS = 31_000;

describeStores('the filing of a run', kind => {
  const begin = async () => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()) });
    open.push(fixture);
    const { state, account, clock } = fixture;
    /** A server whose records of runs are other ones. */
    const server = (runs: Partial<RunRecords>) =>
      contextFor(fixture, { state: { ...state, runs: { ...state.runs, ...runs } } });
    const held = async () => (await state.ledger.usage(account.id, periodOf(clock.time), clock.time)).held;
    const filed = async () => (await state.runs.list(account.id, { after: null, limit: 9 }, clock.time)).map(r => r.id);
    const later = () => {
      clock.time += LEASE_MS;
    };
    return { runs: state.runs, server, held, filed, later };
  };
  const fails = () => Promise.reject(new Error('the disk is full'));

  it.each([KEY, null])(
    'is answered where the store fails when it has filed it, and stays paid for (key %s)',
    async key => {
      const { runs, server, held, filed } = await begin();
      const lossy = server({ submit: (...all) => runs.submit(...all).then(fails) });
      const { run_id } = await submitRun(lossy, BODY, key);
      expect(await filed()).toEqual([run_id]);
      expect(await held()).toBe(PRICE);
    },
  );

  it.each([KEY, null])('that fails before anything is filed gives the credits back (key %s)', async key => {
    const { server, held, filed } = await begin();
    await expect(submitRun(server({ submit: fails }), BODY, key)).rejects.toThrow('the disk is full');
    expect([await filed(), await held()]).toEqual([[], 0]);
    await submitRun(server({}), BODY, key);
    expect([(await filed()).length, await held()]).toEqual([1, PRICE]);
  });

  it.each([KEY, null])('keeps the credits where nobody can say whether it is there (key %s)', async key => {
    const { runs, server, held, filed, later } = await begin();
    const lossy = server({ submit: (...all) => runs.submit(...all).then(fails), run: fails });
    await expect(submitRun(lossy, BODY, key)).rejects.toThrow('the disk is full');
    expect([(await filed()).length, await held()]).toEqual([1, PRICE]);
    if (key === null) return;
    later();
    const { run_id } = await submitRun(server({}), BODY, key);
    expect(await filed()).toEqual([run_id]);
  });

  it('by a server that was slow does nothing when another one has taken its request over and failed', async () => {
    const { runs, server, held, filed, later } = await begin();
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const late = server({
      submit: async (...all) => {
        arrived.resolve();
        await slow;
        await runs.submit(...all);
      },
    });
    const first = submitRun(late, BODY, KEY);
    await arrived.promise;
    later();
    await expect(submitRun(server({ submit: fails }), BODY, KEY)).rejects.toThrow('the disk is full');
    resolve();
    await expect(first).rejects.toMatchObject({ code: 'batch_in_progress' });
    expect(await filed()).toEqual([]);
    later();
    const { run_id } = await submitRun(server({}), BODY, KEY);
    expect([await filed(), await held()]).toEqual([[run_id], PRICE]);
  });

  it('by a server that died is not done again, though the store fails for the next one', async () => {
    const { runs, server, held, filed, later } = await begin();
    const filedOnce = Promise.withResolvers<void>();
    const dying = server({
      submit: async (...all) => {
        await runs.submit(...all);
        filedOnce.resolve();
        await new Promise(() => {});
      },
    });
    void submitRun(dying, BODY, KEY);
    await filedOnce.promise;
    later();
    await expect(submitRun(server({ run: fails }), BODY, KEY)).rejects.toThrow('the disk is full');
    later();
    const { run_id } = await submitRun(server({}), BODY, KEY);
    expect([await filed(), await held()]).toEqual([[run_id], PRICE]);
  });
});
