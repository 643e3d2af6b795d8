import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outageOf } from '../../../../server/state/outage/cause.ts';
import { requireWanted, Watch } from '../../../../server/state/outage/watch.ts';

const lines: { readonly message: string; readonly detail: { readonly err?: Error } }[] = [];
const say = (detail: object, message: string) => lines.push({ message, detail });
let watch: Watch;
beforeEach(() => {
  vi.useFakeTimers();
  lines.length = 0;
  watch = new Watch({ error: say, warn: say });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});
const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });

it('work that gets no answer is refused within two seconds, and so is all that waits with it', async () => {
  watch.probe = never;
  const cut = vi.fn();
  watch.cut = cut;
  const refused = [watch.run(never), watch.run(never)].map(work =>
    expect(work).rejects.toMatchObject({ code: 'state_unavailable', cause: { message: /has not answered/ } }),
  );
  await vi.advanceTimersByTimeAsync(1_999);
  await Promise.all(refused);
  expect(cut).toHaveBeenCalled();
  // From then on nobody waits.
  await expect(watch.run(async () => 1)).rejects.toMatchObject({ code: 'state_unavailable' });
});

it('work that waits while others get on is refused alone, after eight seconds', async () => {
  let refused = false;
  const slow = watch.run(never).catch(() => {
    refused = true;
  });
  for (let ms = 0; ms < 7_500; ms += 500) {
    await vi.advanceTimersByTimeAsync(500);
    watch.progress();
    expect([refused, watch.failing]).toEqual([false, false]);
  }
  await vi.advanceTimersByTimeAsync(600);
  await slow;
  expect([refused, watch.failing, lines.length]).toEqual([true, false, 0]);
});

it('work that was refused does nothing further', async () => {
  const steps: string[] = [];
  const answered = Promise.withResolvers<void>();
  const work = watch.run(async () => {
    requireWanted();
    steps.push('reserved');
    await answered.promise;
    requireWanted();
    steps.push('settled');
  });
  watch.probe = never;
  const refused = expect(work).rejects.toMatchObject({ code: 'state_unavailable' });
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  answered.resolve();
  await vi.advanceTimersByTimeAsync(10);
  expect(steps).toEqual(['reserved']);
});

it('the cause is said once a minute, and that it is over once', async () => {
  watch.probe = async () => {
    throw full;
  };
  await expect(watch.run(watch.probe)).rejects.toMatchObject({ code: 'state_unavailable', cause: full });
  await vi.advanceTimersByTimeAsync(170_000);
  expect(lines.map(({ message, detail }) => [message, detail.err])).toEqual(
    Array(3).fill(['the state store does not answer', full]),
  );
  expect([watch.failing, await watch.check()]).toEqual([true, false]);
  watch.probe = async () => {};
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lines.slice(3).map(({ message }) => message)).toEqual(['the state store answers again']);
  expect([watch.failing, await watch.check(), watch.outages]).toEqual([false, true, 1]);
});

it('a check writes at most once a second', async () => {
  const probe = vi.fn(async () => {});
  watch.probe = probe;
  for (let i = 0; i < 50; i++) expect(await watch.check()).toBe(true);
  expect(probe).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await watch.check();
  expect(probe).toHaveBeenCalledTimes(2);
});

it.each([
  ['store', { errcode: 13 }],
  ['store', { errcode: 10 | (3 << 8) }],
  ['store', { errcode: 5 }],
  [null, { errcode: 19 | (6 << 8) }],
  [null, { errcode: 1 }],
  ['store', { code: '53100' }],
  ['store', { code: '57P01' }],
  ['store', { code: '25006' }],
  ['work', { code: '57014' }],
  ['work', { code: '40001' }],
  [null, { code: '23505' }],
  [null, { code: '42P01' }],
  ['store', { code: 'ECONNREFUSED' }],
  ['store', { message: 'Connection terminated unexpectedly' }],
  [null, { message: 'x is not a function' }],
  [null, { code: 'ERR_INVALID_ARG_TYPE' }],
])('tells outages of the store, of one piece of work, and faults: %s is %j', (kind, error) => {
  expect(outageOf(error)).toBe(kind);
});

it('a fault of the program stays one', async () => {
  await expect(watch.run(async () => JSON.parse('{'))).rejects.toBeInstanceOf(SyntaxError);
  expect(watch.failing).toBe(false);
});
