import { describe, expect, it } from 'vitest';
import type { Confidence } from '../../../datasets/dataset.ts';
import { confidenceOf, lowest, variationOf } from '../../../query/evaluate/confidence.ts';

import { EDGE, rule } from './edge/zones.ts';

describe('a confidence', () => {
  it('of several is the lowest, and high of none', () => {
    expect(lowest([])).toBe('high');
    expect(lowest(['high', 'medium', 'high'])).toBe('medium');
    expect(lowest(['medium', 'low', 'high'])).toBe('low');
    expect(lowest(['high'])).toBe('high');
  });

  it('is high where no rule asks, and what a constant says', () => {
    expect(confidenceOf(null)).toBe('high');
    for (const level of ['high', 'medium', 'low'] as Confidence[])
      expect(confidenceOf(rule({ kind: 'const', level }))).toBe(level);
  });

  it('by an edge is high beyond its meters alone, and medium where nothing is known', () => {
    const asked: number[] = [];
    const at = (metres: number) =>
      confidenceOf(EDGE, {
        edge: limit => {
          asked.push(limit);
          return metres;
        },
      });
    expect([at(29), at(30), at(30.1), at(Infinity)]).toEqual(['medium', 'medium', 'high', 'high']);
    expect(asked).toEqual([30, 30, 30, 30]);
    expect(confidenceOf(EDGE)).toBe('medium');
  });

  it('by stations falls with how far the nearest is, and is low without one', () => {
    const stations = rule({ kind: 'station_km', high: 10, medium: 40 });
    const at = (station: number) => confidenceOf(stations, { station });
    expect([at(10_000), at(10_001), at(40_000), at(40_001)]).toEqual(['high', 'medium', 'medium', 'low']);
    expect(confidenceOf(stations)).toBe('low');
  });

  it('by variation falls with the error as a share of the value, and is medium without one', () => {
    const cv = rule({ kind: 'cv', high: 12, medium: 40 });
    const of = (value: number, spread: number | null) => confidenceOf(cv, { value, spread });
    expect([of(100, 12), of(100, 12.1), of(-100, 40), of(-100, 40.1)]).toEqual(['high', 'medium', 'medium', 'low']);
    expect([of(0, 0), of(0, 1), of(5, null)]).toEqual(['high', 'low', 'medium']);
    expect(confidenceOf(cv)).toBe('medium');
    expect(confidenceOf(cv, { spread: 0 })).toBe('high');
    expect([variationOf(0, 0), variationOf(50, 5), variationOf(-50, 5), variationOf(0, 5)]).toEqual([
      0,
      10,
      10,
      Infinity,
    ]);
  });

  it('by sign is low where the error may turn it, else medium', () => {
    const sign = rule({ kind: 'sign', errors: 2 });
    const of = (value: number, spread: number | null) => confidenceOf(sign, { value, spread });
    expect([of(4, 2), of(-4, 2), of(4.1, 2), of(-4.1, 2), of(4, null)]).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'medium',
    ]);
    expect([confidenceOf(sign), confidenceOf(sign, { spread: 1 })]).toEqual(['medium', 'low']);
  });

  it('by the parcel match is high where it holds the point, and low where it was matched by address alone or not at all', () => {
    const match = rule({ kind: 'parcel_match' });
    expect((['contains', 'nearest', 'address', null] as const).map(one => confidenceOf(match, { match: one }))).toEqual(
      ['high', 'medium', 'low', 'low'],
    );
    expect(confidenceOf(match)).toBe('low');
  });

  it('by inputs is that of the least sure one', () => {
    const inputs = rule({ kind: 'min_inputs' });
    expect([confidenceOf(inputs, { inputs: ['high', 'low'] }), confidenceOf(inputs)]).toEqual(['low', 'high']);
  });
});
