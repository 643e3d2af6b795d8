import { ByteBuffer } from 'flatbuffers';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import type { StoredColumn } from './feature-record.ts';

/** A value names its column by 16 bits. */
const MAX_COLUMNS = 0xffff;

/** What a FlatGeobuf header says that reading needs. */
export interface FeatureHeader {
  readonly title: string | null;
  readonly count: number;
  readonly nodeSize: number;
  readonly type: GeometryType;
  readonly columns: readonly StoredColumn[];
}

/**
 * @param bytes the header with its size prefix.
 * @throws RangeError when it contradicts itself or names types that do not exist.
 */
export function decodeHeader(bytes: Uint8Array): FeatureHeader {
  const header = Header.getSizePrefixedRootAsHeader(new ByteBuffer(bytes));
  const length = header.columnsLength();
  if (length > MAX_COLUMNS || length * 4 > bytes.length) throw new RangeError(`it cannot hold ${length} columns`);
  const columns = Array.from({ length }, (_, i): StoredColumn => {
    const column = header.columns(i);
    const name = column?.name();
    if (!column || !name || !(column.type() in ColumnType)) throw new RangeError(`column ${i} is incomplete`);
    return { name, type: column.type() };
  });
  if (new Set(columns.map(column => column.name)).size < length) throw new RangeError('it names a column twice');
  const type = header.geometryType();
  if (!(type in GeometryType)) throw new RangeError(`geometry type ${type} does not exist`);
  return {
    title: header.title() ?? header.name(),
    count: Number(header.featuresCount()),
    nodeSize: header.indexNodeSize(),
    type,
    columns,
  };
}
