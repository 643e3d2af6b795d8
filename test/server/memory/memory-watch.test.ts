import { expect, it } from 'vitest';
import { MemoryWatch } from '../../../server/memory/memory-watch.ts';

const MB = 2 ** 20;

/** A process of 300 MB at rest that may take 100 more, as a watch sees it. */
function process300() {
  const seen = { bytes: 300 * MB, computed: 0, at: 0, gave: [] as boolean[], said: [] as string[] };
  const watch = new MemoryWatch(100 * MB, {
    resident: () => seen.bytes,
    computed: () => seen.computed,
    now: () => seen.at,
    giveBack: cached => seen.gave.push(cached),
    warn: message => seen.said.push(message),
  });
  return {
    seen,
    watch,
    /** A tenth of a second passes, in which it computes for some milliseconds. */
    pass(megabytes: number, computed: number, times = 1) {
      for (let i = 0; i < times; i++) {
        seen.at += 100;
        seen.computed += computed;
        seen.bytes = megabytes * MB;
        watch.look();
      }
    },
  };
}

it('caches are emptied by half when memory grows short, again after five seconds, and it is said once a minute', () => {
  const { seen, watch, pass } = process300();
  pass(370, 100);
  expect([watch.spare, seen.gave]).toEqual(['ample', []]);
  pass(376, 100, 20);
  expect([watch.spare, seen.gave]).toEqual(['short', [true]]);
  pass(376, 100, 40);
  expect(seen.gave).toEqual([true, true]);
  expect(seen.said).toEqual(['memory is short: the process takes 376 of 400 MB']);
  pass(376, 100, 600);
  expect(seen.said).toHaveLength(2);
});

it('is full when the process takes all that it may, and tells when that ends', () => {
  const { watch, pass } = process300();
  let eased = 0;
  watch.whenEased(() => eased++);
  expect(watch.most).toBe(400 * MB);
  pass(400, 100, 3);
  expect([watch.spare, eased]).toEqual(['full', 0]);
  pass(380, 100);
  expect([watch.spare, eased]).toEqual(['short', 1]);
  pass(310, 100, 2);
  expect([watch.spare, eased]).toEqual(['ample', 1]);
});

it('at rest what nothing refers to is collected once, and again after more work', () => {
  const { seen, pass } = process300();
  pass(340, 100, 10);
  pass(340, 1, 19);
  expect(seen.gave).toEqual([]);
  pass(340, 1);
  expect(seen.gave).toEqual([false]);
  // Collecting is no work to collect after.
  pass(340, 1, 50);
  expect(seen.gave).toEqual([false]);
  pass(340, 100, 5);
  pass(340, 1, 30);
  expect(seen.gave).toEqual([false, false]);
});

it('a process at rest that takes little more than it did idle is left alone', () => {
  const { seen, pass } = process300();
  pass(310, 100, 10);
  pass(310, 1, 100);
  expect(seen.gave).toEqual([]);
});
