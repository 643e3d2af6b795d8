import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { boxOf } from '../../../datasets/geometry.ts';
import { encodeWkb } from '../../../query/geometry/wkb.ts';
import type { ColumnKind } from '../../formats/format.ts';
import type { Block } from './block.ts';
import { type ExportTable, remarksText, type TableWriter, valueIn } from './writer.ts';

/** Rows of a row group: a box of a kilometre is then read without most of the file. */
const GROUP_ROWS = 10_000;
const EDGES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
} as const satisfies Record<ColumnKind, Partial<SchemaElement>>;

function schemaOf({ columns }: ExportTable): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length + 2 },
    ...columns.map(({ name, kind }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[kind] })),
    { name: 'geometry', repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY' },
    { name: 'bbox', repetition_type: 'OPTIONAL', num_children: EDGES.length },
    ...EDGES.map((name): SchemaElement => ({ name, repetition_type: 'REQUIRED', type: 'DOUBLE' })),
  ];
}

/** The file metadata of GeoParquet 1.1.0. Without `crs` the CRS is OGC:CRS84: lng,lat on WGS84. */
const geoText = ({ box, types }: ExportTable): string =>
  JSON.stringify({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: [...types].sort(),
        ...(box ? { bbox: box } : {}),
        covering: { bbox: Object.fromEntries(EDGES.map(edge => [edge, ['bbox', edge]])) },
      },
    },
  });

/** GeoParquet 1.1 with a `bbox` column that covers the geometry, compressed by Snappy. Remarks are the file's metadata `plat`. */
export function geoparquetWriter(path: string, table: ExportTable): TableWriter {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaOf(table),
    createdBy: 'plat',
    kvMetadata: [
      { key: 'geo', value: geoText(table) },
      { key: 'plat', value: remarksText(table) },
    ],
  });
  let waiting: Block[] = [];
  let rows = 0;
  const flush = async () => {
    const blocks = waiting;
    [waiting, rows] = [[], 0];
    if (blocks.length === 0) return;
    const shapes = blocks.flatMap(({ geometries }) => geometries);
    const columnData = table.columns.map(({ name, kind }) => ({
      name,
      data: blocks.flatMap(({ values }) =>
        values.get(name)!.map(value => {
          const fitting = valueIn(kind, value);
          return kind === 'integer' && fitting !== null ? BigInt(fitting as number) : fitting;
        }),
      ),
    }));
    const bbox = shapes.map(geometry => {
      if (!geometry) return null;
      const [xmin, ymin, xmax, ymax] = boxOf(geometry);
      return { xmin, ymin, xmax, ymax };
    });
    const wkb = shapes.map(geometry => geometry && encodeWkb(geometry));
    await writer.write({
      columnData: [...columnData, { name: 'geometry', data: wkb }, { name: 'bbox', data: bbox }],
      rowGroupSize: GROUP_ROWS,
    });
  };
  return {
    async write(block) {
      waiting.push(block);
      rows += block.count;
      if (rows >= GROUP_ROWS) await flush();
    },
    async finish() {
      await flush();
      await writer.finish();
    },
  };
}
