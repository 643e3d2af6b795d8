import type { Condition, Literal } from '../../../datasets/grammar/condition.ts';

/** What a condition reads: the SQL of a column as text or as its own type. */
export interface ColumnReader {
  /** As text. */
  text(column: string): string;
  /** As a number; null where it reads as none. */
  number(column: string): string;
}

export const quotedText = (value: string) => `'${value.replaceAll("'", "''")}'`;
export const quotedName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Left and right side of a comparison with a literal. */
function sides(reader: ColumnReader, column: string, value: Literal): readonly [string, string] {
  if (typeof value === 'number') return [reader.number(column), String(value)];
  if (typeof value === 'object') throw new RangeError('conditions on the day of today are not written in SQL');
  return [`(${reader.text(column)} collate "C")`, quotedText(String(value))];
}

/** A condition as SQL: true, false, or null where a value that decides is missing. */
export function conditionSql(condition: Condition, reader: ColumnReader): string {
  if ('terms' in condition)
    return `(${condition.terms.map(term => conditionSql(term, reader)).join(` ${condition.kind} `)})`;
  switch (condition.kind) {
    case 'compare': {
      const [left, right] = sides(reader, condition.column, condition.value);
      return `(${left} ${condition.op === '!=' ? '<>' : condition.op} ${right})`;
    }
    case 'in': {
      const { column } = condition;
      const terms = condition.items.map(item => {
        if (typeof item === 'object' && 'low' in item)
          return `${reader.number(column)} between ${item.low} and ${item.high}`;
        const [left, right] = sides(reader, column, item);
        return `${left} = ${right}`;
      });
      return `(${terms.join(' or ')})`;
    }
    case 'like':
      return `(${reader.text(condition.column)} like ${quotedText(condition.pattern)})`;
    case 'null':
      return `(${reader.text(condition.column)} is ${condition.negated ? 'not ' : ''}null)`;
    default:
      throw new RangeError(`a condition of the kind ${condition.kind} is not written in SQL`);
  }
}
