import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float64,
  Int64,
  makeBuilder,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
} from 'apache-arrow';
import { type ColumnKind, remarksOf, type Table, type TableColumn, textOf } from './format.ts';

const TYPES = {
  text: () => new Utf8(),
  number: () => new Float64(),
  integer: () => new Int64(),
  boolean: () => new Bool(),
} as const satisfies Record<ColumnKind, () => DataType>;

function dataOf({ kind, values }: TableColumn): Data {
  const builder = makeBuilder<DataType>({ type: TYPES[kind](), nullValues: [null] });
  for (const value of values)
    if (kind === 'text') builder.append(textOf(value));
    else if (value === null || value === undefined) builder.append(null);
    else builder.append(kind === 'integer' ? BigInt(value as number) : value);
  return builder.finish().flush();
}

/** Units and citations as the metadata of a field. */
function remarksOfColumn({ unit, citations }: TableColumn): Map<string, string> {
  const remarks = new Map<string, string>();
  if (unit !== null) remarks.set('unit', unit);
  if (citations.length > 0) remarks.set('sources', JSON.stringify(citations));
  return remarks;
}

/**
 * Writes a table as an Arrow IPC stream of one batch. Units and citations are metadata of each field, and all remarks are the
 * schema's metadata `plat`, as JSON.
 */
export function writeArrow(table: Table): Uint8Array {
  const { columns, geometries } = table;
  const fields = columns.map(column => new Field(column.name, TYPES[column.kind](), true, remarksOfColumn(column)));
  const schema = new Schema(fields, new Map([['plat', JSON.stringify(remarksOf(table))]]));
  const data = makeData({ type: new Struct(fields), length: geometries.length, children: columns.map(dataOf) });
  return RecordBatchStreamWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(true);
}
