import { describe, expect, it, vi } from 'vitest';
import { createCache } from '../../../query/release/cache.ts';

/** A cache that has pushed out a file, and what its closing calls. */
function pushedOut() {
  const cache = createCache(1);
  const close = vi.fn();
  const push = () => {
    cache.set('file', { close }, 1000);
    cache.set('block', {}, cache.capacity);
  };
  return { cache, close, push };
}

describe('a file that was pushed out', () => {
  it('is closed by the last of those at work, not under one that may be using it', () => {
    const { cache, close, push } = pushedOut();
    cache.enter();
    cache.enter();
    push();
    expect(cache.get('file')).toBeUndefined();
    cache.leave();
    expect(close).not.toHaveBeenCalled();
    cache.leave();
    expect(close).toHaveBeenCalledOnce();
  });

  it('is closed with everything else when all is dropped', () => {
    const { cache, close, push } = pushedOut();
    push();
    cache.clear();
    expect(close).toHaveBeenCalledOnce();
    expect(cache.get('block')).toBeUndefined();
  });
});
