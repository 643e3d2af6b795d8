import { afterEach, expect, it, vi } from 'vitest';
import { Hopeless, type JobKind, type JobServices, jobOf } from '../../../server/jobs/job-kind.ts';
import { type JobWorker, workOnJobs } from '../../../server/jobs/worker.ts';
import { contextFor, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';
import { type Aging, aging, mark } from './aging.ts';

const workers: JobWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()));
});

type Data = { readonly name: string };

/** A kind whose jobs do what a test says. */
function kindOf(run: JobKind<Data>['run'], more: Partial<JobKind<Data>> = {}): JobKind<Data> {
  return {
    name: 'count',
    summary: 'Counts.',
    atOnce: 1,
    attempts: 3,
    retryMs: 1_000,
    mostMs: 1_000,
    run,
    ended: ({ data }, { how }) => mark(`${data.name} ${how}`),
    ...more,
  };
}

describeStores('work on jobs', kind => {
  const services = async ({ state, clock }: Aging, log: JobServices['log'] = { error() {} }): Promise<JobServices> => ({
    ...contextFor(await openFixture({ state, clock })),
    callbacks: NO_CALLBACKS,
    log,
  });
  const start = async (at: Aging, ...kinds: JobKind[]) => {
    const worker = workOnJobs(await services(at), kinds);
    workers.push(worker);
    return worker;
  };
  const enqueue = (at: Aging, of: JobKind<Data>, name: string, account: string | null = null) =>
    at.state.jobs.enqueue(jobOf(of, name, { name }, account));

  it('is done at once, each job with its effect, so many at once', async () => {
    const at = await aging(kind);
    let running = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const counting = kindOf(
      async (_services, { data, progress }) => {
        most = Math.max(most, ++running);
        if (running === 2) both.resolve();
        await both.promise;
        await progress(1, 1);
        running--;
        return mark(data.name);
      },
      { atOnce: 2 },
    );
    await start(at, counting);
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map(name => enqueue(at, counting, name, name)));
    await vi.waitFor(async () => expect(await at.effects()).toEqual(names), 20_000);
    expect(most).toBe(2);
  });

  it('is never all of it for one account: what another one wants is done meanwhile', async () => {
    const at = await aging(kind);
    const begun: string[] = [];
    const large = Promise.withResolvers<void>();
    const screening = kindOf(
      async (_services, { data }) => {
        begun.push(data.name);
        if (data.name === 'large') await large.promise;
        return mark(data.name);
      },
      { atOnce: 2 },
    );
    for (const name of ['large', 'second', 'third']) await enqueue(at, screening, name, 'a');
    await start(at, screening);
    await vi.waitFor(() => expect(begun).toEqual(['large']), 20_000);
    for (const name of ['small', 'smaller']) await enqueue(at, screening, name, 'b');
    await vi.waitFor(async () => expect(await at.effects()).toEqual(['small', 'smaller']), 20_000);
    expect(begun).toEqual(['large', 'small', 'smaller']);
    large.resolve();
    await vi.waitFor(async () => expect(await at.effects()).toHaveLength(5), 20_000);
    expect(begun.slice(3)).toEqual(['second', 'third']);
  });

  it('tries again what fails, not what is hopeless, and says so in the state at the end', async () => {
    const at = await aging(kind);
    const seen: string[] = [];
    const failing = kindOf(async (_services, { data, attempt }) => {
      seen.push(`${data.name} ${attempt}`);
      throw data.name === 'hopeless' ? new Hopeless('cannot be') : new Error('not now');
    });
    const { id } = await enqueue(at, failing, 'hopeless');
    await enqueue(at, failing, 'again');
    await start(at, failing);
    await vi.waitFor(async () => {
      await at.pass(2_000);
      expect(await at.effects()).toEqual(['again failed', 'hopeless failed']);
    }, 30_000);
    expect(seen.sort()).toEqual(['again 1', 'again 2', 'again 3', 'hopeless 1']);
    expect(await at.jobs.job(id)).toMatchObject({ status: 'failed', error: 'cannot be' });
  });

  it('ends when it is cancelled, and when its server stops, which counts as an attempt', async () => {
    const at = await aging(kind);
    const begun: string[] = [];
    const waiting = kindOf(
      (_services, { data, signal, progress }) => {
        begun.push(data.name);
        return new Promise((_, reject) => {
          const beat = setInterval(() => void progress(0, 1).catch(() => {}), 50);
          signal.addEventListener('abort', () => {
            clearInterval(beat);
            reject(signal.reason);
          });
        });
      },
      { attempts: 1 },
    );
    const worker = await start(at, waiting);
    const first = await enqueue(at, waiting, 'cancel');
    await vi.waitFor(() => expect(begun).toEqual(['cancel']), 20_000);
    await at.jobs.cancel(first.id, mark('cancelled'));
    const second = await enqueue(at, waiting, 'stop');
    await vi.waitFor(() => expect(begun).toEqual(['cancel', 'stop']), 20_000);
    await worker.stop();
    expect(await at.effects()).toEqual(['cancelled', 'stop died']);
    expect(await at.jobs.job(second.id)).toMatchObject({ status: 'failed', error: 'the server was stopped' });
  });

  it('lets what runs end when its server stops, and hands back what takes longer', async () => {
    const at = await aging(kind);
    const begun: string[] = [];
    const quick = Promise.withResolvers<void>();
    const some = kindOf(
      async (_services, { data, signal }) => {
        begun.push(data.name);
        if (data.name === 'quick') await quick.promise;
        // What is handed back has cost no attempt.
        else if (data.name === 'slow' && begun.filter(name => name === 'slow').length === 1)
          await new Promise((_, reject) => signal.addEventListener('abort', reject));
        return mark(data.name);
      },
      { atOnce: 2 },
    );
    const worker = await start(at, some);
    await enqueue(at, some, 'quick', 'a');
    const slow = await enqueue(at, some, 'slow', 'b');
    await vi.waitFor(() => expect(begun.sort()).toEqual(['quick', 'slow']), 20_000);
    const stopped = worker.stop(300);
    await enqueue(at, some, 'later', 'c');
    quick.resolve();
    await stopped;
    expect(await at.effects()).toEqual(['quick']);
    expect(await at.jobs.job(slow.id)).toMatchObject({ status: 'waiting', error: null });
    await start(at, some);
    await vi.waitFor(async () => expect(await at.effects()).toEqual(['later', 'quick', 'slow']), 20_000);
  });

  it('does not begin what died as often as it may', async () => {
    const at = await aging(kind);
    const run = vi.fn(async () => undefined);
    const once = kindOf(run, { attempts: 1 });
    await enqueue(at, once, 'poison');
    expect(await at.jobs.claim('count')).not.toBeNull();
    await at.pass(at.jobs.leaseMs + 1_000);
    await at.pass(2_000);
    await start(at, once);
    await vi.waitFor(async () => expect(await at.effects()).toEqual(['poison died']), 20_000);
    expect(run).not.toHaveBeenCalled();
  });

  it('enqueues what its schedule says', async () => {
    const at = await aging(kind);
    const nightly = kindOf(async () => mark('night'), { name: 'nightly', cron: '0 4 * * *' });
    const first = await start(at, nightly);
    await vi.waitFor(async () => {
      await at.state.jobs.enqueueDue(at.clock.time);
      at.clock.time += 6 * 3_600_000;
      expect(await at.effects()).toContain('night');
    }, 20_000);
    await first.stop();
  });
});
