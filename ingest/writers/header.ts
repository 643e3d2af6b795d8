import { Builder } from 'flatbuffers';
import { Column as ColumnTable } from 'flatgeobuf/lib/mjs/flat-geobuf/column.js';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { Crs } from 'flatgeobuf/lib/mjs/flat-geobuf/crs.js';
import type { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import type { Column, ScalarType } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import type { WriterOptions } from '../writer.ts';

/**
 * FlatGeobuf has no date type. GDAL writes its own dates as DateTime and reads a bare YYYY-MM-DD there as that day,
 * so dates stay typed; the column's metadata tells them from timestamps.
 */
const COLUMN_TYPES: Readonly<Record<ScalarType, ColumnType>> = {
  string: ColumnType.String,
  number: ColumnType.Double,
  integer: ColumnType.Long,
  boolean: ColumnType.Bool,
  date: ColumnType.DateTime,
  timestamp: ColumnType.DateTime,
};

function columnTable(builder: Builder, name: string, column: Column): number {
  const nameOffset = builder.createString(name);
  const description = column.description ? builder.createString(column.description) : 0;
  const metadata = builder.createString(JSON.stringify({ type: column.type, unit: column.unit }));
  ColumnTable.startColumn(builder);
  ColumnTable.addName(builder, nameOffset);
  ColumnTable.addType(builder, COLUMN_TYPES[column.type]);
  if (description) ColumnTable.addDescription(builder, description);
  ColumnTable.addMetadata(builder, metadata);
  return ColumnTable.endColumn(builder);
}

function crsTable(builder: Builder): number {
  const org = builder.createString('EPSG');
  const name = builder.createString('WGS 84');
  Crs.startCrs(builder);
  Crs.addOrg(builder, org);
  Crs.addCode(builder, 4326);
  Crs.addName(builder, name);
  return Crs.endCrs(builder);
}

/** What only the finished layer knows about itself. */
export interface LayerFacts {
  readonly geometryType: GeometryType;
  readonly count: number;
  readonly box: Box | null;
  /** 0 for no index. */
  readonly nodeSize: number;
}

/** The size-prefixed FlatGeobuf header of a layer in EPSG:4326. */
export function encodeHeader(options: WriterOptions, facts: LayerFacts): Uint8Array {
  const builder = new Builder(4096);
  const text = (value: string | undefined) => (value ? builder.createString(value) : 0);
  const columns = Header.createColumnsVector(
    builder,
    Object.entries(options.columns).map(([name, column]) => columnTable(builder, name, column)),
  );
  const crs = crsTable(builder);
  const name = text(options.name);
  const title = text(options.title);
  const description = text(options.description);
  const envelope = facts.box ? Header.createEnvelopeVector(builder, [...facts.box]) : 0;
  Header.startHeader(builder);
  Header.addName(builder, name);
  if (envelope) Header.addEnvelope(builder, envelope);
  Header.addGeometryType(builder, facts.geometryType);
  Header.addColumns(builder, columns);
  Header.addFeaturesCount(builder, BigInt(facts.count));
  Header.addIndexNodeSize(builder, facts.nodeSize);
  Header.addCrs(builder, crs);
  if (title) Header.addTitle(builder, title);
  if (description) Header.addDescription(builder, description);
  Header.finishSizePrefixedHeaderBuffer(builder, Header.endHeader(builder));
  return builder.asUint8Array();
}
