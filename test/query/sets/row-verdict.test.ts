import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowBits } from '../../../query/sets/row-bits.ts';
import { RowVerdict } from '../../../query/sets/row-verdict.ts';

/** What a filter says of a row. */
const STATES = ['fails', 'passes', 'unknown'] as const;
type State = (typeof STATES)[number];

function bitsOf(rows: readonly number[], count: number): RowBits {
  const bits = new RowBits(count);
  bits.addFirst(Uint32Array.from(rows), rows.length);
  return bits;
}

/** Up to four filters over up to a hundred rows: around the ends of words of 32. */
const judged = fc.record({ filters: fc.nat(4), rows: fc.nat(100) }).chain(({ filters, rows }) =>
  fc.array(fc.array(fc.constantFrom<State>(...STATES), { minLength: rows, maxLength: rows }), {
    minLength: filters,
    maxLength: filters,
  }),
);

describe('rows of a county under several filters', () => {
  it('pass all, miss one, or are not known to pass', () => {
    fc.assert(
      fc.property(judged, filters => {
        const count = filters[0]?.length ?? 70;
        const places = Array.from({ length: count }, (_, row) => row);
        const rowsOf = (state: State, filter: readonly State[]) => places.filter(row => filter[row] === state);
        const verdict = new RowVerdict(
          new Map(
            filters.map((filter, i) => {
              const unknown = rowsOf('unknown', filter);
              return [
                i,
                {
                  passes: bitsOf(rowsOf('passes', filter), count),
                  unknown: unknown.length ? bitsOf(unknown, count) : null,
                },
              ];
            }),
          ),
          count,
        );
        const misses = (row: number) => filters.filter(filter => filter[row] !== 'passes').length;
        const all = places.filter(row => misses(row) === 0);
        expect([...verdict.all.rows()]).toEqual(all);
        expect(verdict.all.size).toBe(all.length);
        expect(places.filter(row => verdict.all.has(row))).toEqual(all);
        expect([...(verdict.unknown?.rows() ?? [])]).toEqual(
          places.filter(row => misses(row) > 0 && !filters.some(filter => filter[row] === 'fails')),
        );
        for (const [i, filter] of filters.entries()) {
          expect(verdict.alone(i)).toBe(rowsOf('passes', filter).length);
          expect([...verdict.missing(i).rows()]).toEqual(
            places.filter(row => misses(row) === 1 && filter[row] !== 'passes'),
          );
        }
      }),
    );
  });

  it('a filter that was not asked is missed by none', () => {
    const verdict = new RowVerdict(new Map(), 40);
    expect([verdict.all.size, verdict.alone(0), verdict.missing(0).size, verdict.unknown]).toEqual([
      40,
      undefined,
      0,
      null,
    ]);
  });
});
