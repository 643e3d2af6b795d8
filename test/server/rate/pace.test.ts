import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Pace } from '../../../server/rate/pace.ts';

it('holds refusals back for a second and sends those that came together one after the other', async () => {
  // Refusals are counted by second: all of these are of one, since they begin early in it.
  while (performance.now() % 1_000 > 200) await sleep(50);
  const pace = new Pace(2);
  const began = performance.now();
  expect(pace.hold('a')).toBeUndefined();
  expect(pace.hold('a')).toBeUndefined();
  const sent: number[] = [];
  await Promise.all(
    Array.from({ length: 30 }, () => Promise.resolve(pace.hold('a')).then(() => sent.push(performance.now()))),
  );
  // Timers count from the beginning of a turn of the loop, so that they fire early when the turn was long.
  expect(sent[0]! - began).toBeGreaterThan(900);
  expect(sent.at(-1)! - began).toBeGreaterThan(900 + 29 * 10);
});

it('holds nobody back for what others did', () => {
  const pace = new Pace(1);
  pace.hold('a');
  void pace.hold('a');
  expect(pace.hold('b')).toBeUndefined();
});
