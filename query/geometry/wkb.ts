import type { Geometry, GeometryType } from '../../datasets/geometry.ts';
import { arcThrough } from './arc.ts';

const TYPES: readonly (GeometryType | null)[] = [
  null,
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
];
/** Types of SQL/MM that hold arcs, and what they become once arcs are straight pieces. */
const CURVED: ReadonlyMap<number, GeometryType> = new Map([
  [8, 'LineString'],
  [9, 'LineString'],
  [10, 'Polygon'],
  [11, 'MultiLineString'],
  [12, 'MultiPolygon'],
]);
const COLLECTION = 7;
const CIRCULAR_STRING = 8;
const COMPOUND_CURVE = 9;
const CURVE_POLYGON = 10;
/** Collections in collections that are followed. */
const DEEPEST = 8;
const EMPTY = new Uint32Array(0);
/** Flag bits of PostGIS's EWKB. */
const EWKB_Z = 0x80000000;
const EWKB_M = 0x40000000;
const EWKB_SRID = 0x20000000;

/** Bytes that are not the WKB of a geometry that Plat stores. */
export class WkbError extends Error {
  override readonly name = 'WkbError';
  readonly kind: 'corrupt' | 'unsupported';
  /** Of a GeometryCollection what it holds; null of anything else. */
  readonly members: readonly Geometry[] | null;
  constructor(kind: 'corrupt' | 'unsupported', message: string, members: readonly Geometry[] | null = null) {
    super(message);
    this.kind = kind;
    this.members = members;
  }
}

/** What a geometry's head says: its type by number, and as it is stored. */
interface Head {
  readonly code: number;
  readonly type: GeometryType;
}

/** Growing flat arrays that the parts of a geometry are gathered into. */
class Decoder {
  readonly #view: DataView;
  #at = 0;
  #little = true;
  #stride = 16;
  #xy = new Float64Array(64);
  #length = 0;
  #ends: number[] = [];
  #parts: number[] = [];

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  fail(what: string): WkbError {
    return new WkbError('corrupt', `the WKB geometry ${what}`);
  }

  #uint(): number {
    if (this.#at + 4 > this.#view.byteLength) throw this.fail('ends too early');
    const value = this.#view.getUint32(this.#at, this.#little);
    this.#at += 4;
    return value;
  }

  /** Byte order and type of the geometry that begins here. @throws WkbError */
  #head(): Head {
    const code = this.#code();
    const type = TYPES[code] ?? CURVED.get(code);
    if (type) return { code, type };
    throw new WkbError(
      'unsupported',
      code === COLLECTION
        ? 'GeometryCollections are not read; split them by type'
        : `WKB type ${code} (a surface in space) is not read; convert to polygons`,
    );
  }

  /** Byte order and number of the type that begins here, without its dimensions. */
  #code(): number {
    if (this.#at >= this.#view.byteLength) throw this.fail('ends too early');
    const order = this.#view.getUint8(this.#at++);
    if (order > 1) throw this.fail(`has byte order ${order}; 0 or 1 was expected`);
    this.#little = order === 1;
    const word = this.#uint();
    if (word & EWKB_SRID) this.#uint();
    const code = word & 0x1fffffff;
    const iso = Math.floor(code / 1000);
    const dimensions = 2 + (word & EWKB_Z || iso & 1 ? 1 : 0) + (word & EWKB_M || iso & 2 ? 1 : 0);
    this.#stride = 8 * dimensions;
    if (iso <= 3 && code % 1000 >= 1 && code % 1000 <= 17) return code % 1000;
    throw this.fail(`has type ${word}, which does not exist`);
  }

  /** Makes room for so many numbers more. */
  #room(numbers: number): void {
    const needed = this.#length + numbers;
    if (needed <= this.#xy.length) return;
    const grown = new Float64Array(Math.max(needed, 2 * this.#xy.length));
    grown.set(this.#xy.subarray(0, this.#length));
    this.#xy = grown;
  }

  #vertices(count: number): void {
    if (this.#at + count * this.#stride > this.#view.byteLength)
      throw this.fail(`announces ${count} vertices, more than its bytes hold`);
    this.#room(2 * count);
    for (let i = 0; i < count; i++) {
      this.#xy[this.#length++] = this.#view.getFloat64(this.#at, this.#little);
      this.#xy[this.#length++] = this.#view.getFloat64(this.#at + 8, this.#little);
      this.#at += this.#stride;
    }
  }

  /** The arcs of a circular string, each through every second vertex, as straight pieces. */
  #arcs(): void {
    const start = this.#length;
    this.#vertices(this.#uint());
    const points = this.#xy.slice(start, this.#length);
    const count = points.length / 2;
    if (count > 0 && (count < 3 || count % 2 === 0))
      throw this.fail(`has a circular string of ${count} points; an odd number from 3 on was expected`);
    this.#length = Math.min(this.#length, start + 2);
    const at = (i: number): [number, number] => [points[2 * i]!, points[2 * i + 1]!];
    for (let i = 0; i + 2 < count; i += 2) {
      const pieces = arcThrough(at(i), at(i + 1), at(i + 2));
      this.#room(pieces.length);
      this.#xy.set(pieces, this.#length);
      this.#length += pieces.length;
    }
  }

  /** The vertices of one line or ring, straight or curved. @returns whether there was one that may be. */
  #path(code: number): boolean {
    if (code === CIRCULAR_STRING) this.#arcs();
    else if (code === COMPOUND_CURVE) {
      const pieces = this.#uint();
      for (let i = 0; i < pieces; i++) {
        const piece = this.#code();
        const joint = this.#length;
        if (piece === COMPOUND_CURVE || !this.#path(piece)) throw this.fail('has a compound curve of other than lines');
        // Each piece begins where the last one ended.
        if (
          i > 0 &&
          this.#length > joint + 1 &&
          this.#xy[joint] === this.#xy[joint - 2] &&
          this.#xy[joint + 1] === this.#xy[joint - 1]
        ) {
          this.#xy.copyWithin(joint, joint + 2, this.#length);
          this.#length -= 2;
        }
      }
    } else if (TYPES[code] === 'LineString') this.#vertices(this.#uint());
    else return false;
    return true;
  }

  #body({ code, type }: Head): void {
    if (type === 'Point') {
      this.#vertices(1);
      // An empty point is written as not-a-number.
      if (Number.isNaN(this.#xy[this.#length - 2]!)) this.#length -= 2;
    } else if (type === 'LineString') {
      this.#path(code);
      this.#ends.push(this.#length / 2);
    } else if (type === 'Polygon') {
      const rings = this.#uint();
      for (let i = 0; i < rings; i++) {
        if (code !== CURVE_POLYGON) this.#vertices(this.#uint());
        else if (!this.#path(this.#code())) throw this.fail('has a ring that is no line');
        this.#ends.push(this.#length / 2);
      }
      this.#parts.push(this.#ends.length);
    } else {
      const count = this.#uint();
      const member = type.slice('Multi'.length);
      for (let i = 0; i < count; i++) {
        const found = this.#head();
        if (found.type !== member) throw this.fail(`holds a ${found.type} inside a ${type}`);
        this.#body(found);
      }
    }
  }

  /** What a collection holds, those of collections in it among them. */
  *#members(depth: number): Generator<Geometry> {
    if (depth > DEEPEST) throw this.fail(`has collections in collections more than ${DEEPEST} deep`);
    const count = this.#uint();
    for (let i = 0; i < count; i++) {
      const before = this.#at;
      if (this.#code() === COLLECTION) yield* this.#members(depth + 1);
      else {
        this.#at = before;
        yield this.#one();
      }
    }
  }

  /** The geometry that begins here. */
  #one(): Geometry {
    [this.#length, this.#ends, this.#parts] = [0, [], []];
    const head = this.#head();
    this.#body(head);
    const { type } = head;
    const xy = this.#xy.slice(0, this.#length);
    const ends = type === 'Point' || type === 'MultiPoint' ? [xy.length / 2] : this.#ends;
    return {
      type,
      xy,
      ends: Uint32Array.from(ends),
      parts: this.#parts.length ? Uint32Array.from(this.#parts) : EMPTY,
    };
  }

  decode(): Geometry {
    if (this.#code() === COLLECTION)
      throw new WkbError('unsupported', 'GeometryCollections are not read; split them by type', [...this.#members(1)]);
    this.#at = 0;
    return this.#one();
  }
}

/**
 * Decodes a geometry from OGC/ISO WKB or PostGIS EWKB, either byte order; Z, M and SRID are dropped.
 * Coordinates stay in the order and CRS they are in. An empty geometry has no vertices. Arcs (SQL/MM) become straight
 * pieces.
 * @throws WkbError corrupt; or unsupported, for surfaces in space, and for collections, whose members it holds.
 */
export function decodeWkb(bytes: Uint8Array): Geometry {
  return new Decoder(bytes).decode();
}

/** Encodes a geometry as little-endian ISO WKB (2D), coordinates as they are. An empty point is not-a-number. */
export function encodeWkb(geometry: Geometry): Uint8Array {
  const { type, xy, ends, parts } = geometry;
  const points = xy.length / 2;
  const heads = type === 'MultiPoint' ? points : type === 'MultiLineString' ? ends.length : parts.length;
  const bytes = new Uint8Array(21 + 16 * points + 4 * ends.length + 9 * heads + 4 * parts.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const uint = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const head = (name: GeometryType) => {
    bytes[at++] = 1;
    uint(TYPES.indexOf(name));
  };
  const vertices = (start: number, end: number) => {
    for (let i = 2 * start; i < 2 * end; i++) {
      view.setFloat64(at, xy[i]!, true);
      at += 8;
    }
  };
  const line = (index: number) => {
    const start = index === 0 ? 0 : ends[index - 1]!;
    uint(ends[index]! - start);
    vertices(start, ends[index]!);
  };
  const polygon = (first: number, end: number) => {
    uint(end - first);
    for (let ring = first; ring < end; ring++) line(ring);
  };
  head(type);
  if (type === 'Point') {
    if (points > 0) vertices(0, 1);
    else {
      view.setFloat64(at, NaN, true);
      view.setFloat64(at + 8, NaN, true);
      at += 16;
    }
  } else if (type === 'LineString') {
    if (ends.length > 0) line(0);
    else uint(0);
  } else if (type === 'Polygon') polygon(0, ends.length);
  else if (type === 'MultiPoint') {
    uint(points);
    for (let i = 0; i < points; i++) {
      head('Point');
      vertices(i, i + 1);
    }
  } else if (type === 'MultiLineString') {
    uint(ends.length);
    for (let i = 0; i < ends.length; i++) {
      head('LineString');
      line(i);
    }
  } else {
    uint(parts.length);
    for (let i = 0; i < parts.length; i++) {
      head('Polygon');
      polygon(i === 0 ? 0 : parts[i - 1]!, parts[i]!);
    }
  }
  return bytes.slice(0, at);
}
