import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../query/engine/queue/fair-queue.ts';
import { Pauses } from '../../../query/engine/queue/pauses.ts';

const task = (owner: string, id: number) => ({ owner, id });
const ids = (queue: FairQueue<ReturnType<typeof task>>) => {
  const out: string[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) out.push(`${next.owner}${next.id}`);
  return out;
};

describe('a fair queue', () => {
  it('serves owners in turn, and each owner in the order it came', () => {
    const queue = new FairQueue<ReturnType<typeof task>>();
    for (let i = 0; i < 4; i++) queue.push(task('a', i));
    queue.push(task('b', 0));
    queue.push(task('c', 0));
    queue.push(task('b', 1));
    expect(queue.size).toBe(7);
    expect(ids(queue)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
    expect(queue.shift()).toBeNull();
  });

  it('lets who was just served wait for all others, also when it comes again at once', () => {
    const queue = new FairQueue<ReturnType<typeof task>>();
    queue.push(task('a', 0));
    queue.push(task('b', 0));
    expect(queue.shift()).toEqual(task('a', 0));
    queue.push(task('a', 1));
    expect(ids(queue)).toEqual(['b0', 'a1']);
  });

  it('gives up what is removed, puts first what is put back, and knows who crowds it', () => {
    const queue = new FairQueue<ReturnType<typeof task>>();
    const gone = task('a', 1);
    for (const one of [task('a', 0), gone, task('a', 2), task('b', 0)]) queue.push(one);
    expect(queue.mostCrowded()).toEqual(task('a', 2));
    expect(queue.remove(gone)).toBe(true);
    expect(queue.remove(gone)).toBe(false);
    queue.unshift(task('b', 9));
    expect(queue.shiftWanted(({ owner }) => owner === 'a')).toEqual(task('a', 0));
    expect(ids(queue)).toEqual(['b9', 'a2', 'b0']);
    expect(queue.of('a')).toBe(0);
  });
});

describe('pauses of long work', () => {
  it('do what is urgent between its steps', async () => {
    const pauses = new Pauses(0);
    const done: string[] = [];
    const long = (async () => {
      for (let step = 0; step < 3; step++) {
        await pauses.pause();
        done.push(`step ${step}`);
        if (step === 0) void pauses.add(setImmediate().then(() => done.push('urgent')));
      }
    })();
    await long;
    expect(done).toEqual(['step 0', 'urgent', 'step 1', 'step 2']);
  });

  it('need not come for what is urgent to begin: long work may wait for a file', async () => {
    const pauses = new Pauses(0);
    const { promise: file, resolve: arrives } = Promise.withResolvers<void>();
    const long = file.then(() => pauses.pause());
    expect(await pauses.add(setImmediate('urgent'))).toBe('urgent');
    arrives();
    await long;
  });

  it('are none while little time has passed', () => {
    expect(new Pauses(60_000).pause()).toBeUndefined();
  });
});
