import { describe, expect, it } from 'vitest';
import { nearestTo } from '../../../query/format/decimal-text.ts';
import { seeded } from '../spoiling.ts';

const bits = new BigUint64Array(1);
const double = new Float64Array(bits.buffer);
/** The double so many steps away. */
function beside(value: number, steps: number): number {
  double[0] = value;
  bits[0] = bits[0]! + BigInt(steps);
  return double[0];
}

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
