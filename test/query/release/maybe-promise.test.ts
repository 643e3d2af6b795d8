import { describe, expect, it } from 'vitest';
import { after, inTurn, Memo } from '../../../query/release/maybe-promise.ts';

const late = <T>(value: T): Promise<T> => Promise.resolve(value);

describe('what is at hand', () => {
  it('is gone on with at once, and what is not when it has come', async () => {
    expect(after(2, value => value + 1)).toBe(3);
    const promised = after(late(2), value => value + 1);
    expect(promised).toBeInstanceOf(Promise);
    expect(await promised).toBe(3);
    expect(await after(2, value => late(value * 2))).toBe(4);
  });

  it('of several is worked on in turn, waiting only where it must', async () => {
    expect(inTurn([1, 2, 3], item => item * 2)).toEqual([2, 4, 6]);
    const began: number[] = [];
    const out = inTurn([1, 2, 3, 4], item => {
      began.push(item);
      return item % 2 ? item : late(item);
    });
    // The third is not begun before the second has come.
    expect(began).toEqual([1, 2]);
    expect(await out).toEqual([1, 2, 3, 4]);
    expect(began).toEqual([1, 2, 3, 4]);
  });

  it('ends with the first fault', async () => {
    const work = (item: number) => {
      if (item === 3) throw new Error('third');
      return item === 2 ? late(item) : item;
    };
    await expect(inTurn([1, 2, 3], work)).rejects.toThrow('third');
    expect(() => inTurn([3, 2], work)).toThrow('third');
  });
});

describe('what is kept', () => {
  it('is computed once a key, whether at hand, late or null', async () => {
    const kept = new Memo();
    const computed: string[] = [];
    const ask = <T>(key: string, value: T) =>
      kept.of(key, () => {
        computed.push(key);
        return value;
      });
    expect(ask('a', 1)).toBe(1);
    expect(ask('a', 2)).toBe(1);
    expect(ask('none', null)).toBeNull();
    expect(ask('none', 3)).toBeNull();
    expect(await ask('late', late(4))).toBe(4);
    expect(await ask('late', late(5))).toBe(4);
    expect(computed).toEqual(['a', 'none', 'late']);
  });

  it('is a fault where the first computation failed, thrown or late', async () => {
    const kept = new Memo();
    const fail = () => {
      throw new Error('no');
    };
    expect(() => kept.of('key', fail)).toThrow('no');
    expect(() => kept.of('key', () => 1)).toThrow('no');
    await expect(kept.of('late', async () => fail())).rejects.toThrow('no');
    await expect(kept.of('late', () => 1)).rejects.toThrow('no');
  });

  it('may be computed ahead: its fault is for the one who asks', () => {
    const kept = new Memo();
    kept.ahead('value', () => 7);
    kept.ahead('fault', () => {
      throw new Error('no');
    });
    expect(kept.of('value', () => 8)).toBe(7);
    expect(() => kept.of('fault', () => 8)).toThrow('no');
  });
});
