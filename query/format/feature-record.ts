import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { ColumnPick } from './column-pick.ts';
import { WIDTH } from './column-width.ts';
import { GeometryDecoder } from './feature-geometry.ts';
import { RecordBytes } from './record-bytes.ts';
import { textAt } from './utf8-text.ts';

/** vtable slots of a feature in feature.fbs. */
const SLOT = { geometry: 4, properties: 6 } as const;

/** A column as the header of the file has it. */
export interface StoredColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Reads features, one at a time, where their bytes lie, size prefix included. */
export class FeatureRecord {
  readonly #columns: readonly StoredColumn[];
  /** Bytes that a value of each column takes; 0 where it says so itself. */
  readonly #fixed: Uint8Array;
  /** Where values stand, for `pick`. */
  readonly #at: Int32Array;
  readonly #widths: Int32Array;
  readonly #all: ColumnPick;
  readonly #in = new RecordBytes();
  readonly #geometries: GeometryDecoder;
  /**
   * Columns of the record before, in the order of its values: mostly the next one has them too, and a processor that
   * expects so need not wait for one value to know where the one behind it begins.
   */
  readonly #order: Uint16Array;

  /** 1 where the last value may be followed by a byte too few for another: some writers leave one. */
  readonly #spareBytes: number;

  /**
   * @param columns of the file, in their order.
   * @param lenient of files that others wrote: geometries and parts of them may be empty, and a byte may follow the last value.
   */
  constructor(columns: readonly StoredColumn[], lenient = false) {
    this.#geometries = new GeometryDecoder(this.#in, lenient);
    this.#columns = columns;
    this.#spareBytes = lenient ? 1 : 0;
    this.#fixed = Uint8Array.from(columns, ({ type }) => WIDTH[type]!);
    this.#at = new Int32Array(columns.length);
    this.#order = new Uint16Array(columns.length);
    this.#widths = new Int32Array(columns.length);
    this.#all = { mask: new Uint8Array(columns.length).fill(1), places: Int32Array.from(columns.keys()) };
  }

  /** Goes to a record, as RecordBytes.open does. */
  open(bytes: Uint8Array, start: number, length: number): void {
    this.#in.open(bytes, start, length);
  }

  /** Type of the record's geometry by its code in feature.fbs; null where it has none. @param headerType as below. */
  geometryType(headerType: GeometryType): GeometryType | null {
    const field = this.#in.offset(this.#in.root, SLOT.geometry);
    if (field === 0) return null;
    const table = this.#in.target(this.#in.root + field);
    return headerType === GeometryType.Unknown ? this.#geometries.typeOf(table) : headerType;
  }

  /**
   * @param headerType type of all features, or Unknown.
   * @param spare whether its coordinates may stand in memory that the next one is read into.
   * @returns null where there is none, or if lenient, an empty one.
   * @throws RangeError when it is no complete geometry of the six simple-feature types.
   */
  geometry(headerType: GeometryType, spare = false): Geometry | null {
    const field = this.#in.offset(this.#in.root, SLOT.geometry);
    if (field === 0) return null;
    const table = this.#in.target(this.#in.root + field);
    const type = headerType === GeometryType.Unknown ? this.#geometries.typeOf(table) : headerType;
    return this.#geometries.decode(table, type, spare);
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
    return this.#in.view;
  }

  /**
   * Where values stand, for a caller that writes them on without decoding them.
   * @param at by column, gets the first byte of each wanted column's value, -1 where there is none. @param widths its bytes.
   * @throws RangeError as properties does.
   */
  locate({ mask, places }: ColumnPick, at: Int32Array, widths: Int32Array): void {
    const { view } = this.#in;
    const fixed = this.#fixed;
    const count = fixed.length;
    for (let i = 0; i < places.length; i++) at[places[i]!] = -1;
    const start = this.#in.vector(this.#in.root, SLOT.properties, 1);
    const end = start + this.#in.length;
    const last = end - this.#spareBytes;
    const order = this.#order;
    for (let from = start, i = 0; from < last; i++) {
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
    const { view } = this.#in;
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
        return textAt(this.#in.bytes, at, width);
    }
  }
}
