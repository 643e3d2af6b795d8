import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../datasets/grammar/condition.ts';
import { parseFormula } from '../../../datasets/grammar/formula.ts';
import { aggregate, compute, newest } from '../../../pipelines/scorecard/plain-arithmetic.ts';
import { meets } from '../../../pipelines/scorecard/plain-condition.ts';
import { holds, metresTo, type PlainFeature } from '../../../pipelines/scorecard/plain-geometry.ts';
import { compile } from '../../../query/evaluate/condition/condition.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { wilson } from '../../../query/parcel/scorecard.ts';

const square: PlainFeature = {
  kind: 'polygon',
  paths: [
    [
      [-68.8, 44.7],
      [-68.7, 44.7],
      [-68.7, 44.8],
      [-68.8, 44.8],
      [-68.8, 44.7],
    ],
    [
      [-68.76, 44.74],
      [-68.74, 44.74],
      [-68.74, 44.76],
      [-68.76, 44.76],
      [-68.76, 44.74],
    ],
  ],
  box: [-68.8, 44.7, -68.7, 44.8],
  properties: {},
};

describe('a second computation', () => {
  it('tells inside from outside and from a hole, and how far an edge is', () => {
    expect(holds(square, [-68.79, 44.71])).toBe(true);
    expect(holds(square, [-68.75, 44.75])).toBe(false);
    expect(holds(square, [-68.69, 44.75])).toBe(false);
    expect(metresTo(square, [-68.69, 44.75])).toBeCloseTo(distance(-68.69, 44.75, -68.7, 44.75), 1);
    expect(metresTo(square, [-68.6, 44.9])).toBeCloseTo(distance(-68.6, 44.9, -68.7, 44.8), 3);
  });

  it('compares days that a file has as moments with days before the release', () => {
    const condition = parseCondition('day >= @today-10y');
    const told = (day: string) => meets(condition, { day: new Date(day) }, '2026-12-01');
    expect([told('2016-12-01'), told('2021-03-12'), told('2016-11-30'), told('2009-03-12')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('adds, counts and calculates what rows and formulas say', () => {
    const rows = [
      { n: 2, k: 'a' },
      { n: null, k: 'a' },
      { n: 0.5, k: 'b' },
    ];
    const told = (agg: string, column = 'n') => {
      const expected = aggregate(agg, rows, column);
      return expected.kind === 'value' ? expected.value : expected.kind;
    };
    expect(['sum', 'mean', 'max', 'count', 'any'].map(agg => told(agg))).toEqual([2.5, 1.25, 2, 2, true]);
    expect([told('count_distinct', 'k'), told('sum', 'k'), told('max', 'none'), told('sum', 'none')]).toEqual([
      2,
      'undecidable',
      'none',
      0,
    ]);
    expect(compute(parseFormula("join('-', left(a, 2), b * (1 + 2) / 4 - ln(1))"), { a: 'abc', b: 2 })).toBe('ab-1.5');
    expect(newest([{ Year: 2020 }, { Year: 2024 }, { Year: 2022 }])).toEqual({ Year: 2024 });
  });

  it('judges conditions as the operators do', () => {
    const texts = [
      "kind = 'a'",
      "kind != 'a' and n > 2",
      "n in (1, 3..5) or kind like 'b%'",
      'kind is null',
      'n is not null and n <= 3',
      "(kind = 'a' or kind = 'b') and n >= 2",
    ];
    const row = fc.record({
      kind: fc.constantFrom('a', 'b', 'bc', null),
      n: fc.constantFrom(null, 1, 2, 3, 4.5, 6),
    });
    fc.assert(
      fc.property(fc.constantFrom(...texts), row, (text, values) => {
        const condition = parseCondition(text);
        expect(meets(condition, values, '2026-01-01') === true).toBe(compile(condition, '2026-01-01')(values));
      }),
    );
  });

  it("has Wilson's interval about a share", () => {
    expect(wilson(0, 0)).toBeNull();
    // Wilson (1927), with Newcombe (1998): 81 of 263 are 0.2553 to 0.3662.
    expect(wilson(81, 263)).toEqual([0.255289, 0.36621]);
    expect(wilson(10, 10)![1]).toBe(1);
  });
});
