import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';

/** Width in bytes of the column types of fixed width; 0 of the others. */
export const WIDTH = new Uint8Array(256);
for (const [width, ...types] of [
  [1, ColumnType.Byte, ColumnType.UByte, ColumnType.Bool],
  [2, ColumnType.Short, ColumnType.UShort],
  [4, ColumnType.Int, ColumnType.UInt, ColumnType.Float],
  [8, ColumnType.Long, ColumnType.ULong, ColumnType.Double],
] as const)
  for (const type of types) WIDTH[type] = width;
