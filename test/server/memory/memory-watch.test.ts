import { expect, it } from 'vitest';
import { MemoryWatch } from '../../../server/memory/memory-watch.ts';

const MB = 2 ** 20;

/** A process of 300 MB at rest that may take 100 more, as a watch sees it. */
function process300() {
  const seen = { bytes: 300 * MB, at: 0, emptied: 0, said: [] as string[] };
  const watch = new MemoryWatch(100 * MB, {
    resident: () => seen.bytes,
    now: () => seen.at,
    shrinkCaches: () => seen.emptied++,
    warn: message => seen.said.push(message),
  });
  return {
    seen,
    watch,
    /** A tenth of a second passes. */
    pass(megabytes: number, times = 1) {
      for (let i = 0; i < times; i++) {
        seen.at += 100;
        seen.bytes = megabytes * MB;
        watch.look();
      }
    },
  };
}

it('caches are emptied by half when memory grows short, again after five seconds, and it is said once a minute', () => {
  const { seen, watch, pass } = process300();
  pass(389);
  expect([watch.spare, seen.emptied]).toEqual(['ample', 0]);
  pass(391, 20);
  expect([watch.spare, seen.emptied]).toEqual(['short', 1]);
  pass(391, 40);
  expect(seen.emptied).toBe(2);
  expect(seen.said).toEqual(['memory is short: the process takes 391 of 400 MB']);
  pass(391, 600);
  expect(seen.said).toHaveLength(2);
});

it('is full when the process takes all that it may, and tells when that ends', () => {
  const { watch, pass } = process300();
  let eased = 0;
  watch.whenEased(() => eased++);
  expect(watch.most).toBe(400 * MB);
  pass(400, 3);
  expect([watch.spare, eased]).toEqual(['full', 0]);
  pass(395);
  expect([watch.spare, eased]).toEqual(['short', 1]);
  pass(310, 2);
  expect([watch.spare, eased]).toEqual(['ample', 1]);
});
