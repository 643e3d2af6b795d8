import type { Column, Value } from '../../datasets/dataset.ts';
import { type Condition, type Literal, parseCondition } from '../../datasets/grammar/condition.ts';

/** True, false, or null for unknown. */
export type Truth3 = boolean | null;
export type Row3 = Readonly<Record<string, Value>>;

const ASOF = '2026-01-01';
const text = (literal: Literal): string =>
  typeof literal === 'object'
    ? `${Number(ASOF.slice(0, 4)) - literal.todayMinusYears}${ASOF.slice(4)}`
    : String(literal);

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': order => order === 0,
  '!=': order => order !== 0,
  '<': order => order < 0,
  '<=': order => order <= 0,
  '>': order => order > 0,
  '>=': order => order >= 0,
};

function compared(value: Exclude<Value, null>, literal: Literal): number {
  if (typeof literal === 'number') return Number(value) - literal;
  const [a, b] = [String(value), text(literal)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const and = (terms: readonly Truth3[]): Truth3 => (terms.includes(false) ? false : terms.includes(null) ? null : true);
const or = (terms: readonly Truth3[]): Truth3 => (terms.includes(true) ? true : terms.includes(null) ? null : false);

/**
 * What a row says of a condition in Kleene's logic, which is SQL's (ISO 9075-2, truth tables of AND and OR), with what the
 * columns declare of empty values and of codes for unknown. Written apart from query/evaluate/condition/condition.ts.
 */
export function truth(condition: Condition, row: Row3, columns: Readonly<Record<string, Column>>): Truth3 {
  if ('terms' in condition) {
    const terms = condition.terms.map(term => truth(term, row, columns));
    return condition.kind === 'and' ? and(terms) : or(terms);
  }
  if (condition.kind === 'unknown') throw new Error('no text says this');
  const value = row[condition.column] ?? null;
  if (condition.kind === 'null') return (value === null) !== condition.negated;
  const { unknown = [], emptyIsNone } = columns[condition.column] ?? { unknown: [] };
  if (value === null) return emptyIsNone && truth(parseCondition(emptyIsNone), row, columns) ? false : null;
  if ((unknown as readonly Value[]).includes(value)) return null;
  if (condition.kind === 'compare') return ORDERS[condition.op]!(compared(value, condition.value));
  if (condition.kind === 'like') {
    const parts = condition.pattern.split('%');
    // Every pattern of the catalog has its text between at most two signs of any text.
    const [before, inner, after] = parts.length === 3 ? parts : [parts[0], '', parts[1]];
    const given = String(value);
    return given.startsWith(before!) && given.endsWith(after!) && given.includes(inner!);
  }
  return condition.items.some(item => !(typeof item === 'object' && 'low' in item) && compared(value, item) === 0);
}
