import { expect, it } from 'vitest';
import { outlive, outlived } from '../../server/outliving.ts';

it('work is waited for until it ends, well or badly, or the time is up', async () => {
  const set = new Set<Promise<unknown>>();
  const fail = outlive(set, Promise.reject(new Error('a fault')));
  let finish = () => {};
  const work = outlive(
    set,
    new Promise<void>(resolve => {
      finish = resolve;
    }),
  );
  await expect(fail).rejects.toThrow('a fault');
  expect([...set]).toEqual([work]);
  await outlived(set, 10);
  expect(set.size).toBe(1);
  const waiting = outlived(set, 1e6);
  finish();
  await waiting;
  expect(set.size).toBe(0);
});
