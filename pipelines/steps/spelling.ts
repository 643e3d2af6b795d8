import type { Column } from '../../datasets/dataset.ts';
import type { ColumnExpression } from '../../datasets/place/place.ts';

/**
 * The column expressions with the spellings that a file really has: where one reads a column under a name that the file
 * lacks, and that name is the target column's or one of its aliases, the first other spelling that the file has is read, or
 * else the first that it has in other letters: services write one column in capitals and in small letters.
 * @param present names of the file's columns.
 */
export function respelled(
  expressions: Readonly<Record<string, ColumnExpression>>,
  columns: Readonly<Record<string, Column>>,
  present: ReadonlySet<string>,
): Readonly<Record<string, ColumnExpression>> {
  const inSmall = new Map([...present].reverse().map(name => [name.toLowerCase(), name]));
  const out: Record<string, ColumnExpression> = {};
  for (const [name, expression] of Object.entries(expressions)) {
    out[name] = expression;
    const from = typeof expression === 'string' ? expression : expression.from;
    const spellings = [name, ...(columns[name]?.aliases ?? [])];
    if (typeof from !== 'string' || present.has(from) || !spellings.includes(from)) continue;
    const found =
      spellings.find(spelling => present.has(spelling)) ??
      inSmall.get(spellings.find(spelling => inSmall.has(spelling.toLowerCase()))?.toLowerCase() ?? '');
    if (found !== undefined) out[name] = typeof expression === 'string' ? found : { ...expression, from: found };
  }
  return out;
}
