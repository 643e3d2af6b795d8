import type { Formula } from '../../datasets/grammar/formula.ts';

// Sums and formulas a second time, in the plainest way: nothing of query/ is used here.

/** The result of a second computation of a field at a place. */
export type Expected =
  | { readonly kind: 'value'; readonly value: string | number | boolean; readonly tolerance: number }
  /** Nothing is there. */
  | { readonly kind: 'none' }
  /** So near an edge or a tie that either answer may be right, or a row does not tell whether it counts. */
  | { readonly kind: 'undecidable' };

type Row = Readonly<Record<string, unknown>>;

export const NONE: Expected = { kind: 'none' };
const UNDECIDABLE: Expected = { kind: 'undecidable' };
/** Share that an added or averaged number may be off: the order of adding decides the last digits. */
const OFF_SHARE = 1e-6;

const exact = (value: number | boolean): Expected => ({ kind: 'value', value, tolerance: 0 });
const nearly = (value: number): Expected => ({ kind: 'value', value, tolerance: Math.abs(value) * OFF_SHARE + 1e-6 });

/** Aggregates a column of rows; rows without a value in it are left out. */
export function aggregate(agg: string, rows: readonly Row[], column: string): Expected {
  const values = rows.map(row => row[column]).filter(value => value !== null && value !== undefined && value !== '');
  switch (agg) {
    case 'count':
      return exact(values.length);
    case 'count_distinct':
      return exact(new Set(values.map(String)).size);
    case 'any':
      return exact(values.length > 0);
  }
  const numbers = values.map(Number);
  // Several numbers in one text are read by rules that are not computed a second time.
  if (numbers.some(Number.isNaN)) return UNDECIDABLE;
  const sum = numbers.reduce((all, one) => all + one, 0);
  if (agg === 'sum') return nearly(sum);
  if (numbers.length === 0) return NONE;
  if (agg === 'mean') return nearly(sum / numbers.length);
  return agg === 'max' ? nearly(Math.max(...numbers)) : UNDECIDABLE;
}

/** The row of the latest year. */
export const newest = <T extends Row>(rows: readonly T[]): T =>
  rows.reduce((best, row) => (Number(row.Year) > Number(best.Year) ? row : best));

/** The value of a formula, by plain recursion. @param inputs by their names in it. */
export function compute(
  formula: Formula,
  inputs: Readonly<Record<string, string | number | boolean>>,
): string | number {
  switch (formula.kind) {
    case 'number':
    case 'string':
      return formula.value;
    case 'input': {
      const value = inputs[formula.name]!;
      return typeof value === 'boolean' ? Number(value) : value;
    }
    case 'binary': {
      const [left, right] = [Number(compute(formula.left, inputs)), Number(compute(formula.right, inputs))];
      switch (formula.op) {
        case '+':
          return left + right;
        case '-':
          return left - right;
        case '*':
          return left * right;
        default:
          return left / right;
      }
    }
    case 'call': {
      const args = formula.args.map(arg => compute(arg, inputs));
      if (formula.name === 'ln') return Math.log(Number(args[0]));
      if (formula.name === 'left') return String(args[0]).slice(0, Number(args[1]));
      return args.slice(1).join(String(args[0]));
    }
  }
}
