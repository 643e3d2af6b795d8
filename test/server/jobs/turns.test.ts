import { expect, it, vi } from 'vitest';
import { type JobKind, jobOf } from '../../../server/jobs/job-kind.ts';
import { PLANS } from '../../../server/plans.ts';
import { runJob } from '../../../server/runs/run-job.ts';
import { screeningJob } from '../../../server/sites/screening-job.ts';
import { type JobQueue, TooManyWaiting } from '../../../server/state/jobs/queue.ts';
import { openFixture } from '../service-fixture.ts';
import { square } from '../sites/site-shapes.ts';
import { describeStores } from '../state/state-stores.ts';
import { aging, job } from './aging.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, i) => i);

async function enqueueAll(jobs: JobQueue, account: string | null, count: number): Promise<void> {
  for (const i of numbered(count)) await jobs.enqueue(job(`${account} ${i}`, { account }));
}

/** Keys of all jobs that wait, in the order in which one worker does them. */
async function worked(jobs: JobQueue, most = Infinity): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  for (let claim = await jobs.claim('count'); claim; claim = keys.length < most ? await jobs.claim('count') : null) {
    keys.push(claim.key);
    await jobs.finish(claim);
  }
  return keys;
}

describeStores('turns of accounts', kind => {
  it('one job waits for no more than one of another account that has 75 waiting', async () => {
    const { jobs } = await aging(kind);
    await enqueueAll(jobs, 'a', 75);
    expect(await worked(jobs, 3)).toEqual(['a 0', 'a 1', 'a 2']);
    await enqueueAll(jobs, 'b', 1);
    const keys = await worked(jobs);
    expect(keys.indexOf('b 0')).toBeLessThan(2);
    expect(keys.filter(key => key !== 'b 0')).toEqual(
      numbered(75)
        .slice(3)
        .map(i => `a ${i}`),
    );
  });

  it('accounts with many jobs have one turn each, those of nobody together too, the oldest of each first', async () => {
    const { jobs } = await aging(kind);
    const owners = ['a', 'b', null, 'c'];
    for (const account of owners) await enqueueAll(jobs, account, 4);
    const keys = await worked(jobs);
    for (const i of numbered(4))
      expect(keys.slice(4 * i, 4 * i + 4).sort()).toEqual(owners.map(account => `${account} ${i}`).sort());
  });

  it('come from several servers at once as from one', async () => {
    const { jobs } = await aging(kind);
    const others = await Promise.all(numbered(3).map(async () => (await aging(kind, false)).jobs));
    for (const account of ['a', 'b', 'c', 'd']) await enqueueAll(jobs, account, 4);
    const claims = await Promise.all([jobs, ...others].map(queue => queue.claim('count')));
    expect(claims.map(claim => claim!.account).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are not those of an account that may have none now', async () => {
    const { jobs } = await aging(kind);
    await enqueueAll(jobs, 'a', 2);
    await enqueueAll(jobs, null, 1);
    await enqueueAll(jobs, 'b', 1);
    expect((await jobs.claim('count', ['a', null]))!.key).toBe('b 0');
    expect(await jobs.claim('count', ['a', null])).toBeNull();
    expect((await jobs.claim('count', ['a']))!.key).toBe('null 0');
    expect((await jobs.claim('count', ['b']))!.key).toBe('a 0');
  });

  it('what another try needs waits for its turn, and a dead process loses no job', async () => {
    const { jobs, pass } = await aging(kind);
    for (const account of ['a', 'b'])
      for (const i of numbered(2))
        await jobs.enqueue(job(`${account} ${i}`, { account, retryMs: 1_000, mostMs: 1_000 }));
    const dead = (await jobs.claim('count'))!;
    await jobs.fail((await jobs.claim('count'))!, 'not now', false);
    await pass(jobs.leaseMs + 1_000);
    await pass(jobs.leaseMs + 1_000);
    const keys = await worked(jobs);
    expect(keys.length).toBe(4);
    expect(keys).toContain(dead.key);
    const accounts = keys.map(key => key![0]);
    expect(accounts[0]).not.toBe(accounts[1]);
    expect(accounts[2]).not.toBe(accounts[3]);
  });

  it('what two accounts want is done in the turn of the one that waits for less', async () => {
    const { jobs } = await aging(kind);
    await enqueueAll(jobs, 'a', 5);
    expect((await jobs.enqueue(job('a 4', { account: 'b' }))).fresh).toBe(false);
    // Back it does not go.
    expect((await jobs.enqueue(job('a 4', { account: 'a' }))).fresh).toBe(false);
    expect((await jobs.jobs({ key: 'a 4', limit: 1 }))[0]!.account).toBe('b');
    expect((await worked(jobs, 2)).sort()).toEqual(['a 0', 'a 4']);
  });

  it('no more of an account wait than it may have, however many come at once; what waits already is no new one', async () => {
    const { jobs } = await aging(kind);
    const more = { account: 'a', mostWaiting: 5 };
    const added = await Promise.allSettled(numbered(12).map(i => jobs.enqueue(job(`a ${i}`, more))));
    const refused = added.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.length).toBe(7);
    expect(refused.every(error => error instanceof TooManyWaiting && error.most === 5)).toBe(true);
    const waiting = await jobs.jobs({ kind: 'count', status: 'waiting', limit: 20 });
    expect(waiting.length).toBe(5);
    expect((await jobs.enqueue(job(waiting[0]!.key, more))).fresh).toBe(false);
    expect((await jobs.enqueue(job('b', { ...more, account: 'b' }))).fresh).toBe(true);
    expect((await jobs.enqueue(job('other kind', { ...more, kind: 'other' }))).fresh).toBe(true);
    await jobs.finish((await jobs.claim('count', ['b']))!);
    expect((await jobs.enqueue(job('room again', more))).fresh).toBe(true);
  });
});

describeStores('runs and sites of an account that has too many waiting', kind => {
  it.each([
    {
      what: 'sites',
      url: '/v1/sites',
      of: screeningJob,
      bodyOf: (i: number) => ({ site: square(0.01, -68.77 - i / 100) }),
      key: () => null,
    },
    {
      what: 'runs',
      url: '/v1/runs',
      of: runJob,
      bodyOf: (i: number) => ({
        kind: 'fetch_batch',
        request: { locations: [{ lat: 44 + i, lng: -68 }], fields: ['elevation'] },
      }),
      key: (i: number) => `key-of-run-${i}`,
    },
  ])(
    '$what are refused with 429 and Retry-After at no charge, replays are answered',
    async ({ url, of, bodyOf, key }) => {
      const fixture = await openFixture({ state: await kind.open(await kind.place()), plan: 'free' });
      const { jobs } = fixture.state;
      const post = (i: number) =>
        fixture.app.inject({
          method: 'POST',
          url,
          headers: { authorization: `Bearer ${fixture.token}`, ...(key(i) ? { 'idempotency-key': key(i)! } : {}) },
          payload: bodyOf(i),
        });
      const used = async () => fixture.state.ledger.usage(fixture.account.id, '2026-01', fixture.clock.now());
      const first = await post(1);
      expect(first.statusCode).toBe(202);
      for (let i = 1; i < PLANS.free.waitingJobs; i++)
        await jobs.enqueue(jobOf(of as JobKind, `other ${i}`, {}, fixture.account.id));
      const before = await used();
      const refused = await post(2);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30']);
      expect(refused.json().detail).toMatchObject({ error: 'rate_limited', retryable: true });
      expect(await used()).toEqual(before);
      const again = await post(1);
      expect([again.statusCode, again.json()]).toEqual([202, expect.objectContaining(first.json())]);
      // The job that stands first is done: there is room, and a key that was refused is not used up.
      await jobs.finish((await jobs.claim(of.name))!);
      await vi.waitFor(async () => expect((await post(2)).statusCode).toBe(202));
      await fixture.app.close();
    },
  );
});
