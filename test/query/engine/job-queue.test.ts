import { afterEach, describe, expect, it, vi } from 'vitest';
import { EngineBusy, WorkerStopped } from '../../../query/engine/engine-interface.ts';
import { JobQueue, type Terms, type Workers } from '../../../query/engine/queue/job-queue.ts';
import { type TaskTimes, tracing } from '../../../query/engine/queue/trace.ts';
import { claim } from '../../../query/engine/shared-flags.ts';
import type { Outcome, WorkerTask } from '../../../query/engine/worker-task.ts';

const STANDING = { release: 'r1', past: false, judged: [] };
const soon = (more: Partial<Terms> = {}): Terms => ({ deadline: Date.now() + 20_000, ...more });
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
/** No time passes: what waits behind a slow worker is not sent to another one too, however slow the machine. */
const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const turn = () => new Promise(resolve => setImmediate(resolve));

/** Workers that answer when the test says so. */
function stage(size: number, queue: number) {
  const runs: {
    task: WorkerTask;
    /** The worker begins. @returns whether it may. */
    begin: () => boolean;
    end: (outcome?: Outcome) => Promise<void>;
    /** The worker dies. */
    die: () => Promise<void>;
  }[] = [];
  const flags = JobQueue.flagsFor(size, queue);
  const workers = {
    run: (task: WorkerTask) =>
      new Promise<Outcome>((resolve, reject) => {
        let begun: boolean | null = null;
        const begin = () => {
          begun ??= claim(flags.block, task.flag, task.id);
          return begun;
        };
        const settled = async () => {
          await turn();
          await turn();
        };
        const end = (outcome?: Outcome) => {
          const own: Outcome = begin()
            ? { output: (task.input as { point: unknown }).point as never }
            : { taken: true };
          resolve(outcome ?? own);
          return settled();
        };
        const die = () => {
          reject(new Error('out of memory'));
          return settled();
        };
        runs.push({ task, begin, end, die });
      }),
    close: async () => {},
  } as unknown as Workers;
  // One ahead of the one that it works on.
  const jobs = new JobQueue(workers, size, queue, flags, 2);
  const fetch = (lng: number, name = 'a', terms = soon(), standing = STANDING) =>
    jobs.submit(
      'fetch',
      { names: [name], point: { lng, lat: 0 } },
      standing,
      terms,
      reason => reason as never,
    ) as Promise<unknown>;
  const crossed = () => runs.map(({ task }) => (task.input as { point: { lng: number } }).point.lng);
  return { jobs, runs, fetch, crossed, flags };
}

afterEach(() => {
  vi.useRealTimers();
});

it('a traced request is told of its wait and of its work', async () => {
  stopTime();
  const { fetch, runs, jobs } = stage(1, 20);
  const told: TaskTimes[] = [];
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true, state: null };
  const answers = tracing.run({ ...trace, task: times => told.push(times) }, () => [fetch(1), fetch(2), fetch(3)]);
  const untraced = fetch(4);
  // Two are sent ahead; the third waits, and its caller is told when it was sent.
  for (let i = 0; i < 4; i++) await runs[i]!.end();
  await Promise.all([...answers, untraced]);
  expect(told.map(({ kind }) => kind)).toEqual(['fetch', 'fetch', 'fetch']);
  for (const { queuedAt, sentAt, endedAt } of told) {
    expect(queuedAt).toBeLessThanOrEqual(sentAt);
    expect(sentAt).toBeLessThanOrEqual(endedAt);
  }
  expect(told[2]!.sentAt).toBeGreaterThan(told[0]!.sentAt);
  await jobs.close();
});

describe('fetches that wait', () => {
  it('go to the workers in the order they came, one ahead of the one that each works on', async () => {
    stopTime();
    const { fetch, runs, crossed } = stage(2, 20);
    const answers = [1, 2, 3, 4, 5, 6].map(lng => fetch(lng));
    expect(crossed()).toEqual([1, 2, 3, 4]);
    await runs[0]!.end();
    expect(crossed()).toEqual([1, 2, 3, 4, 5]);
    for (let i = 1; i < 6; i++) await runs[i]!.end();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6].map(lng => ({ lng, lat: 0 })));
  });

  it('fail, or are given up, each for itself', async () => {
    const { fetch, runs, flags } = stage(1, 20);
    const gone = new AbortController();
    const [first, second] = [fetch(1), fetch(2, 'a', soon({ signal: gone.signal }))];
    gone.abort();
    await expect(second).rejects.toThrow(/aborted/);
    expect(runs.map(({ task }) => Atomics.load(flags.block, task.flag))).toEqual([0, 1]);
    await runs[0]!.end({ error: 'out of memory' });
    await runs[1]!.end({ output: null });
    expect(await first).toBe('the worker could not answer: out of memory');
  });

  it('leave the queue when their caller goes, and are refused when too many wait', async () => {
    stopTime();
    const { fetch, runs, crossed } = stage(1, 2);
    const gone = new AbortController();
    const sent = [fetch(1), fetch(2)];
    const waiting = fetch(3, 'a', soon({ signal: gone.signal }));
    await expect(fetch(4)).rejects.toThrow(EngineBusy);
    gone.abort();
    await expect(waiting).rejects.toThrow(/aborted/);
    const instead = fetch(5);
    for (let i = 0; i < 3; i++) await runs[i]!.end();
    expect(crossed()).toEqual([1, 2, 5]);
    expect(await Promise.all([...sent, instead])).toHaveLength(3);
  });

  it('are answered for when their time is up or the service ends', async () => {
    const { jobs, fetch, runs } = stage(1, 5);
    const late = fetch(1, 'a', soon({ deadline: Date.now() - 500 }));
    expect(await late).toBe('the time for this request was up');
    const [sent, waiting] = [fetch(2), fetch(3)];
    await jobs.close();
    expect(await waiting).toBe('the service is shutting down');
    await expect(fetch(4)).rejects.toThrow('closed');
    for (const { end } of runs) await end();
    expect(await sent).toEqual({ lng: 2, lat: 0 });
  });
});

describe('what was sent ahead', () => {
  it('goes to another worker too when it waits behind a long request, and is answered once', async () => {
    const { fetch, runs, crossed } = stage(2, 20);
    const answers = [fetch(1), fetch(2)];
    await turn();
    runs[0]!.begin();
    runs[1]!.begin();
    answers.push(fetch(3), fetch(4, 'b'));
    await turn();
    expect(crossed()).toEqual([1, 2, 3, 4]);
    // Nothing is sent again while every worker has all that it takes.
    await pause(30);
    expect(runs).toHaveLength(4);
    // The second worker goes on to the fourth; the third waits behind the first.
    await runs[1]!.end();
    runs[3]!.begin();
    await runs[3]!.end();
    expect(crossed()[4]).toBe(3);
    expect(runs[4]!.task.id).not.toBe(runs[2]!.task.id);
    await runs[4]!.end();
    expect(await answers[2]).toEqual({ lng: 3, lat: 0 });
    await runs[0]!.end();
    expect(runs[2]!.begin()).toBe(false);
    await runs[2]!.end();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4].map(lng => ({ lng, lat: 0 })));
    await pause(30);
    expect(runs).toHaveLength(5);
  });

  it('is not sent again once its worker has begun with it, nor once its caller has gone', async () => {
    const { fetch, runs } = stage(1, 20);
    const gone = new AbortController();
    const answers = [fetch(1)];
    await turn();
    runs[0]!.begin();
    const left = fetch(2, 'a', soon({ signal: gone.signal }));
    await turn();
    expect(runs).toHaveLength(2);
    await pause(30);
    gone.abort();
    await expect(left).rejects.toThrow(/aborted/);
    await runs[0]!.end();
    // The worker learns that nobody waits.
    expect(runs[1]!.begin()).toBe(true);
    await runs[1]!.end({ output: null });
    expect(await Promise.all(answers)).toHaveLength(1);
    await pause(30);
    expect(runs).toHaveLength(2);
  });

  it.each([1, 2])(
    'waits for another worker when its own dies before it began, but not for a third: %i',
    async deaths => {
      stopTime();
      const { fetch, runs } = stage(1, 20);
      const begun = fetch(1);
      await turn();
      runs[0]!.begin();
      const ahead = fetch(2);
      await turn();
      const stopped = expect(begun).rejects.toThrow(WorkerStopped);
      await runs[0]!.die();
      await stopped;
      const last = ahead.catch((error: Error) => error.message);
      for (let i = 1; i <= deaths; i++) await runs[i]!.die();
      if (deaths === 1) await runs[2]!.end();
      expect(await last).toEqual(deaths === 1 ? { lng: 2, lat: 0 } : 'the worker stopped: out of memory');
      expect(runs).toHaveLength(3);
    },
  );
});

describe('requests of several accounts', () => {
  const of = (account: string) => soon({ account });
  /** Workers have begun with what they have: none of it is sent to another one too. */
  const begun = (runs: ReturnType<typeof stage>['runs']) => {
    for (const { begin } of runs) begin();
  };

  it('are served in turn, however many one of them has waiting', async () => {
    stopTime();
    const { fetch, runs, crossed } = stage(1, 50);
    const answers = [fetch(0, 'z', of('noisy'))];
    await turn();
    for (let i = 1; i <= 9; i++) answers.push(fetch(i, `${i}`, of('noisy')));
    answers.push(fetch(100, 'x', of('quiet')));
    await turn();
    // The quiet one is sent although the worker has all that it takes, to be answered between its steps.
    expect(crossed()).toEqual([0, 1, 100]);
    expect(runs[2]!.task.urgent).toBe(true);
    answers.push(fetch(101, 'y', of('quiet')));
    await turn();
    expect(runs).toHaveLength(3);
    await runs[0]!.end();
    await runs[2]!.end();
    expect(crossed().slice(3)).toEqual([2, 101]);
    for (let i = 1; i < runs.length; i++) await runs[i]!.end();
    expect(await Promise.all(answers)).toHaveLength(12);
  });

  it('when too many wait, what came last of the most crowded is refused and not who comes new', async () => {
    const { fetch, runs } = stage(1, 4);
    const first = [fetch(0, 'a', of('noisy')), fetch(1, 'b', of('noisy'))];
    await turn();
    const waiting = [2, 3, 4].map(lng => fetch(lng, `${lng}`, of('noisy')));
    const last = waiting.at(-1)!;
    const refused = expect(last).rejects.toThrow(EngineBusy);
    const quiet = fetch(100, 'x', of('quiet'));
    await refused;
    // The quiet one was sent ahead of its turn and waits no more.
    const next = fetch(5, 'c', of('noisy'));
    await expect(fetch(6, 'd', of('noisy'))).rejects.toThrow(EngineBusy);
    for (let i = 0; i < runs.length; i++) await runs[i]!.end();
    expect(await Promise.all([...first, ...waiting.slice(0, 2), quiet, next])).toHaveLength(6);
  });

  it('a short one of another account goes to the next worker too, however much they have, when its own takes long', async () => {
    const { fetch, runs, crossed } = stage(2, 50);
    const answers = Array.from({ length: 8 }, (_, lng) => fetch(lng, `${lng}`, of('noisy')));
    await turn();
    begun(runs);
    expect(crossed()).toEqual([0, 1, 2, 3]);
    const quiet = fetch(100, 'x', of('quiet'));
    await expect.poll(() => crossed().slice(4), { timeout: 20_000 }).toEqual([100, 100]);
    await runs[5]!.end();
    expect(await quiet).toEqual({ lng: 100, lat: 0 });
    expect(runs[4]!.begin()).toBe(false);
    await pause(30);
    expect(runs).toHaveLength(6);
    for (let i = 0; i < runs.length; i++) await runs[i]!.end();
    expect(await Promise.all(answers)).toHaveLength(8);
  });

  it('a long one is not sent behind a long one, and does not keep short ones of others from being sent', async () => {
    stopTime();
    const { jobs, fetch, runs } = stage(1, 50);
    const enriched = () =>
      jobs.submit('search', { enrich: true, point: 'page' } as never, STANDING, of('noisy'), r => r as never);
    const answers: Promise<unknown>[] = [enriched(), enriched(), fetch(1, 'a', of('quiet'))];
    await turn();
    expect(runs.map(({ task }) => task.kind)).toEqual(['search', 'fetch']);
    for (let i = 0; i < 3; i++) await runs[i]!.end();
    expect(await Promise.all(answers)).toHaveLength(3);
  });

  it.each([
    ['enriched', { enrich: true }],
    ['of a large area', { filters: { areas: [{ geometry: { xy: new Float64Array(20_000) } }] } }],
  ])(
    'searches %s have all workers, but for one where something short was requested within a minute',
    async (_, input) => {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
      const { jobs, fetch, runs } = stage(3, 50);
      // They wait for longer than a minute.
      const noisy = soon({ account: 'noisy', deadline: Date.now() + 120_000 });
      const search = () =>
        jobs.submit('search', { ...input, point: 'page' } as never, STANDING, noisy, r => r as never);
      const answers: Promise<unknown>[] = [1, 2, 3, 4, 5, 6].map(search);
      const kinds = () => runs.map(({ task }) => task.kind[0]).join('');
      expect(kinds()).toBe('sss');
      answers.push(fetch(1, 'a', of('quiet')));
      begun(runs);
      for (const i of [0, 1, 3]) await runs[i]!.end();
      // Two run, and one worker is free.
      expect(kinds()).toBe('sssfs');
      await vi.advanceTimersByTimeAsync(61_000);
      await runs[2]!.end();
      begun(runs);
      expect(kinds()).toBe('sssfsss');
      for (const { end } of runs) await end();
      for (const { end } of runs) await end();
      expect(await Promise.all(answers)).toHaveLength(7);
    },
  );
});
