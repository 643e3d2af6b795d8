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
  return { state, solitude: new IdleThread(() => state.idle) };
}

/** As the engine does with a request that it may answer itself. */
async function ask(solitude: IdleThread, caller?: object) {
  solitude.arrived();
  const alone = await solitude.begins(caller);
  if (alone) solitude.ended();
  return alone;
}

it('is what one caller has who waits for each answer', async () => {
  const { solitude } = make();
  const caller = {};
  for (let i = 0; i < 20; i++) expect(await ask(solitude, caller)).toBe(true);
});

it('is not what requests have that come together, nor the next ones', async () => {
  const { solitude } = make();
  expect(await Promise.all([ask(solitude, {}), ask(solitude, {}), ask(solitude, {})])).toEqual([false, false, false]);
  expect(await ask(solitude, {})).toBe(false);
  await pause(FORGOTTEN_MS);
  expect(await ask(solitude, {})).toBe(true);
});

it('is not where another thread works', async () => {
  const { solitude, state } = make();
  state.idle = false;
  expect(await ask(solitude)).toBe(false);
  state.idle = true;
  await pause(FORGOTTEN_MS);
  expect(await ask(solitude)).toBe(true);
});

it('ends when another request comes while it is made sure', async () => {
  const { solitude } = make();
  const first = ask(solitude);
  solitude.arrived();
  expect(await first).toBe(false);
});

it('ends when somebody else was kept waiting by the work', async () => {
  const { solitude } = make();
  const [one, other] = [{}, {}];
  // The loop must have begun to count its waiting.
  await pause(5);
  expect(await ask(solitude, one)).toBe(true);
  expect(await ask(solitude, other)).toBe(false);
  await pause(FORGOTTEN_MS);
  expect(await ask(solitude, other)).toBe(true);
  await pause(5);
  expect(await ask(solitude, one)).toBe(true);
});

it('is nothing to wait for without a second core', async () => {
  const solitude = new IdleThread(() => false, 1.5);
  expect(await Promise.all([ask(solitude, {}), ask(solitude, {}), ask(solitude, {})])).toEqual([true, true, true]);
});
