import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeDegrees } from '../../query/degree-text.ts';
import { seeded } from './spoiling.ts';

const bytes = new Uint8Array(32);
const decoder = new TextDecoder();

/** What is written of a number; null where that is left to String. */
function written(value: number): string | null {
  const end = writeDegrees(bytes, 4, value);
  return end < 0 ? null : decoder.decode(bytes.subarray(4, end));
}

const bits = new BigUint64Array(1);
const double = new Float64Array(bits.buffer);
/** The double so many steps away. */
function beside(value: number, steps: number): number {
  double[0] = value;
  bits[0] = bits[0]! + BigInt(steps);
  return double[0];
}

const isDegrees = (value: number) => Math.abs(value) >= 8 && Math.abs(value) < 256 && !Number.isInteger(value);

describe('numbers of the size of degrees are written as String writes them', () => {
  const random = seeded(5);
  const size = () => (8 + random() * 248) * (random() < 0.5 ? -1 : 1);
  it.each<[string, () => number]>([
    ['any', size],
    ['with few decimals', () => Number(size().toFixed(Math.floor(random() * 17)))],
    [
      'beside those with few decimals',
      () => beside(Number(size().toFixed(Math.floor(random() * 16))), Math.floor(random() * 9) - 4),
    ],
    ['beside powers of two', () => beside(2 ** (3 + Math.floor(random() * 6)), Math.floor(random() * 40) - 20)],
    ['sums of rounded ones', () => Math.round(random() * 1e9) / 1e7 + 8.1],
  ])('%s', (_, next) => {
    let [told, left] = [0, 0];
    for (let i = 0; i < 200_000; i++) {
      const value = next();
      if (!isDegrees(value)) continue;
      const text = written(value);
      if (text === null) left++;
      else {
        told++;
        if (text !== String(value)) expect(text).toBe(String(value));
      }
    }
    expect(told).toBeGreaterThan(100_000);
    // Left to String is only what lies on a bound, almost.
    expect(left).toBeLessThan(told / 1000);
  });

  it('doubles of all bits', () => {
    fc.assert(
      fc.property(fc.double({ min: 8, max: 255.99, noNaN: true }), fc.boolean(), (size, negative) => {
        const value = negative ? -size : size;
        fc.pre(isDegrees(value));
        const text = written(value);
        if (text !== null) expect(text).toBe(String(value));
      }),
      { numRuns: 20_000, seed: 7 },
    );
  });
});
