import type { Value } from '../../../datasets/dataset.ts';
import type { Condition, Literal, Unknown } from '../../../datasets/grammar/condition.ts';
import { largestPart } from './number.ts';
import { yearsBefore } from './years-before.ts';

/** A row as a condition sees it; a column that is not there reads as null. */
export type Row = Readonly<Record<string, Value | undefined>>;
/** Null where the value does not tell. */
type Test = (value: Value) => boolean | null;
type Order = '=' | '!=' | '<' | '<=' | '>' | '>=';
/** What a row says of a condition: null where it does not tell, as in SQL. */
type Verdict = (row: Row) => boolean | null;
type Meanings = Unknown['meanings'];

/**
 * Compiles `where[...]` into a test of one row: whether it is known to meet the condition.
 * A null value, or an empty text, meets no comparison, `!=` neither. A number literal compares numerically: text is read
 * as its largest part, and text that is no number is like null. A string literal compares as text by code unit, so ISO
 * dates order; a number in the row is compared as its shortest decimal text. Booleans compare only with booleans.
 * @param asOf the release's as-of date, YYYY-MM-DD, that `@today` stands for.
 * @throws RangeError when asOf is no such date.
 */
export function compile(condition: Condition, asOf: string): (row: Row) => boolean {
  const verdict = verdictOf(condition, asOf, {});
  return row => verdict(row) === true;
}

/** Three-valued, as SQL judges: false and anything is false, true or anything is true, else what is unknown stays so. */
function verdictOf(condition: Condition, asOf: string, meanings: Meanings): Verdict {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const terms = condition.terms.map(term => verdictOf(term, asOf, meanings));
      const decisive = condition.kind === 'or';
      return row => {
        let all: boolean | null = !decisive;
        for (const term of terms) {
          const verdict = term(row);
          if (verdict === decisive) return decisive;
          if (verdict === null) all = null;
        }
        return all;
      };
    }
    case 'null': {
      const { column, negated } = condition;
      return row => ((row[column] ?? null) === null) !== negated;
    }
    case 'unknown': {
      const verdict = verdictOf(condition.of, asOf, condition.meanings);
      return row => verdict(row) === null;
    }
    case 'compare':
      return onColumn(condition.column, comparison(condition.op, condition.value, asOf), asOf, meanings);
    case 'in': {
      const tests = condition.items.map(item =>
        typeof item === 'object' && 'low' in item ? range(item.low, item.high) : comparison('=', item, asOf),
      );
      const any: Test = value => {
        let found: boolean | null = false;
        for (const test of tests) {
          const verdict = test(value);
          if (verdict) return true;
          if (verdict === null) found = null;
        }
        return found;
      };
      return onColumn(condition.column, any, asOf, meanings);
    }
    case 'like': {
      const text = condition.pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('%', '.*');
      const pattern = new RegExp(`^${text}$`, 's');
      return onColumn(condition.column, value => pattern.test(String(value)), asOf, meanings);
    }
  }
}

const isEmpty = (value: Value | undefined): boolean => value === null || value === undefined || value === '';

function onColumn(column: string, test: Test, asOf: string, meanings: Meanings): Verdict {
  const meaning = Object.hasOwn(meanings, column) ? meanings[column]! : null;
  if (!meaning)
    return row => {
      const value = row[column];
      return isEmpty(value) ? null : test(value!);
    };
  const saysNone = meaning.none && compile(meaning.none, asOf);
  const codes = new Set<unknown>(meaning.unknown);
  return row => {
    const value = row[column];
    if (isEmpty(value)) return saysNone?.(row) ? false : null;
    return codes.has(value) ? null : test(value!);
  };
}

function range(low: number, high: number): Test {
  return value => {
    const number = numberOf(value);
    return number === null ? null : number >= low && number <= high;
  };
}

function comparison(op: Order, literal: Literal, asOf: string): Test {
  if (typeof literal === 'number')
    return value => {
      const number = numberOf(value);
      return number === null ? null : ordered(op, number, literal);
    };
  if (typeof literal === 'boolean') return value => typeof value === 'boolean' && ordered(op, value, literal);
  if (typeof literal === 'string') return value => ordered(op, String(value), literal);
  const day = yearsBefore(asOf, literal.todayMinusYears);
  // Midnight of a date and the date itself are the same moment; both orders of ISO text agree after that.
  return value =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
      ? ordered(op, value.replace(/[T ]00:00(:00(\.0+)?)?(Z|\+00:?00)?$/, ''), day)
      : null;
}

function numberOf(value: Value): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  return typeof value === 'string' ? largestPart(value) : null;
}

function ordered<T extends string | number | boolean>(op: Order, left: T, right: T): boolean {
  switch (op) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}
