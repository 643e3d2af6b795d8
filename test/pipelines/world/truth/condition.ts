import type { Value } from '../../../../datasets/dataset.ts';
import type { Condition, Literal } from '../../../../datasets/grammar/condition.ts';

export type Row = Readonly<Record<string, Value>>;

/** Ten years ago and the like, as YYYY-MM-DD. */
function literal(value: Literal, today: string): string | number | boolean {
  if (typeof value !== 'object') return value;
  return `${Number(today.slice(0, 4)) - value.todayMinusYears}${today.slice(4)}`;
}

/** The largest part of a multi-valued number such as `345000;115000`. */
export const numberOf = (value: Value) => Math.max(...String(value).split(';').map(Number));

/** Compares as the operators' definition has it: numbers with what reads as one, text with text; null meets nothing. */
function compares(value: Value, op: string, wanted: string | number | boolean): boolean {
  if (value === null || value === undefined) return false;
  const [a, b] = typeof wanted === 'number' ? [numberOf(value), wanted] : [String(value), String(wanted)];
  if (op === '=') return a === b;
  if (op === '!=') return a !== b;
  if (op === '<') return a < b;
  if (op === '<=') return a <= b;
  return op === '>' ? a > b : a >= b;
}

/** Whether a row meets a condition, evaluated plainly. */
export function meets(condition: Condition | null, row: Row, today: string): boolean {
  if (!condition) return true;
  if ('terms' in condition) {
    const met = (term: Condition) => meets(term, row, today);
    return condition.kind === 'and' ? condition.terms.every(met) : condition.terms.some(met);
  }
  if (condition.kind === 'unknown') throw new Error('No text says what is unknown');
  const value = row[condition.column] ?? null;
  if (condition.kind === 'compare') return compares(value, condition.op, literal(condition.value, today));
  if (condition.kind === 'null') return (value === null) !== condition.negated;
  if (value === null) return false;
  if (condition.kind === 'in')
    return condition.items.some(item =>
      typeof item === 'object' && 'low' in item
        ? numberOf(value) >= item.low && numberOf(value) <= item.high
        : compares(value, '=', literal(item, today)),
    );
  const pattern = condition.pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
  return new RegExp(`^${pattern}$`, 's').test(String(value));
}
