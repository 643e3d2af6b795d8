import type { Condition, Literal } from '../../datasets/grammar/condition.ts';

/** Whether a row meets a condition, in three values as SQL has them: null where it cannot be told. */
export function meets(
  condition: Condition | null,
  row: Readonly<Record<string, unknown>>,
  asOf: string,
): boolean | null {
  if (!condition) return true;
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const decided = condition.kind === 'or';
      const terms = condition.terms.map(term => meets(term, row, asOf));
      if (terms.includes(decided)) return decided;
      return terms.includes(null) ? null : !decided;
    }
    case 'null':
      return isEmpty(row[condition.column]) !== condition.negated;
    case 'unknown':
      return null;
    case 'like': {
      const value = row[condition.column];
      if (isEmpty(value)) return null;
      const pattern = condition.pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '[\\s\\S]*');
      return new RegExp(`^${pattern}$`).test(String(value));
    }
    case 'compare': {
      const value = row[condition.column];
      if (isEmpty(value)) return null;
      return compared(condition.op, order(value, literal(condition.value, asOf)));
    }
    case 'in': {
      const value = row[condition.column];
      if (isEmpty(value)) return null;
      return condition.items.some(item =>
        typeof item === 'object' && 'low' in item
          ? Number(value) >= item.low && Number(value) <= item.high
          : order(value, literal(item, asOf)) === 0,
      );
    }
  }
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** A literal as it is compared: a day that many years before the release's. */
function literal(value: Literal, asOf: string): string | number | boolean {
  if (typeof value !== 'object') return value;
  const year = Number(asOf.slice(0, 4)) - value.todayMinusYears;
  return `${year}${asOf.slice(4)}`;
}

/** Below, at or above 0 as a value stands to a literal. */
function order(value: unknown, other: string | number | boolean): number {
  if (typeof other === 'number') return Number(value) - other;
  if (typeof other === 'boolean') return Number(value === true || value === 'true') - Number(other);
  // A column of days is read as moments.
  const text = value instanceof Date ? value.toISOString().slice(0, other.length) : String(value);
  return text < other ? -1 : text > other ? 1 : 0;
}

function compared(op: string, sign: number): boolean {
  if (op === '=') return sign === 0;
  if (op === '!=') return sign !== 0;
  if (op === '<') return sign < 0;
  if (op === '<=') return sign <= 0;
  return op === '>' ? sign > 0 : sign >= 0;
}
