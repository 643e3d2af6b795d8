import type { Column, Value } from '../../../../datasets/dataset.ts';
import { parseCondition } from '../../../../datasets/grammar/condition.ts';
import type { ColumnExpression } from '../../../../datasets/place/place.ts';
import { meets, type Row } from './condition.ts';

/** A published value under its name or one of the other spellings of the column. */
function published(row: Row, name: string, target: string, column: Column | null): Value {
  const names = name === target ? [name, ...(column?.aliases ?? [])] : [name];
  const found = names.find(spelling => row[spelling] !== undefined && row[spelling] !== null && row[spelling] !== '');
  return found === undefined ? null : row[found]!;
}

function typed(value: Value, type: string): Value {
  if (value === null) return null;
  if (type === 'boolean') return [true, 1, '1', 'T', 'Y', 'true', 'Yes'].includes(value as string);
  if (type === 'number' || type === 'integer') return Number(String(value).replace(/[$,]/g, ''));
  if (type === 'date') return String(value).slice(0, 10);
  return type === 'timestamp' ? value : String(value);
}

/** What a column expression of a place file says, read step by step. Only the steps that the synthetic area uses. */
export function mapped(
  expression: ColumnExpression,
  target: string,
  column: Column | null,
  row: Row,
  today: string,
): Value {
  const e = typeof expression === 'string' ? { from: expression } : expression;
  const missing = (value: Value) =>
    (e.null ?? []).some(sentinel => (typeof sentinel === 'number' ? Number(value) === sentinel : value === sentinel));
  const read = (name: string): Value => {
    const value = published(row, name, target, column);
    return value === null || missing(value) ? null : value;
  };
  if (e.when !== undefined && !meets(parseCondition(e.when), row, today)) return null;
  let value: Value;
  if (e.const !== undefined) value = e.const;
  else if (e.sum) {
    const terms = e.sum.map(read);
    value = terms.includes(null) ? null : terms.reduce((sum: number, term) => sum + Number(term), 0);
  } else if (typeof e.from === 'string') value = read(e.from);
  else {
    const parts = (e.from ?? []).map(part =>
      typeof part === 'string' ? read(part) : mapped(part, '', { type: 'string' }, row, today),
    );
    const present = parts.filter(part => part !== null);
    value = present.length ? present.join(e.join ?? ' ') : null;
  }
  if (value !== null && e.strip) value = String(value).replace(new RegExp(e.strip, 'g'), '');
  if (value !== null && e.patterns) {
    const hit = e.patterns
      .map(p => [new RegExp(p.match).exec(String(value)), p.value] as const)
      .find(([match]) => match);
    value = hit
      ? typeof hit[1] === 'string'
        ? hit[1].replace(/\$(\d)/g, (_, n) => hit[0]![Number(n)] ?? '')
        : hit[1]
      : null;
  }
  if (value !== null && e.lookup) value = e.lookup[String(value)] ?? e.otherwise ?? null;
  if (value !== null && e.slice) value = String(value).slice(...e.slice);
  if (value !== null && e.pad) value = String(value).padStart(e.pad, '0');
  const plain = typed(value, e.type ?? column?.type ?? 'string');
  return typeof plain === 'number' && e.scale !== undefined ? plain * e.scale : plain;
}
