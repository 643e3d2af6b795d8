import type { Value } from '../../datasets/dataset.ts';
import { Fault } from '../release/fault.ts';
import type { TableRow } from '../release/table.ts';
import { numberIn } from './condition/number.ts';

/** Columns that say which year a row of a yearly table is of. */
const YEARS = ['Year', 'year'];

/**
 * Aggregates the rows that share an area key, for `agg=` of area_key_attr. Missing values and sentinels are skipped,
 * except by `latest`: an older year never stands in for a latest one without a value.
 * @returns null when there is nothing to aggregate; counts and sums are 0 and `any` false then.
 * @throws Fault for an unknown aggregate, or `latest` without a year column.
 */
export function aggregate(
  agg: string,
  rows: readonly TableRow[],
  column: string,
  isMissing: (value: Value) => boolean,
): Value {
  const values = rows.map(r => r[column] ?? null).filter(v => v !== null && v !== '' && !isMissing(v)) as Exclude<
    Value,
    null
  >[];
  const numbers = () => values.map(numberIn).filter(n => n !== null);
  switch (agg) {
    case 'sum':
      return numbers().reduce((sum, n) => sum + n, 0);
    case 'mean': {
      const given = numbers();
      return given.length ? given.reduce((sum, n) => sum + n, 0) / given.length : null;
    }
    case 'max': {
      const given = numbers();
      return given.length ? given.reduce((a, b) => Math.max(a, b)) : null;
    }
    case 'count':
      return values.length;
    case 'count_distinct':
      return new Set(values).size;
    case 'any':
      return values.length > 0;
    case 'latest': {
      const [first] = rows;
      if (!first) return null;
      const year = YEARS.find(name => name in first);
      if (!year) throw new Fault(`agg=latest needs a column Year or year beside ${column}`);
      const dated = rows.filter(r => numberIn(r[year]) !== null);
      if (!dated.length) return null;
      return dated.reduce((a, b) => (numberIn(b[year])! > numberIn(a[year])! ? b : a))[column] ?? null;
    }
    default:
      throw new Fault(`there is no aggregate ${agg}`);
  }
}
