import { describe, expect, it } from 'vitest';
import { allOf, PROBABILITIES, quantilesOf, sharesAbout, together } from '../../../query/parcel/quantiles.ts';

/** Numbers from 0 to 1 that look random: the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const each = (values: readonly number[]) => values.map(value => ({ value, weight: 1 }));
const share = (values: readonly number[], of: (value: number) => boolean) => values.filter(of).length / values.length;

describe('quantiles', () => {
  it.each([1, 2, 3, 4])('say no more of a value than is so (seed %i)', seed => {
    const next = numbers(seed);
    // Many ties, as years and counts have them.
    const values = Array.from({ length: 20 + Math.floor(next() * 400) }, () => Math.floor(next() ** 2 * 40));
    const quantiles = quantilesOf(each(values))!;
    expect(quantiles.count).toBe(values.length);
    for (let value = -1; value <= 41; value += 0.5) {
      const { below, above } = sharesAbout(value, quantiles);
      const [least, most] = [share(values, one => one < value), share(values, one => one > value)];
      expect(below).toBeLessThanOrEqual(least + 1e-9);
      expect(below).toBeGreaterThanOrEqual(least - 0.0101);
      expect(above).toBeLessThanOrEqual(most + 1e-9);
      expect(above).toBeGreaterThanOrEqual(most - 0.0101);
    }
  });

  it('of weighted values are those of as many single ones', () => {
    const weighted = [
      { value: 3, weight: 2 },
      { value: 1, weight: 5 },
      { value: 9, weight: 0 },
      { value: 7, weight: 13 },
    ];
    expect(quantilesOf(weighted)).toEqual(
      quantilesOf(each(weighted.flatMap(({ value, weight }) => Array<number>(weight).fill(value)))),
    );
    expect(quantilesOf([])).toBeNull();
    expect(quantilesOf(each([4, 4]))!.values).toEqual([4]);
  });

  it('of several areas are right to a hundredth', () => {
    const next = numbers(9);
    const areas = [40, 300, 1_000].map((length, i) => Array.from({ length }, () => next() * 100 + i * 30));
    const made = areas.map(values => ({ parcels: values.length, fields: { x: quantilesOf(each(values))! } }));
    const { parcels, fields } = together(made);
    const all = areas.flat();
    expect([parcels, fields.x!.count]).toEqual([1_340, 1_340]);
    const values = allOf(fields.x!);
    expect([values[0], values.at(-1)]).toEqual([Math.min(...all), Math.max(...all)]);
    for (const [i, probability] of PROBABILITIES.entries()) {
      expect(share(all, one => one <= values[i]!)).toBeGreaterThan(probability - 0.0101);
      expect(share(all, one => one < values[i]!)).toBeLessThan(probability + 0.0101);
    }
    expect(together([made[0]!])).toBe(made[0]);
  });
});
