import { expect, it } from 'vitest';
import { IdleThread } from '../../../query/engine/idle-thread.ts';

/** One whose other threads are idle as `state` says. */
function make() {
  const state = { idle: true };
  return { state, thread: new IdleThread(() => state.idle) };
}

/** As the engine does with a request that it may answer itself. */
function ask(thread: IdleThread) {
  thread.arrived();
  return thread.isAlone();
}

it('is what requests have that come one after the other', async () => {
  const { thread } = make();
  for (let i = 0; i < 20; i++) expect(await ask(thread)).toBe(true);
});

it('is not what requests have that come together', async () => {
  const { thread } = make();
  expect(await Promise.all([ask(thread), ask(thread), ask(thread)])).toEqual([false, false, false]);
  expect(await ask(thread)).toBe(true);
});

it('is not where another thread works', async () => {
  const { thread, state } = make();
  state.idle = false;
  expect(await ask(thread)).toBe(false);
  state.idle = true;
  expect(await ask(thread)).toBe(true);
});

it('ends when another request comes while it is made sure', async () => {
  const { thread } = make();
  const first = ask(thread);
  thread.arrived();
  expect(await first).toBe(false);
});

it('is nothing to wait for without a second core', async () => {
  const thread = new IdleThread(() => false, 1.5);
  expect(await Promise.all([ask(thread), ask(thread), ask(thread)])).toEqual([true, true, true]);
});
