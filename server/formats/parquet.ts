import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer';
import { type ColumnKind, remarksOf, type Table, textOf } from './format.ts';

const TYPES = { text: 'STRING', number: 'DOUBLE', integer: 'INT64', boolean: 'BOOLEAN' } as const satisfies Record<
  ColumnKind,
  BasicType
>;

const stored = (kind: ColumnKind, value: unknown): unknown => {
  if (kind === 'text') return textOf(value);
  return value === null || value === undefined ? null : kind === 'integer' ? BigInt(value as number) : value;
};

/** Writes a table as Parquet, compressed by Snappy. Its remarks are the file's metadata `plat`, as JSON. */
export function writeParquet(table: Table): Uint8Array {
  const columnData = table.columns.map(({ name, kind, values }) => ({
    name,
    type: TYPES[kind],
    data: values.map(value => stored(kind, value)),
  }));
  const kvMetadata = [{ key: 'plat', value: JSON.stringify(remarksOf(table)) }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata, createdBy: 'plat' }));
}
