import { ByteBuffer } from 'flatbuffers';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { Geometry as GeometryTable } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Value } from '../datasets/dataset.ts';
import type { Geometry } from '../datasets/geometry.ts';

const TEXT = new TextDecoder('utf-8', { fatal: true });
const NONE = new Uint32Array(0);
/** Bytes of text up to which reading them one by one is faster than the decoder. */
const SHORT = 24;

/** vtable slots of feature.fbs; the generated classes hand out vectors without checking where they end. */
const SLOT = { geometry: 4, properties: 6, ends: 4, xy: 6, parts: 18 } as const;

/** Width in bytes of the column types of fixed width; 0 of the others. */
const WIDTH = new Uint8Array(256);
for (const [width, ...types] of [
  [1, ColumnType.Byte, ColumnType.UByte, ColumnType.Bool],
  [2, ColumnType.Short, ColumnType.UShort],
  [4, ColumnType.Int, ColumnType.UInt, ColumnType.Float],
  [8, ColumnType.Long, ColumnType.ULong, ColumnType.Double],
] as const)
  for (const type of types) WIDTH[type] = width;

/** A column as the header of the file has it. */
export interface StoredColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/**
 * The bytes of one feature, size prefix included. Every read is checked against the end of the record, because the
 * generated flatbuffers classes trust their input.
 */
export class FeatureRecord {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Position of the feature's table. */
  readonly #root: number;

  /** @throws RangeError when the size prefix is not the length of the record. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 12 || this.#view.getUint32(0, true) !== bytes.length - 4)
      throw new RangeError(`it says ${bytes.length < 4 ? 'nothing' : this.#view.getUint32(0, true)} bytes long`);
    this.#root = 4 + this.#view.getUint32(4, true);
    this.#table(this.#root);
  }

  /**
   * @param headerType type of all features, or Unknown.
   * @throws RangeError when the record holds no complete geometry of the seven simple-feature types.
   */
  geometry(headerType: GeometryType): Geometry {
    const field = this.#root + this.#offset(this.#root, SLOT.geometry);
    if (field === this.#root) throw new RangeError('it has no geometry');
    const position = field + this.#view.getUint32(field, true);
    this.#table(position);
    // Made where it is needed: most records are read for their values.
    const table = new GeometryTable().__init(position, new ByteBuffer(this.#bytes));
    const type = headerType === GeometryType.Unknown ? table.type() : headerType;
    if (type === GeometryType.MultiPolygon) return this.#multiPolygon(table);
    const xy = this.#xy(table);
    const vertices = xy.length / 2;
    switch (type) {
      case GeometryType.Point:
        if (vertices !== 1) throw new RangeError(`its point has ${vertices} vertices`);
        return { type: 'Point', xy, ends: Uint32Array.of(1), parts: NONE };
      case GeometryType.MultiPoint:
        return { type: 'MultiPoint', xy, ends: Uint32Array.of(vertices), parts: NONE };
      case GeometryType.LineString:
        return { type: 'LineString', xy, ends: Uint32Array.of(vertices), parts: NONE };
      case GeometryType.MultiLineString:
        return { type: 'MultiLineString', xy, ends: this.#ends(table, vertices), parts: NONE };
      case GeometryType.Polygon: {
        const ends = this.#ends(table, vertices);
        return { type: 'Polygon', xy, ends, parts: Uint32Array.of(ends.length) };
      }
      default:
        throw new RangeError(`its geometry type ${type} is none of the simple-feature types`);
    }
  }

  /**
   * All columns by name; null where the record has no value.
   * @throws RangeError when a value runs past the end or belongs to no column, TypeError when text is not UTF-8.
   */
  properties(columns: readonly StoredColumn[]): Record<string, Value> {
    const values: Record<string, Value> = {};
    for (const column of columns) values[column.name] = null;
    this.#each(columns, null, (column, at, width) => {
      values[column.name] = this.#value(column.type, at, width);
    });
    return values;
  }

  /**
   * Some columns by name, cheaper than all; null where the record has no value.
   * @param wanted 1 for each column to decode.
   * @throws as properties does, of the columns that are not wanted too where they run past the end.
   */
  pick(columns: readonly StoredColumn[], wanted: Uint8Array): Record<string, Value> {
    const values: Record<string, Value> = {};
    for (let i = 0; i < columns.length; i++) if (wanted[i]) values[columns[i]!.name] = null;
    this.#each(columns, wanted, (column, at, width) => {
      values[column.name] = this.#value(column.type, at, width);
    });
    return values;
  }

  /** The record; values stand where `locate` found them. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /**
   * Where values stand, for a caller that writes them on without decoding them.
   * @param wanted 1 for each column to find.
   * @param at gets the first byte of each wanted column's value, -1 where there is none. @param widths its bytes.
   * @throws RangeError as properties does.
   */
  locate(columns: readonly StoredColumn[], wanted: Uint8Array, at: Int32Array, widths: Int32Array): void {
    at.fill(-1);
    this.#each(columns, wanted, (_, start, width, index) => {
      at[index] = start;
      widths[index] = width;
    });
  }

  /** The value that `locate` found. @throws TypeError when text is not UTF-8. */
  value({ type }: StoredColumn, at: number, width: number): Value {
    return this.#value(type, at, width);
  }

  #each(
    columns: readonly StoredColumn[],
    wanted: Uint8Array | null,
    visit: (column: StoredColumn, at: number, width: number, index: number) => void,
  ): void {
    const [start, length] = this.#vector(this.#root, SLOT.properties, 1);
    const end = start + length;
    for (let at = start; at < end; ) {
      if (at + 2 > end) throw new RangeError('its properties break off');
      const index = this.#view.getUint16(at, true);
      const column = columns[index];
      at += 2;
      if (!column) throw new RangeError('it has a value of an unknown column');
      const fixed = WIDTH[column.type]!;
      if (fixed === 0 && at + 4 > end) throw new RangeError('its properties break off');
      const width = fixed || this.#view.getUint32(at, true);
      if (fixed === 0) at += 4;
      if (at + width > end) throw new RangeError(`its ${column.name} runs past the end`);
      if (wanted === null || wanted[index]) visit(column, at, width, index);
      at += width;
    }
  }

  #value(type: ColumnType, at: number, width: number): Value {
    const view = this.#view;
    switch (type) {
      case ColumnType.Bool:
        return view.getUint8(at) !== 0;
      case ColumnType.Byte:
        return view.getInt8(at);
      case ColumnType.UByte:
        return view.getUint8(at);
      case ColumnType.Short:
        return view.getInt16(at, true);
      case ColumnType.UShort:
        return view.getUint16(at, true);
      case ColumnType.Int:
        return view.getInt32(at, true);
      case ColumnType.UInt:
        return view.getUint32(at, true);
      case ColumnType.Long:
        return view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
      case ColumnType.ULong:
        return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
      case ColumnType.Float:
        return view.getFloat32(at, true);
      case ColumnType.Double:
        return view.getFloat64(at, true);
      case ColumnType.Binary:
        throw new RangeError('it has a binary column, which Plat does not store');
      default:
        return this.#text(at, width);
    }
  }

  /** Most text is short and plain, which needs no decoder. */
  #text(at: number, width: number): string {
    const bytes = this.#bytes;
    if (width > SHORT) return TEXT.decode(bytes.subarray(at, at + width));
    let text = '';
    for (let i = at; i < at + width; i++) {
      const byte = bytes[i]!;
      if (byte > 0x7f) return TEXT.decode(bytes.subarray(at, at + width));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #multiPolygon(table: GeometryTable): Geometry {
    const [, count] = this.#vector(table.bb_pos, SLOT.parts, 4);
    if (count === 0) throw new RangeError('its MultiPolygon is empty');
    const pieces: Float64Array[] = [];
    const ends: number[] = [];
    const parts = new Uint32Array(count);
    let vertices = 0;
    const piece = new GeometryTable();
    for (let i = 0; i < count; i++) {
      this.#table(table.parts(i, piece)!.bb_pos);
      const xy = this.#xy(piece);
      for (const end of this.#ends(piece, xy.length / 2)) ends.push(vertices + end);
      vertices += xy.length / 2;
      // Parts that share their bytes could multiply a small record into a huge geometry.
      if (vertices * 16 > this.#bytes.length) throw new RangeError('its parts overlap');
      parts[i] = ends.length;
      pieces.push(xy);
    }
    const xy = new Float64Array(vertices * 2);
    let at = 0;
    for (const part of pieces) {
      xy.set(part, at);
      at += part.length;
    }
    return { type: 'MultiPolygon', xy, ends: Uint32Array.from(ends), parts };
  }

  /** A copy, because vectors need not be aligned in the record and must not keep it alive. */
  #xy(table: GeometryTable): Float64Array {
    const [start, length] = this.#vector(table.bb_pos, SLOT.xy, 8);
    if (length === 0 || length % 2 !== 0) throw new RangeError(`its geometry has ${length / 2} vertices`);
    const xy = new Float64Array(length);
    new Uint8Array(xy.buffer).set(this.#bytes.subarray(start, start + length * 8));
    return xy;
  }

  #ends(table: GeometryTable, vertices: number): Uint32Array {
    const [start, length] = this.#vector(table.bb_pos, SLOT.ends, 4);
    if (length === 0) return Uint32Array.of(vertices);
    const ends = new Uint32Array(length);
    let last = 0;
    for (let i = 0; i < length; i++) {
      const end = this.#view.getUint32(start + i * 4, true);
      if (end <= last) throw new RangeError('its rings or lines end before they begin');
      ends[i] = last = end;
    }
    if (last !== vertices) throw new RangeError(`its rings or lines end at vertex ${last} of ${vertices}`);
    return ends;
  }

  /** Checks that a table and its vtable lie inside the record. */
  #table(position: number): void {
    const inside = (at: number, size: number) => at >= 4 && at + size <= this.#bytes.length;
    if (!inside(position, 4)) throw new RangeError('it points outside itself');
    const vtable = position - this.#view.getInt32(position, true);
    if (!inside(vtable, 4)) throw new RangeError('it points outside itself');
    const size = this.#view.getUint16(vtable, true);
    if (size < 4 || size > 0x7fff || !inside(vtable, size)) throw new RangeError('it points outside itself');
  }

  /** Where a field stands in a table that lies inside the record; 0 when the table has none. */
  #offset(table: number, slot: number): number {
    const vtable = table - this.#view.getInt32(table, true);
    return slot < this.#view.getUint16(vtable, true) ? this.#view.getUint16(vtable + slot, true) : 0;
  }

  /** Start and length of a vector that lies inside the record; [0, 0] when the table has none. */
  #vector(table: number, slot: number, width: number): [start: number, length: number] {
    const offset = this.#offset(table, slot);
    if (!offset) return [0, 0];
    const field = table + offset;
    if (field < 4 || field + 4 > this.#bytes.length) throw new RangeError('it points outside itself');
    const start = field + this.#view.getUint32(field, true) + 4;
    if (start > this.#bytes.length) throw new RangeError('it points outside itself');
    const length = this.#view.getUint32(start - 4, true);
    if (start + length * width > this.#bytes.length) throw new RangeError('it holds less than it says');
    return [start, length];
  }
}
