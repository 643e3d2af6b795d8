import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Geometry } from '../../datasets/geometry.ts';
import type { RecordBytes } from './record-bytes.ts';

const NONE = new Uint32Array(0);
const NO_COORDINATES = new Float64Array(0);

/** vtable slots of a geometry in feature.fbs. */
const SLOT = { ends: 4, xy: 6, type: 16, parts: 18 } as const;

/** Doubles up to which reading them one by one is faster than copying their bytes. */
const FEW = 128;
/** Doubles up to which a geometry that is looked at once need not have memory of its own. */
const SPARE = 512;

/**
 * Decodes geometries of records.
 *
 * A file that Plat wrote holds no empty geometry, part or ring, so that there they are damage. Published files may hold
 * them, and write a MultiPolygon of one part without the level of parts; who reads those asks for `lenient`.
 */
export class GeometryDecoder {
  readonly #record: RecordBytes;
  readonly #lenient: boolean;
  /** Memory of spare geometries, and views of its beginning by their length. */
  readonly #spare = new ArrayBuffer(SPARE * 8);
  readonly #spares: Float64Array[] = [];

  constructor(record: RecordBytes, lenient: boolean) {
    this.#record = record;
    this.#lenient = lenient;
  }

  /** Type of a geometry's table; Unknown where it has none of its own. */
  typeOf(table: number): GeometryType {
    const offset = this.#record.offset(table, SLOT.type);
    return offset === 0 ? GeometryType.Unknown : this.#record.view.getUint8(table + offset);
  }

  /**
   * @param table of the geometry. @param type of it.
   * @param spare whether its coordinates may stand in memory that the next one is read into.
   * @returns null for an empty geometry, if lenient.
   * @throws RangeError when it is no complete geometry of the six simple-feature types.
   */
  decode(table: number, type: GeometryType, spare: boolean): Geometry | null {
    if (type === GeometryType.MultiPolygon) return this.#multiPolygon(table, spare);
    const xy = this.#xy(table, spare);
    if (xy.length === 0) return null;
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

  #multiPolygon(table: number, spare: boolean): Geometry | null {
    const record = this.#record;
    const start = record.vector(table, SLOT.parts, 4);
    const count = record.length;
    if (count === 0 && !this.#lenient) throw new RangeError('its MultiPolygon is empty');
    // Most have one part.
    if (count <= 1) {
      const part = count === 1 ? record.target(start) : table;
      const xy = this.#xy(part, spare);
      if (xy.length === 0) return null;
      const ends = this.#ends(part, xy.length / 2);
      return { type: 'MultiPolygon', xy, ends, parts: one(ends.length) };
    }
    const pieces: Float64Array[] = [];
    const ends: number[] = [];
    const parts: number[] = [];
    let vertices = 0;
    for (let i = 0; i < count; i++) {
      const part = record.target(start + 4 * i);
      const xy = this.#xy(part, false);
      if (xy.length === 0) continue;
      for (const end of this.#ends(part, xy.length / 2)) ends.push(vertices + end);
      vertices += xy.length / 2;
      // Parts that share their bytes could multiply a small record into a huge geometry.
      if (vertices * 16 > record.end - record.start) throw new RangeError('its parts overlap');
      parts.push(ends.length);
      pieces.push(xy);
    }
    if (pieces.length === 0) return null;
    const xy = new Float64Array(vertices * 2);
    let at = 0;
    for (const part of pieces) {
      xy.set(part, at);
      at += part.length;
    }
    return { type: 'MultiPolygon', xy, ends: Uint32Array.from(ends), parts: Uint32Array.from(parts) };
  }

  /** A copy, because vectors need not be aligned in the record and must not keep it alive. */
  #xy(table: number, spare: boolean): Float64Array {
    const { view, bytes } = this.#record;
    const start = this.#record.vector(table, SLOT.xy, 8);
    const { length } = this.#record;
    if (length === 0 && this.#lenient) return NO_COORDINATES;
    if (length === 0 || length % 2 !== 0) throw new RangeError(`its geometry has ${length / 2} vertices`);
    const xy = spare && length <= SPARE ? this.#spareOf(length) : new Float64Array(length);
    if (length <= FEW) for (let i = 0; i < length; i++) xy[i] = view.getFloat64(start + i * 8, true);
    else new Uint8Array(xy.buffer, 0, length * 8).set(bytes.subarray(start, start + length * 8));
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
    const { view } = this.#record;
    const start = this.#record.vector(table, SLOT.ends, 4);
    const { length } = this.#record;
    if (length === 0) return one(vertices);
    const ends = new Uint32Array(length);
    let last = 0;
    for (let i = 0; i < length; i++) {
      const end = view.getUint32(start + i * 4, true);
      if (end < last || (end === last && !this.#lenient))
        throw new RangeError('its rings or lines end before they begin');
      ends[i] = last = end;
    }
    if (last !== vertices) throw new RangeError(`its rings or lines end at vertex ${last} of ${vertices}`);
    return ends;
  }
}

function one(value: number): Uint32Array {
  const array = new Uint32Array(1);
  array[0] = value;
  return array;
}
