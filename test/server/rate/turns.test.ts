import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Turns } from '../../../server/turns.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that takes some milliseconds by the clock of the test. */
const work = (ms: number) => vi.advanceTimersByTime(ms);

it('work of an owner who had none since the last turn of the event loop does not wait for the next one', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const piece = async (owner: string, ms: number) => {
    const turn = await turns.take(owner);
    order.push(owner);
    work(ms);
    turn.release();
  };
  setImmediate(() => order.push('event loop'));
  await Promise.all([piece('noisy', 5), piece('noisy', 0), piece('noisy', 0), piece('quiet', 0)]);
  expect(order).toEqual(['noisy', 'quiet', 'event loop', 'noisy', 'noisy']);
});

it('many owners leave the event loop its turns', async () => {
  const turns = new Turns();
  let looped = 0;
  let ended = false;
  const look = () => {
    looped++;
    if (!ended) setImmediate(look);
  };
  setImmediate(look);
  const piece = async (owner: string) => {
    const turn = await turns.take(owner);
    work(3);
    turn.release();
  };
  await Promise.all(Array.from({ length: 20 }, (_, i) => piece(`${i}`)));
  ended = true;
  // Sixty milliseconds of work, at most fifteen at a time.
  expect(looped).toBeGreaterThanOrEqual(4);
});
