import { expect, it } from 'vitest';
import { IdleThread } from '../../../query/engine/idle-thread.ts';

const loopWaited = () => performance.eventLoopUtilization().idle;

/**
 * Until the time has passed and the event loop has waited: timers count from the beginning of a turn of the loop, which
 * on a busy machine is long ago, so that one may fire early, or without any waiting.
 */
async function pause(ms: number) {
  const [until, waited] = [performance.now() + ms, loopWaited()];
  do await new Promise(resolve => setTimeout(resolve, ms));
  while (performance.now() < until || loopWaited() === waited);
}
/** Longer than company is remembered. */
const FORGOTTEN_MS = 30;

/** One whose other threads are idle as `state` says. */
function make() {
  const state = { idle: true };
  return { state, thread: new IdleThread(() => state.idle) };
}

/** As the engine does with a request that it may answer itself. */
async function ask(thread: IdleThread, caller?: object) {
  thread.arrived();
  const alone = await thread.begins(caller);
  if (alone) thread.ended();
  return alone;
}

it('is what one caller has who waits for each answer', async () => {
  const { thread } = make();
  const caller = {};
  for (let i = 0; i < 20; i++) expect(await ask(thread, caller)).toBe(true);
});

it('is not what requests have that come together, nor the next ones', async () => {
  const { thread } = make();
  expect(await Promise.all([ask(thread, {}), ask(thread, {}), ask(thread, {})])).toEqual([false, false, false]);
  expect(await ask(thread, {})).toBe(false);
  await pause(FORGOTTEN_MS);
  expect(await ask(thread, {})).toBe(true);
});

it('is not where another thread works', async () => {
  const { thread, state } = make();
  state.idle = false;
  expect(await ask(thread)).toBe(false);
  state.idle = true;
  await pause(FORGOTTEN_MS);
  expect(await ask(thread)).toBe(true);
});

it('ends when another request comes while it is made sure', async () => {
  const { thread } = make();
  const first = ask(thread);
  thread.arrived();
  expect(await first).toBe(false);
});

it('ends when somebody else was kept waiting by the work', async () => {
  const { thread } = make();
  const [one, other] = [{}, {}];
  // The loop must have begun to count its waiting.
  await pause(5);
  expect(await ask(thread, one)).toBe(true);
  expect(await ask(thread, other)).toBe(false);
  await pause(FORGOTTEN_MS);
  expect(await ask(thread, other)).toBe(true);
  await pause(5);
  expect(await ask(thread, one)).toBe(true);
});

it('is nothing to wait for without a second core', async () => {
  const thread = new IdleThread(() => false, 1.5);
  expect(await Promise.all([ask(thread, {}), ask(thread, {}), ask(thread, {})])).toEqual([true, true, true]);
});
