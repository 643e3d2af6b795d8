import { describe, expect, it } from 'vitest';
import { nextDue } from '../../../server/state/jobs/next-due.ts';
import type { Effect, JobClaim } from '../../../server/state/jobs/queue.ts';
import { describeStores } from '../state/state-stores.ts';
import { aging, job, mark } from './aging.ts';

describeStores('the queue of jobs', kind => {
  it('gives a job to one claim, and ends it with its effect once', async () => {
    const { jobs, effects } = await aging(kind);
    expect(await jobs.claim('count')).toBeNull();
    const { id, fresh } = await jobs.enqueue(job('a', { data: { n: 7 } }));
    expect(fresh).toBe(true);
    const claims = await Promise.all(Array.from({ length: 4 }, () => jobs.claim('count')));
    const claim = claims.find(one => one !== null)!;
    expect(claims.filter(one => one !== null)).toHaveLength(1);
    expect(claim).toMatchObject({ id, kind: 'count', key: 'a', data: { n: 7 }, attempt: 1, lastAttempt: 3 });
    expect(await jobs.progress(claim, 2, 5)).toBe(true);
    expect(await jobs.job(id)).toMatchObject({ status: 'running', progress: { done: 2, total: 5 }, attempt: 1 });
    expect(await jobs.heartbeat(claim)).toBe(true);
    expect(await jobs.finish(claim, mark('a'))).toBe(true);
    expect(await jobs.finish(claim, mark('a'))).toBe(false);
    expect(await jobs.heartbeat(claim)).toBe(false);
    expect(await jobs.fail(claim, 'late', true, mark('failed'))).toBe('lost');
    expect(await effects()).toEqual(['a']);
    expect(await jobs.job(id)).toMatchObject({ status: 'done', error: null });
    expect(await jobs.claim('count')).toBeNull();
  });

  it('knows a job again by its key as long as it waits or runs, and others by none', async () => {
    const { jobs } = await aging(kind);
    const first = await jobs.enqueue(job('a'));
    const many = await Promise.all(Array.from({ length: 6 }, () => jobs.enqueue(job('a'))));
    expect(many.every(({ id, fresh }) => id === first.id && !fresh)).toBe(true);
    const claim = (await jobs.claim('count'))!;
    expect(await jobs.enqueue(job('a'))).toEqual({ id: first.id, fresh: false });
    expect((await jobs.enqueue(job('b'))).fresh).toBe(true);
    expect((await jobs.enqueue(job('a', { kind: 'other' }))).fresh).toBe(true);
    expect((await jobs.enqueue(job(null))).fresh && (await jobs.enqueue(job(null))).fresh).toBe(true);
    await jobs.finish(claim);
    const again = await jobs.enqueue(job('a'));
    expect(again.fresh && again.id !== first.id).toBe(true);
    expect(await jobs.jobs({ kind: 'count', limit: 10 })).toHaveLength(5);
    expect((await jobs.jobs({ key: 'a', status: 'waiting', limit: 10 })).map(row => row.kind).sort()).toEqual([
      'count',
      'other',
    ]);
    expect(await jobs.jobs({ limit: 2 })).toHaveLength(2);
    const tally = (await jobs.tally()).map(({ kind, status, count }) => `${kind} ${status} ${count}`);
    expect(tally.sort()).toEqual(['count waiting 4', 'other waiting 1']);
  });

  it('takes the first jobs of a process at once, more of them than the store has connections', async () => {
    const { state, jobs } = await aging(kind);
    const { id: accountId } = await state.openAccount('first@example.org', 'free');
    const register = (i: number) =>
      state.sites.register(
        {
          ...{ id: `site-${i}`, accountId, geometry: 'POINT (0 0)', acres: 1, extent: [0, 0, 0, 0] as const },
          ...{ release: 'r', now: 0, expiresAt: 9e15 },
        },
        job(`site-${i}`, { kind: 'first' }),
      );
    // Each would hold its connection while it waits for another one, until the store gives up.
    await Promise.all(Array.from({ length: 24 }, (_, i) => register(i)));
    expect(await jobs.jobs({ kind: 'first', limit: 100 })).toHaveLength(24);
  });

  it('enqueues with a transaction or not at all, and undoes what a failing effect began', async () => {
    const { jobs, effects } = await aging(kind);
    await jobs.enqueue(job('outer'));
    const claim = (await jobs.claim('count'))!;
    const failing: Effect = async (tx, changes) => {
      await mark('half')(tx, changes);
      await jobs.enqueueIn(tx, job('inner'));
      throw new Error('on purpose');
    };
    await jobs.enqueue(job('warm'));
    await expect(jobs.finish(claim, failing)).rejects.toThrow('on purpose');
    expect(await jobs.job(claim.id)).toMatchObject({ status: 'running' });
    expect(await jobs.jobs({ key: 'inner', limit: 5 })).toEqual([]);
    await jobs.finish(claim, async tx => void (await jobs.enqueueIn(tx, job('inner'))));
    expect(await jobs.jobs({ key: 'inner', limit: 5 })).toHaveLength(1);
    expect(await effects()).toEqual([]);
  });

  it('gives the job of a dead process to another, whose claim alone counts', async () => {
    const { jobs, pass, effects } = await aging(kind);
    await jobs.enqueue(job('a', { retryMs: 1_000, mostMs: 1_000 }));
    const dead = (await jobs.claim('count'))!;
    await pass(jobs.leaseMs - 3_000);
    expect(await jobs.claim('count')).toBeNull();
    expect(await jobs.heartbeat(dead)).toBe(true);
    await pass(jobs.leaseMs - 3_000);
    expect(await jobs.claim('count')).toBeNull();
    await pass(jobs.leaseMs + 1_000);
    await pass(jobs.leaseMs + 1_000);
    const next = (await jobs.claim('count'))!;
    expect(next).toMatchObject({ id: dead.id, attempt: 2 });
    expect(await jobs.heartbeat(dead)).toBe(false);
    expect(await jobs.progress(dead, 1, 1)).toBe(false);
    expect(await jobs.finish(dead, mark('dead'))).toBe(false);
    expect(await jobs.fail(dead, 'late', false)).toBe('lost');
    expect(await jobs.finish(next, mark('next'))).toBe(true);
    expect(await effects()).toEqual(['next']);
  });

  it('tries again later each time, then fails for good with the effect of that, and begins anew when told to', async () => {
    const { jobs, pass, effects } = await aging(kind);
    const { id } = await jobs.enqueue(job('a', { retryMs: 20_000, mostMs: 30_000 }));
    const attempt = async () => (await jobs.claim('count')) as JobClaim;
    expect(await jobs.fail(await attempt(), 'first', false, mark('over'))).toBe('waiting');
    expect(await jobs.job(id)).toMatchObject({ status: 'waiting', error: 'first', attempt: 1, lastAttempt: 3 });
    await pass(8_000);
    expect(await jobs.claim('count')).toBeNull();
    await pass(32_000);
    expect(await jobs.fail(await attempt(), 'second', false, mark('over'))).toBe('waiting');
    await pass(12_000);
    expect(await jobs.claim('count')).toBeNull();
    await pass(30_000);
    expect(await effects()).toEqual([]);
    expect(await jobs.fail(await attempt(), 'third', false, mark('over'))).toBe('failed');
    expect(await effects()).toEqual(['over']);
    const failed = (await jobs.job(id))!;
    expect(failed).toMatchObject({ status: 'failed', error: 'third', attempt: 3, lastAttempt: 3 });
    expect(failed.endedAt).not.toBeNull();
    expect(await jobs.claim('count')).toBeNull();

    expect(await jobs.retry(id, 2)).toBe(true);
    expect(await jobs.retry(id, 2)).toBe(false);
    const fourth = await attempt();
    expect(fourth).toMatchObject({ attempt: 4, lastAttempt: 5 });
    expect(await jobs.fail(fourth, 'useless', true)).toBe('failed');
    expect(await jobs.retry(id, 1)).toBe(true);
    expect(await jobs.finish(await attempt(), mark('done'))).toBe(true);
    expect(await jobs.retry(id, 1)).toBe(false);
    expect(await effects()).toEqual(['done', 'over']);
  });

  it('lets what failed together come back one after the other', async () => {
    const { jobs } = await aging(kind);
    const before = Date.now();
    for (let i = 0; i < 8; i++) await jobs.enqueue(job(`${i}`, { retryMs: 600_000, mostMs: 600_000 }));
    for (let i = 0; i < 8; i++) await jobs.fail((await jobs.claim('count'))!, 'not now', false);
    const waits = (await jobs.jobs({ kind: 'count', limit: 8 })).map(({ startAfter }) => startAfter);
    // Half of the time, and up to as much more; the failures themselves are not a minute apart.
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(60_000);
    expect(Date.now() - before).toBeLessThan(60_000);
  });

  it('lets whoever claims past the last attempt see that', async () => {
    const { jobs, pass } = await aging(kind);
    await jobs.enqueue(job('a', { attempts: 1, retryMs: 1_000, mostMs: 1_000 }));
    expect(await jobs.claim('count')).toMatchObject({ attempt: 1, lastAttempt: 1 });
    await pass(jobs.leaseMs + 1_000);
    await pass(jobs.leaseMs + 1_000);
    const over = (await jobs.claim('count'))!;
    expect(over).toMatchObject({ attempt: 2, lastAttempt: 1 });
    expect(await jobs.fail(over, 'its process died', false)).toBe('failed');
  });

  it('takes back what was not done, for another to begin at once, without an attempt less', async () => {
    const { jobs, effects } = await aging(kind);
    const { id } = await jobs.enqueue(job('a', { attempts: 1 }));
    const first = (await jobs.claim('count'))!;
    expect(await jobs.handBack(first)).toBe(true);
    expect(await jobs.handBack(first)).toBe(false);
    expect(await jobs.job(id)).toMatchObject({ status: 'waiting', error: null });
    const second = (await jobs.claim('count'))!;
    expect(second.attempt).toBeLessThanOrEqual(second.lastAttempt);
    expect(await jobs.finish(first, mark('first'))).toBe(false);
    expect(await jobs.heartbeat(first)).toBe(false);
    expect(await jobs.finish(second, mark('second'))).toBe(true);
    expect(await jobs.handBack(second)).toBe(false);
    expect(await effects()).toEqual(['second']);
  });

  it('cancels what waits and what runs, once, and can begin it again', async () => {
    const { jobs, effects } = await aging(kind);
    const waiting = await jobs.enqueue(job('waiting'));
    expect(await jobs.cancel(waiting.id, mark('cancelled'))).toBe(true);
    expect(await jobs.cancel(waiting.id, mark('cancelled'))).toBe(false);
    expect(await jobs.claim('count')).toBeNull();
    const running = await jobs.enqueue(job('running'));
    const claim = (await jobs.claim('count'))!;
    expect(await jobs.cancel(running.id, mark('stopped'))).toBe(true);
    expect(await jobs.heartbeat(claim)).toBe(false);
    expect(await jobs.finish(claim, mark('no'))).toBe(false);
    expect(await effects()).toEqual(['cancelled', 'stopped']);
    const other = await jobs.enqueue(job('waiting'));
    expect(other.fresh).toBe(true);
    expect(await jobs.retry(waiting.id, 1)).toBe(false);
    expect(await jobs.retry(running.id, 1)).toBe(true);
    expect(await jobs.cancel('no-such-job')).toBe(false);
    expect(await jobs.job('no-such-job')).toBeNull();
    expect(await jobs.retry(crypto.randomUUID(), 1)).toBe(false);
  });

  it('waits with what is not due, and enqueues what a schedule says, once over all servers', async () => {
    const { jobs, pass } = await aging(kind);
    const other = (await aging(kind, false)).jobs;
    await jobs.enqueue(job('later', { delayMs: 60_000 }));
    expect(await jobs.claim('count')).toBeNull();
    await pass(61_000);
    expect((await jobs.claim('count'))!.key).toBe('later');

    const at = Date.UTC(2026, 0, 2, 3, 4, 5);
    const nightly = { ...job('nightly'), kind: 'tidy', key: 'nightly' };
    await Promise.all([jobs.schedule(nightly, '30 4 * * *', at), other.schedule(nightly, '30 4 * * *', at)]);
    expect(await jobs.enqueueDue(at)).toEqual([]);
    const due = Date.UTC(2026, 0, 2, 4, 30);
    // Scheduled as before: due when it was.
    await jobs.schedule(nightly, '30 4 * * *', due + 1_000);
    const kinds = await Promise.all([jobs, other, jobs, other].map(queue => queue.enqueueDue(due + 2_000)));
    expect(kinds.flat()).toEqual(['tidy']);
    expect((await jobs.claim('tidy'))!.key).toBe('nightly');
    expect(await jobs.enqueueDue(due + 3_000)).toEqual([]);
    // Three nights later: once.
    expect(await jobs.enqueueDue(due + 3 * 86_400_000)).toEqual(['tidy']);
    await jobs.unschedule('tidy', 'nightly');
    expect(await jobs.enqueueDue(due + 30 * 86_400_000)).toEqual([]);
    await expect(jobs.schedule(nightly, '61 * * * *', at)).rejects.toThrow('Schedule "61 * * * *"');
  });

  it('forgets what ended a week ago', async () => {
    const { jobs, pass } = await aging(kind);
    const { id } = await jobs.enqueue(job('a'));
    await jobs.finish((await jobs.claim('count'))!);
    await pass(6 * 86_400_000);
    await jobs.maintain();
    expect(await jobs.job(id)).not.toBeNull();
    await pass(2 * 86_400_000);
    await jobs.maintain();
    expect(await jobs.job(id)).toBeNull();
  });

  it('tells those who wait for a kind that something was added, over PostgreSQL on other servers too', async () => {
    const { jobs, state, where } = await aging(kind);
    const other = (await aging(kind, false)).state;
    // A pooler hands no notices on: there workers look more often.
    const listening = kind.name === 'PgBouncer' ? [] : [state, ...(where.url === '' ? [] : [other])];
    const heard = listening.map(({ changes }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = changes.listen('jobs/count', resolve);
      return promise.then(stop);
    });
    await jobs.enqueue(job('a'));
    await Promise.all(heard);
    expect([state, other].map(({ changes }) => changes.acrossProcesses)).toEqual(
      Array(2).fill(kind.name === 'PostgreSQL'),
    );
  });
});

describe('schedules', () => {
  it('are five fields in UTC', () => {
    expect(nextDue('0 3 * * 1', Date.UTC(2026, 0, 2))).toBe(Date.UTC(2026, 0, 5, 3));
    expect(() => nextDue('* * * * * *', 0)).toThrow('five fields');
    expect(() => nextDue('', 0)).toThrow('five fields');
  });
});
