import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestTo, writeDecimal } from '../../../query/format/decimal-text.ts';
import { seeded } from '../spoiling.ts';

const bytes = new Uint8Array(32);
const decoder = new TextDecoder();

/** What is written of a number; null where that is left to String. */
function written(value: number): string | null {
  const end = writeDecimal(bytes, 4, value);
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

/** Powers of two are left to String on purpose. */
const isWritten = (value: number) => {
  const size = Math.abs(value);
  return size >= 0.1 && size < 9000 && !Number.isInteger(value) && ![0.5, 0.25, 0.125].includes(size);
};

describe('numbers of the size of degrees and acres are written as String writes them', () => {
  const random = seeded(5);
  const sign = () => (random() < 0.5 ? -1 : 1);
  const degrees = () => (8 + random() * 248) * sign();
  const size = () => 0.1 * 90_000 ** random() * sign();
  it.each<[string, () => number]>([
    ['any', size],
    ['degrees', degrees],
    ['degrees with few decimals', () => Number(degrees().toFixed(Math.floor(random() * 17)))],
    ['with few decimals', () => Number(size().toFixed(Math.floor(random() * 17)))],
    [
      'beside those with few decimals',
      () => beside(Number(size().toFixed(Math.floor(random() * 16))), Math.floor(random() * 9) - 4),
    ],
    ['beside powers of two', () => beside(2 ** (Math.floor(random() * 17) - 3), Math.floor(random() * 40) - 20)],
    [
      'beside powers of ten',
      () =>
        beside(10 ** (Math.floor(random() * 5) - 1) * (1 + Math.floor(random() * 9)), Math.floor(random() * 40) - 20),
    ],
    ['sums of rounded ones', () => Math.round(random() * 1e9) / 1e7 + 8.1],
  ])('%s', (_, next) => {
    let [told, left] = [0, 0];
    for (let i = 0; i < 200_000; i++) {
      const value = next();
      if (!isWritten(value)) continue;
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
      fc.property(fc.double({ min: 0.1, max: 8999, noNaN: true }), fc.boolean(), (size, negative) => {
        const value = negative ? -size : size;
        fc.pre(isWritten(value));
        const text = written(value);
        if (text !== null) expect(text).toBe(String(value));
      }),
      { numRuns: 20_000, seed: 7 },
    );
  });
});

describe('decimals are read as Number reads them', () => {
  const random = seeded(7);
  it.each<[name: string, next: () => string]>([
    ['of degrees', () => (random() * 181).toFixed(Math.floor(random() * 16))],
    ['as doubles are written', () => String(8 + random() * 172)],
    ['half way between doubles', () => halfWay(10 + random() * 170)],
    [
      'beside whole numbers',
      () =>
        `${Math.floor(random() * 200)}.${random() < 0.5 ? '99999999999999' : '00000000000000'}${Math.floor(random() * 10)}`,
    ],
    ['of any size', () => (9999 * random()).toFixed(Math.floor(random() * 16))],
  ])('%s', (name, next) => {
    let [told, left] = [0, 0];
    for (let i = 0; i < 200_000; i++) {
      const text = next();
      const [whole, fraction = ''] = text.split('.');
      if (fraction.length > 15) continue;
      const value = nearestTo(Number(whole), Number(fraction), fraction.length);
      if (Number.isNaN(value)) left++;
      else {
        told++;
        if (value !== Number(text)) expect(value).toBe(Number(text));
      }
    }
    expect(told).toBeGreaterThan(0);
    // Text is made of few of them.
    if (name === 'as doubles are written') expect(left).toBeLessThan(told / 20);
  });

  /** 15 decimals on either side of the middle between a double of at least 8 and the next. */
  function halfWay(low: number): string {
    const twice = BigInt(low * 2 ** 52) + BigInt(beside(low, 1) * 2 ** 52);
    const text = String((twice * 10n ** 15n) / 2n ** 53n + BigInt(Math.floor(random() * 2)));
    return `${text.slice(0, -15)}.${text.slice(-15)}`;
  }
});
