import { expect, it } from 'vitest';
import { Turns } from '../../../server/turns.ts';

/** Keeps the serving thread busy for some milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('owners who had nothing since the last turn of the event loop do not wait for the next one', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const piece = async (owner: string, ms: number) => {
    await turns.take(owner);
    order.push(owner);
    work(ms);
    turns.give();
  };
  // The first piece begins a turn of its own.
  await piece('noisy', 0);
  setImmediate(() => order.push('event loop'));
  await Promise.all([piece('noisy', 5), piece('noisy', 0), piece('noisy', 0), piece('quiet', 0)]);
  expect(order).toEqual(['noisy', 'noisy', 'quiet', 'event loop', 'noisy', 'noisy']);
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
    await turns.take(owner);
    work(3);
    turns.give();
  };
  await Promise.all(Array.from({ length: 20 }, (_, i) => piece(`${i}`)));
  ended = true;
  // Sixty milliseconds of work, at most fifteen at a time.
  expect(looped).toBeGreaterThanOrEqual(4);
});
