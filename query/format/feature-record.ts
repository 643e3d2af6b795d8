import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { ColumnPick } from './column-pick.ts';
import { WIDTH } from './column-width.ts';
import { textAt } from './utf8-text.ts';

const NONE = new Uint32Array(0);

/** vtable slots of feature.fbs; the generated classes hand out vectors without checking where they end. */
const SLOT = { geometry: 4, properties: 6, ends: 4, xy: 6, type: 16, parts: 18 } as const;

/** Doubles up to which reading them one by one is faster than copying their bytes. */
const FEW = 128;
/** Doubles up to which a geometry that is looked at once need not have memory of its own. */
const SPARE = 512;

const OUTSIDE = 'it points outside itself';

/** A column as the header of the file has it. */
export interface StoredColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/**
 * Reads features, one at a time, where their bytes lie, size prefix included. Every read is checked against the end of
 * the record, because the generated flatbuffers classes trust their input.
 */
export class FeatureRecord {
  readonly #columns: readonly StoredColumn[];
  /** Bytes that a value of each column takes; 0 where it says so itself. */
  readonly #fixed: Uint8Array;
  /** Where values stand, for `pick`. */
  readonly #at: Int32Array;
  readonly #widths: Int32Array;
  readonly #all: ColumnPick;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #start = 0;
  #end = 0;
  /** Position of the feature's table. */
  #root = 0;
  /**
   * Columns of the record before, in the order of its values: mostly the next one has them too, and a processor that
   * expects so need not wait for one value to know where the one behind it begins.
   */
  readonly #order: Uint16Array;
  /** Memory of spare geometries, and views of its beginning by their length. */
  readonly #spare = new ArrayBuffer(SPARE * 8);
  readonly #spares: Float64Array[] = [];

  /** @param columns of the file, in their order. */
  constructor(columns: readonly StoredColumn[]) {
    this.#columns = columns;
    this.#fixed = Uint8Array.from(columns, ({ type }) => WIDTH[type]!);
    this.#at = new Int32Array(columns.length);
    this.#order = new Uint16Array(columns.length);
    this.#widths = new Int32Array(columns.length);
    this.#all = { mask: new Uint8Array(columns.length).fill(1), places: Int32Array.from(columns.keys()) };
  }

  /**
   * Goes to a record; what was read of the one before stays good only where it was copied.
   * @param bytes memory that it stands in, which the caller leaves alone until the next one. @param start of the record.
   * @throws RangeError when the size prefix is not the length of the record.
   */
  open(bytes: Uint8Array, start: number, length: number): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.#start = start;
    this.#end = start + length;
    if (length < 12 || this.#view.getUint32(start, true) !== length - 4)
      throw new RangeError(`it says ${length < 4 ? 'nothing' : this.#view.getUint32(start, true)} bytes long`);
    this.#root = start + 4 + this.#view.getUint32(start + 4, true);
    this.#table(this.#root);
  }

  /**
   * @param headerType type of all features, or Unknown.
   * @param spare whether its coordinates may stand in memory that the next one is read into.
   * @throws RangeError when the record holds no complete geometry of the seven simple-feature types.
   */
  geometry(headerType: GeometryType, spare = false): Geometry {
    const field = this.#offset(this.#root, SLOT.geometry);
    if (field === 0) throw new RangeError('it has no geometry');
    const table = this.#target(this.#root + field);
    const type = headerType === GeometryType.Unknown ? this.#type(table) : headerType;
    if (type === GeometryType.MultiPolygon) return this.#multiPolygon(table, spare);
    const xy = this.#xy(table, spare);
    const vertices = xy.length / 2;
    switch (type) {
      case GeometryType.Point:
        if (vertices !== 1) throw new RangeError(`its point has ${vertices} vertices`);
        return { type: 'Point', xy, ends: one(1), parts: NONE };
      case GeometryType.MultiPoint:
        return { type: 'MultiPoint', xy, ends: one(vertices), parts: NONE };
      case GeometryType.LineString:
        return { type: 'LineString', xy, ends: one(vertices), parts: NONE };
      case GeometryType.MultiLineString:
        return { type: 'MultiLineString', xy, ends: this.#ends(table, vertices), parts: NONE };
      case GeometryType.Polygon: {
        const ends = this.#ends(table, vertices);
        return { type: 'Polygon', xy, ends, parts: one(ends.length) };
      }
      default:
        throw new RangeError(`its geometry type ${type} is none of the simple-feature types`);
    }
  }

  /**
   * All columns by name; null where the record has no value.
   * @throws RangeError when a value runs past the end or belongs to no column, TypeError when text is not UTF-8.
   */
  properties(): Record<string, Value> {
    return this.pick(this.#all);
  }

  /**
   * Some columns by name, cheaper than all; null where the record has no value.
   * @throws as properties does, of the columns that are not wanted too where they run past the end.
   */
  pick(wanted: ColumnPick): Record<string, Value> {
    this.locate(wanted, this.#at, this.#widths);
    const values: Record<string, Value> = {};
    const { places } = wanted;
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      const column = this.#columns[place]!;
      values[column.name] = this.#at[place]! < 0 ? null : this.value(column, this.#at[place]!, this.#widths[place]!);
    }
    return values;
  }

  /** Memory in which values stand where `locate` found them. */
  get view(): DataView {
    return this.#view;
  }

  /**
   * Where values stand, for a caller that writes them on without decoding them.
   * @param at by column, gets the first byte of each wanted column's value, -1 where there is none. @param widths its bytes.
   * @throws RangeError as properties does.
   */
  locate({ mask, places }: ColumnPick, at: Int32Array, widths: Int32Array): void {
    const view = this.#view;
    const fixed = this.#fixed;
    const count = fixed.length;
    for (let i = 0; i < places.length; i++) at[places[i]!] = -1;
    const start = this.#vector(this.#root, SLOT.properties, 1);
    const end = start + this.#length;
    const order = this.#order;
    for (let from = start, i = 0; from < end; i++) {
      if (from + 2 > end) throw new RangeError('its properties break off');
      let index = order[i]!;
      if (view.getUint16(from, true) !== index) {
        index = view.getUint16(from, true);
        if (index >= count) throw new RangeError('it has a value of an unknown column');
        order[i] = index;
      }
      from += 2;
      let width = fixed[index]!;
      if (width === 0) {
        if (from + 4 > end) throw new RangeError('its properties break off');
        width = view.getUint32(from, true);
        from += 4;
      }
      if (from + width > end) throw new RangeError(`its ${this.#columns[index]!.name} runs past the end`);
      if (mask[index] === 1) {
        at[index] = from;
        widths[index] = width;
      }
      from += width;
    }
  }

  /** The value that `locate` found. @throws TypeError when text is not UTF-8. */
  value({ type }: StoredColumn, at: number, width: number): Value {
    return this.#value(type, at, width);
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
        return textAt(this.#bytes, at, width);
    }
  }

  #multiPolygon(table: number, spare: boolean): Geometry {
    const start = this.#vector(table, SLOT.parts, 4);
    const count = this.#length;
    if (count === 0) throw new RangeError('its MultiPolygon is empty');
    // Most have one part.
    if (count === 1) {
      const part = this.#target(start);
      const xy = this.#xy(part, spare);
      const ends = this.#ends(part, xy.length / 2);
      return { type: 'MultiPolygon', xy, ends, parts: one(ends.length) };
    }
    const pieces: Float64Array[] = [];
    const ends: number[] = [];
    const parts = new Uint32Array(count);
    let vertices = 0;
    for (let i = 0; i < count; i++) {
      const part = this.#target(start + 4 * i);
      const xy = this.#xy(part, false);
      for (const end of this.#ends(part, xy.length / 2)) ends.push(vertices + end);
      vertices += xy.length / 2;
      // Parts that share their bytes could multiply a small record into a huge geometry.
      if (vertices * 16 > this.#end - this.#start) throw new RangeError('its parts overlap');
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
  #xy(table: number, spare: boolean): Float64Array {
    const start = this.#vector(table, SLOT.xy, 8);
    const length = this.#length;
    if (length === 0 || length % 2 !== 0) throw new RangeError(`its geometry has ${length / 2} vertices`);
    const xy = spare && length <= SPARE ? this.#spareOf(length) : new Float64Array(length);
    if (length <= FEW) for (let i = 0; i < length; i++) xy[i] = this.#view.getFloat64(start + i * 8, true);
    else new Uint8Array(xy.buffer, 0, length * 8).set(this.#bytes.subarray(start, start + length * 8));
    return xy;
  }

  #spareOf(length: number): Float64Array {
    let xy = this.#spares[length];
    if (!xy) {
      xy = new Float64Array(this.#spare, 0, length);
      this.#spares[length] = xy;
    }
    return xy;
  }

  #ends(table: number, vertices: number): Uint32Array {
    const start = this.#vector(table, SLOT.ends, 4);
    const length = this.#length;
    if (length === 0) return one(vertices);
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

  #type(table: number): number {
    const offset = this.#offset(table, SLOT.type);
    return offset === 0 ? GeometryType.Unknown : this.#view.getUint8(table + offset);
  }

  #isInside(at: number, size: number): boolean {
    return at >= this.#start + 4 && at + size <= this.#end;
  }

  /** Checks that a table and its vtable lie inside the record. */
  #table(position: number): void {
    if (!this.#isInside(position, 4)) throw new RangeError(OUTSIDE);
    const vtable = position - this.#view.getInt32(position, true);
    if (!this.#isInside(vtable, 4)) throw new RangeError(OUTSIDE);
    const size = this.#view.getUint16(vtable, true);
    if (size < 4 || size > 0x7fff || !this.#isInside(vtable, size)) throw new RangeError(OUTSIDE);
  }

  /** The table that is pointed at. */
  #target(field: number): number {
    if (!this.#isInside(field, 4)) throw new RangeError(OUTSIDE);
    const position = field + this.#view.getUint32(field, true);
    this.#table(position);
    return position;
  }

  /** Where a field stands in a table that lies inside the record; 0 when the table has none. */
  #offset(table: number, slot: number): number {
    const vtable = table - this.#view.getInt32(table, true);
    const offset = slot < this.#view.getUint16(vtable, true) ? this.#view.getUint16(vtable + slot, true) : 0;
    if (offset !== 0 && !this.#isInside(table + offset, 1)) throw new RangeError(OUTSIDE);
    return offset;
  }

  /** Elements of the vector that was asked for last. */
  #length = 0;

  /** Start of a vector that lies inside the record, its elements in `#length`; both 0 when the table has none. */
  #vector(table: number, slot: number, width: number): number {
    this.#length = 0;
    const offset = this.#offset(table, slot);
    if (!offset) return 0;
    const field = table + offset;
    if (!this.#isInside(field, 4)) throw new RangeError(OUTSIDE);
    const start = field + this.#view.getUint32(field, true) + 4;
    if (start > this.#end) throw new RangeError(OUTSIDE);
    const length = this.#view.getUint32(start - 4, true);
    if (start + length * width > this.#end) throw new RangeError('it holds less than it says');
    this.#length = length;
    return start;
  }
}

function one(value: number): Uint32Array {
  const array = new Uint32Array(1);
  array[0] = value;
  return array;
}
