import { closeSync, openSync, writeSync } from 'node:fs';
import { Binary, type Data, Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow';
import { encodeWkb } from '../../../query/geometry/wkb.ts';
import { arrowData, arrowField, arrowType } from '../../formats/arrow-column.ts';
import type { ColumnKind } from '../../formats/format.ts';
import { type ExportTable, remarksText, type TableWriter, valueIn } from './writer.ts';

/** The geometry column is WKB in WGS84, as readers of GeoArrow know it. */
const GEOARROW = new Map([
  ['ARROW:extension:name', 'geoarrow.wkb'],
  ['ARROW:extension:metadata', JSON.stringify({ crs: 'OGC:CRS84', crs_type: 'authority_code' })],
]);

const stored = (kind: ColumnKind, value: unknown): unknown => {
  const fitting = valueIn(kind, value);
  return kind === 'integer' && fitting !== null ? BigInt(fitting as number) : fitting;
};

/** Arrow IPC stream: a batch a block. Remarks are the schema's metadata `plat`, units and citations those of the fields. */
export function arrowWriter(path: string, table: ExportTable): TableWriter {
  const file = openSync(path, 'w', 0o600);
  const fields = table.columns.map(arrowField);
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
        arrowData(
          arrowType(kind),
          values.get(name)!.map(value => stored(kind, value)),
        ),
      );
      const shapes = geometries.map(geometry => geometry && encodeWkb(geometry));
      await put([...children, arrowData(new Binary(), shapes)], count);
    },
    async finish() {
      if (empty)
        await put([...table.columns.map(({ kind }) => arrowData(arrowType(kind), [])), arrowData(new Binary(), [])], 0);
      writer.close();
      await written;
      closeSync(file);
    },
  };
}
