import type { Column } from '../../../datasets/dataset.ts';
import { type Condition, parseCondition } from '../../../datasets/grammar/condition.ts';
import { type ColumnReader, conditionSql, quotedName, quotedText } from './condition-sql.ts';
import type { PublishedLayer } from './publication.ts';

/** Reads columns of a layer's table: what means unknown is null, and an empty value that means none is no value at all. */
class LayerReader implements ColumnReader {
  readonly #columns: Readonly<Record<string, Column>>;
  constructor(columns: Readonly<Record<string, Column>>) {
    this.#columns = columns;
  }
  text(column: string): string {
    const { unknown = [] } = this.#columns[column] ?? {};
    const sql = `f.${quotedName(column)}::text`;
    return unknown.length ? `nullif(${sql}, ${quotedText(String(unknown[0]))})` : sql;
  }
  number(column: string): string {
    return `num(${this.text(column)})`;
  }
}

/** A condition over a layer; null stands for unknown. */
export function whereSql(where: Condition | null, { columns }: PublishedLayer): string {
  if (!where) return 'true';
  const reader = new LayerReader(columns);
  const sql = conditionSql(where, reader);
  // An empty value that means none makes no condition on it unknown.
  const none = columnsIn(where).flatMap(name => {
    const rule = columns[name]?.emptyIsNone;
    return rule
      ? [`(f.${quotedName(name)} is null and coalesce(${conditionSql(parseCondition(rule), reader)}, false))`]
      : [];
  });
  return none.length ? `(case when ${none.join(' or ')} then coalesce(${sql}, false) else ${sql} end)` : sql;
}

/** Columns that a condition reads. */
export function columnsIn(condition: Condition): string[] {
  if ('terms' in condition) return condition.terms.flatMap(columnsIn);
  return 'column' in condition ? [condition.column] : [];
}
