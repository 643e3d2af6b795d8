import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { decodeWkb } from '../../../query/geometry/wkb.ts';
import { toGeoJson } from '../../../query/search/page/geojson.ts';
import { MOST_ROWS, MOST_VALUE_COLUMNS } from '../limits.ts';
import { BadRow, type Cells, meaningOf, type PlaceRows, TooManyRows } from './rows.ts';

const UTF8 = new TextDecoder();
/** Rows that are decoded at once. */
const ROWS = 10_000;

/** A cell of a column of geometry: GeoJSON or text already, or WKB. */
function shapeOf(value: unknown, row: number): unknown {
  if (!(value instanceof Uint8Array)) return value;
  try {
    const geometry = decodeWkb(value);
    if (geometry.type === 'Point') return { type: 'Point', coordinates: [...geometry.xy] };
    return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? toGeoJson(geometry) : null;
  } catch {
    throw new BadRow(row, 'geometry', 'it is no WKB');
  }
}

/** A text may be stored as bytes that nothing says are text. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? UTF8.decode(value) : value);

type Schema = Awaited<ReturnType<typeof parquetMetadataAsync>>['schema'];
const NUMBERS: readonly unknown[] = ['INT32', 'INT64', 'FLOAT', 'DOUBLE'];

/** Columns of numbers that stand in no other column: in a schema the columns within one follow it. */
function numericColumns(schema: Schema): string[] {
  const names: string[] = [];
  for (let at = 1; at < schema.length; ) {
    const { name, type, num_children: within = 0 } = schema[at]!;
    if (within === 0 && NUMBERS.includes(type)) names.push(name);
    let left = 1;
    for (; left > 0 && at < schema.length; at++) left += (schema[at]!.num_children ?? 0) - 1;
  }
  return names;
}

/** Reads Parquet or GeoParquet in WGS84. @returns the names of its columns. @throws BadRow, TooManyRows. */
export async function readParquet(bytes: Uint8Array, rows: PlaceRows): Promise<readonly string[]> {
  const { buffer } = bytes.slice();
  const file = { byteLength: buffer.byteLength, slice: (from: number, to?: number) => buffer.slice(from, to) };
  try {
    const metadata = await parquetMetadataAsync(file);
    if (Number(metadata.num_rows) > MOST_ROWS) throw new TooManyRows();
    const names = metadata.schema.flatMap(({ name }, i) => (i === 0 ? [] : [name]));
    const places = names.filter(name => meaningOf(name) !== undefined);
    if (places.length === 0) return names;
    const all = numericColumns(metadata.schema).filter(name => meaningOf(name) === undefined);
    const numbers = all.slice(0, MOST_VALUE_COLUMNS);
    const columns = [...places, ...numbers];
    for (let start = 0; start < Number(metadata.num_rows); start += ROWS) {
      const rowEnd = Math.min(start + ROWS, Number(metadata.num_rows));
      const read = await parquetReadObjects({
        file,
        metadata,
        columns,
        compressors,
        rowStart: start,
        rowEnd,
        utf8: false,
      });
      for (const object of read) {
        const cells: Record<string, unknown> = {};
        for (const name of places) {
          const meaning = meaningOf(name)!;
          cells[meaning] = meaning === 'geometry' ? shapeOf(object[name], rows.count + 1) : plain(object[name]);
        }
        const further = new Map(numbers.map(name => [name, object[name]]));
        rows.add({ ...(cells as Cells), further });
      }
    }
    return names;
  } catch (error) {
    if (error instanceof BadRow || error instanceof TooManyRows) throw error;
    throw new BadRow(rows.count + 1, null, 'the file is no Parquet that can be read');
  }
}
