import { closeSync, openSync, writeSync } from 'node:fs';
import {
  Binary,
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
import { encodeWkb } from '../../../query/geometry/wkb.ts';
import type { ColumnKind } from '../../formats/format.ts';
import { type ExportTable, remarksText, type TableWriter, valueIn } from './writer.ts';

const TYPES = {
  text: () => new Utf8(),
  number: () => new Float64(),
  integer: () => new Int64(),
  boolean: () => new Bool(),
} as const satisfies Record<ColumnKind, () => DataType>;

/** The geometry column is WKB in WGS84, as readers of GeoArrow know it. */
const GEOARROW = new Map([
  ['ARROW:extension:name', 'geoarrow.wkb'],
  ['ARROW:extension:metadata', JSON.stringify({ crs: 'OGC:CRS84', crs_type: 'authority_code' })],
]);

function dataOf(type: DataType, values: Iterable<unknown>): Data {
  const builder = makeBuilder<DataType>({ type, nullValues: [null] });
  for (const value of values) builder.append(value);
  return builder.finish().flush();
}

const stored = (kind: ColumnKind, value: unknown): unknown => {
  const fitting = valueIn(kind, value);
  return kind === 'integer' && fitting !== null ? BigInt(fitting as number) : fitting;
};

/** Arrow IPC stream: a batch a block. Remarks are the schema's metadata `plat`, units and citations those of the fields. */
export function arrowWriter(path: string, table: ExportTable): TableWriter {
  const file = openSync(path, 'w', 0o600);
  const fields: Field<DataType>[] = table.columns.map(({ name, kind, unit, citations }) => {
    const remarks = new Map<string, string>();
    if (unit !== null) remarks.set('unit', unit);
    if (citations.length > 0) remarks.set('sources', JSON.stringify(citations));
    return new Field(name, TYPES[kind](), true, remarks);
  });
  fields.push(new Field('geometry', new Binary(), true, GEOARROW));
  const schema = new Schema(fields, new Map([['plat', remarksText(table)]]));
  const writer = new RecordBatchStreamWriter({ autoDestroy: false });
  const written = (async () => {
    for await (const bytes of writer) writeSync(file, bytes);
  })();
  let empty = true;
  const put = async (children: Data[], length: number) => {
    empty = false;
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(fields), length, children })));
    // What was written leaves memory before the next block comes.
    await new Promise(setImmediate);
  };
  return {
    async write({ count, values, geometries }) {
      const children = table.columns.map(({ name, kind }) =>
        dataOf(
          TYPES[kind](),
          values.get(name)!.map(value => stored(kind, value)),
        ),
      );
      const shapes = geometries.map(geometry => geometry && encodeWkb(geometry));
      await put([...children, dataOf(new Binary(), shapes)], count);
    },
    async finish() {
      if (empty)
        await put([...table.columns.map(({ kind }) => dataOf(TYPES[kind](), [])), dataOf(new Binary(), [])], 0);
      writer.close();
      await written;
      closeSync(file);
    },
  };
}
