import { makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow';
import { arrowData, arrowField, arrowType } from './arrow-column.ts';
import { remarksOf, type Table, type TableColumn, textOf } from './format.ts';

const stored = ({ kind }: TableColumn, value: unknown): unknown => {
  if (kind === 'text') return textOf(value);
  if (value === null || value === undefined) return null;
  return kind === 'integer' ? BigInt(value as number) : value;
};

/**
 * Writes a table as an Arrow IPC stream of one batch. Units and citations are metadata of each field, and all remarks are the
 * schema's metadata `plat`, as JSON.
 */
export function writeArrow(table: Table): Uint8Array {
  const { columns, geometries } = table;
  const fields = columns.map(arrowField);
  const schema = new Schema(fields, new Map([['plat', JSON.stringify(remarksOf(table))]]));
  const children = columns.map(column =>
    arrowData(
      arrowType(column.kind),
      column.values.map(value => stored(column, value)),
    ),
  );
  const data = makeData({ type: new Struct(fields), length: geometries.length, children });
  return RecordBatchStreamWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(true);
}
