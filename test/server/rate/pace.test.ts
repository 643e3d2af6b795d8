import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Pace } from '../../../server/rate/pace.ts';

it('holds refusals back for a second and sends those that came together one after the other', async () => {
  // Refusals are counted by second: all of these are of one. A timer may fire a millisecond before the second begins.
  await sleep(1_020 - (performance.now() % 1_000));
  const pace = new Pace(2);
  const began = performance.now();
  expect(pace.hold('a')).toBeUndefined();
  expect(pace.hold('a')).toBeUndefined();
  const sent: number[] = [];
  await Promise.all(
    Array.from({ length: 30 }, () => Promise.resolve(pace.hold('a')).then(() => sent.push(performance.now()))),
  );
  // Timers may fire up to a millisecond early.
  expect(sent[0]! - began).toBeGreaterThan(998);
  expect(sent.at(-1)! - began).toBeGreaterThan(998 + 29 * 10);
});

it('holds nobody back for what others did', () => {
  const pace = new Pace(1);
  pace.hold('a');
  void pace.hold('a');
  expect(pace.hold('b')).toBeUndefined();
});
