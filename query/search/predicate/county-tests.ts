import type { FeatureFile } from '../../format/flatgeobuf.ts';
import type { Columns } from '../columns/columns.ts';
import type { Test } from '../request/filter.ts';
import { RowTests, rowTest } from './row-tests.ts';

/** The tests of one county, and what it takes to find the rows that pass them. */
interface CountyTests {
  /** Rows that must be read to be sure. */
  readonly read: number;
  /** Rows of columns that are looked through. */
  readonly looked: number;
  readonly rows: () => RowTests;
}

/**
 * Estimates what the tests of one county cost by the columns that are held; null where a column that is needed is not held.
 * @param closely whether tests of codes are prepared for that, which judges every code; otherwise they count as a scan.
 */
export function countyTests(
  tests: readonly Test[],
  columns: Columns,
  parcels: FeatureFile,
  closely: boolean,
): CountyTests | null {
  const { count } = parcels;
  const held = tests.map(test => columns.heldAlready(test));
  const testsOf = (codes: boolean) =>
    tests.flatMap((test, i) => {
      const column = held[i];
      if (!column || (column.form === 'codes') !== codes) return [];
      return [rowTest(test, column, columns.reader(test.name, parcels))];
    });
  const others = testsOf(false);
  const first = new RowTests(others, count);
  // One test that no row passes is enough, for a worker too: it may not have read the other columns.
  if (!first.possible) return { read: 0, looked: 0, rows: () => first };
  if (held.includes(null)) return null;
  let whole: RowTests | null = null;
  const rows = () => {
    whole ??= new RowTests([...others, ...testsOf(true)], count);
    return whole;
  };
  const weighed = closely ? rows() : first;
  if (!weighed.possible) return { read: 0, looked: 0, rows };
  // Of a column of hashes the rows that it lists are read.
  if (held.some(column => column?.form === 'hashes')) return { read: weighed.listed, looked: 0, rows };
  return { read: 0, looked: Math.min(weighed.listed, count), rows };
}
