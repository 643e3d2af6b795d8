import { Builder, ByteBuffer } from 'flatbuffers';
import { Column as ColumnTable } from 'flatgeobuf/lib/mjs/flat-geobuf/column.js';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { Crs } from 'flatgeobuf/lib/mjs/flat-geobuf/crs.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import type { Column, ScalarType } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import type { StoredColumn } from './feature-record.ts';

/** What a FlatGeobuf file begins with: `fgb`, version 3, `fgb`, and a patch level that readers ignore. */
export const MAGIC = Uint8Array.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0);

/** Whether bytes begin as FlatGeobuf of version 3 does. */
export function isVersion3(bytes: Uint8Array): boolean {
  return MAGIC.subarray(0, 7).every((byte, i) => bytes[i] === byte);
}

/** A value names its column by 16 bits. */
const MAX_COLUMNS = 0xffff;

/** What a FlatGeobuf header says that reading needs. */
export interface FeatureHeader {
  readonly title: string | null;
  readonly count: number;
  readonly nodeSize: number;
  readonly type: GeometryType;
  readonly columns: readonly StoredColumn[];
  /** `EPSG:n`, else WKT, else `authority:n`; null where it names none. */
  readonly crs: string | null;
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
    if (!column || name === null || name === undefined || !(column.type() in ColumnType))
      throw new RangeError(`column ${i} is incomplete`);
    return { name, type: column.type() };
  });
  const type = header.geometryType();
  if (!(type in GeometryType)) throw new RangeError(`geometry type ${type} does not exist`);
  return {
    title: header.title() ?? header.name(),
    count: Number(header.featuresCount()),
    nodeSize: header.indexNodeSize(),
    type,
    columns,
    crs: crsOf(header),
  };
}

function crsOf(header: Header): string | null {
  const crs = header.crs();
  if (!crs) return null;
  const [authority, code] = [crs.org(), crs.code()];
  if (code > 0 && (!authority || authority.toUpperCase() === 'EPSG')) return `EPSG:${code}`;
  return crs.wkt() || (authority && code > 0 ? `${authority}:${code}` : null);
}

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

/** What a header says of its layer. */
interface LayerDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON text. */
  readonly metadata?: string;
  readonly columns: Readonly<Record<string, Column>>;
}

/** What only the finished layer knows about itself. */
interface LayerFacts {
  readonly geometryType: GeometryType;
  readonly count: number;
  readonly box: Box | null;
  /** 0 for no index. */
  readonly nodeSize: number;
}

/** The size-prefixed FlatGeobuf header of a layer in EPSG:4326. */
export function encodeHeader(layer: LayerDescription, facts: LayerFacts): Uint8Array {
  const builder = new Builder(4096);
  const text = (value: string | undefined) => (value ? builder.createString(value) : 0);
  const columns = Header.createColumnsVector(
    builder,
    Object.entries(layer.columns).map(([name, column]) => columnTable(builder, name, column)),
  );
  const crs = crsTable(builder);
  const name = text(layer.name);
  const title = text(layer.title);
  const description = text(layer.description);
  const metadata = text(layer.metadata);
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
  if (metadata) Header.addMetadata(builder, metadata);
  Header.finishSizePrefixedHeaderBuffer(builder, Header.endHeader(builder));
  return builder.asUint8Array();
}
