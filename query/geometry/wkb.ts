import type { Geometry, GeometryType } from '../../datasets/geometry.ts';

const TYPES: readonly (GeometryType | null)[] = [
  null,
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
];
const EMPTY = new Uint32Array(0);
/** Flag bits of PostGIS's EWKB. */
const EWKB_Z = 0x80000000;
const EWKB_M = 0x40000000;
const EWKB_SRID = 0x20000000;

/** Bytes that are not the WKB of a geometry that Plat stores. */
export class WkbError extends Error {
  override readonly name = 'WkbError';
  readonly kind: 'corrupt' | 'unsupported';
  constructor(kind: 'corrupt' | 'unsupported', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Growing flat arrays that the parts of a geometry are gathered into. */
class Decoder {
  readonly #view: DataView;
  #at = 0;
  #little = true;
  #stride = 16;
  #xy = new Float64Array(64);
  #length = 0;
  readonly #ends: number[] = [];
  readonly #parts: number[] = [];

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

  /** Byte order and type of the geometry that begins here. */
  #head(): GeometryType {
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
    const type = TYPES[code % 1000];
    if (type && iso <= 3) return type;
    if (iso <= 3 && code % 1000 >= 7 && code % 1000 <= 17)
      throw new WkbError(
        'unsupported',
        code % 1000 === 7
          ? 'GeometryCollections are not read; split them by type'
          : `WKB type ${code} (curve or surface) is not read; convert to lines or polygons`,
      );
    throw this.fail(`has type ${word}, which does not exist`);
  }

  #vertices(count: number): void {
    if (this.#at + count * this.#stride > this.#view.byteLength)
      throw this.fail(`announces ${count} vertices, more than its bytes hold`);
    const needed = this.#length + 2 * count;
    if (needed > this.#xy.length) {
      const grown = new Float64Array(Math.max(needed, 2 * this.#xy.length));
      grown.set(this.#xy.subarray(0, this.#length));
      this.#xy = grown;
    }
    for (let i = 0; i < count; i++) {
      this.#xy[this.#length++] = this.#view.getFloat64(this.#at, this.#little);
      this.#xy[this.#length++] = this.#view.getFloat64(this.#at + 8, this.#little);
      this.#at += this.#stride;
    }
  }

  #body(type: GeometryType): void {
    if (type === 'Point') {
      this.#vertices(1);
      // An empty point is written as not-a-number.
      if (Number.isNaN(this.#xy[this.#length - 2]!)) this.#length -= 2;
    } else if (type === 'LineString') {
      this.#vertices(this.#uint());
      this.#ends.push(this.#length / 2);
    } else if (type === 'Polygon') {
      const rings = this.#uint();
      for (let i = 0; i < rings; i++) {
        this.#vertices(this.#uint());
        this.#ends.push(this.#length / 2);
      }
      this.#parts.push(this.#ends.length);
    } else {
      const count = this.#uint();
      const member = type.slice('Multi'.length);
      for (let i = 0; i < count; i++) {
        const found = this.#head();
        if (found !== member) throw this.fail(`holds a ${found} inside a ${type}`);
        this.#body(found);
      }
    }
  }

  decode(): Geometry {
    const type = this.#head();
    this.#body(type);
    const xy = this.#xy.slice(0, this.#length);
    const ends = type === 'Point' || type === 'MultiPoint' ? [xy.length / 2] : this.#ends;
    return {
      type,
      xy,
      ends: Uint32Array.from(ends),
      parts: this.#parts.length ? Uint32Array.from(this.#parts) : EMPTY,
    };
  }
}

/**
 * Decodes a geometry from OGC/ISO WKB or PostGIS EWKB, either byte order; Z, M and SRID are dropped.
 * Coordinates stay in the order and CRS they are in. An empty geometry has no vertices.
 * @throws WkbError corrupt, or unsupported for collections, curves and surfaces.
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
