import { Bool, type Data, type DataType, Field, Float64, Int64, makeBuilder, Utf8 } from 'apache-arrow';
import type { ColumnKind, TableColumn } from './format.ts';

/** The Arrow type of each kind of column. */
const TYPES = {
  text: () => new Utf8(),
  number: () => new Float64(),
  integer: () => new Int64(),
  boolean: () => new Bool(),
} as const satisfies Record<ColumnKind, () => DataType>;

/** The Arrow type of a kind of column. */
export const arrowType = (kind: ColumnKind): DataType => TYPES[kind]();

/** The field of a column, with its unit and citations as metadata. */
export function arrowField({ name, kind, unit, citations }: Omit<TableColumn, 'values'>): Field<DataType> {
  const remarks = new Map<string, string>();
  if (unit !== null) remarks.set('unit', unit);
  if (citations.length > 0) remarks.set('sources', JSON.stringify(citations));
  return new Field(name, arrowType(kind), true, remarks);
}

/** Values in memory as Arrow has it; whole numbers are bigint, and null is none. */
export function arrowData(type: DataType, values: Iterable<unknown>): Data {
  const builder = makeBuilder<DataType>({ type, nullValues: [null] });
  for (const value of values) builder.append(value);
  return builder.finish().flush();
}
