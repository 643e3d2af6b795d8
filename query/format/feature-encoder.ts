import { Builder } from 'flatbuffers';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import { Geometry as GeometryTable } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { ScalarType, Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';

const TEXT = new TextEncoder();
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A column that rows may fill: its name, its type, and its number in the header. */
type FilledColumn = readonly [name: string, type: ScalarType, number: number];

/** Turns rows into size-prefixed FlatGeobuf features, as FeatureRecord reads them. One a file: it reuses its buffers. */
export class FeatureEncoder {
  readonly #columns: readonly FilledColumn[];
  readonly #builder = new Builder(4096);
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #fill = 0;

  constructor(columns: readonly FilledColumn[]) {
    this.#columns = columns;
  }

  /**
   * @param properties of the types that the columns have; null values are left out, which is how FlatGeobuf writes null.
   * @param geometry complete; its type is written with every feature, so that a layer may mix
   *   single and multi geometries.
   * @returns the feature with its size in front; valid until the next call.
   */
  encode(properties: Readonly<Record<string, Value>>, geometry: Geometry): Uint8Array {
    const builder = this.#builder;
    builder.clear();
    this.#putProperties(properties);
    const values = this.#fill ? builder.createByteVector(this.#bytes.subarray(0, this.#fill)) : 0;
    const shape = geometry.type === 'MultiPolygon' ? this.#multiPolygon(geometry) : this.#simple(geometry);
    Feature.startFeature(builder);
    Feature.addGeometry(builder, shape);
    if (values) Feature.addProperties(builder, values);
    Feature.finishSizePrefixedFeatureBuffer(builder, Feature.endFeature(builder));
    return builder.asUint8Array();
  }

  #simple(geometry: Geometry): number {
    const { type, xy, ends } = geometry;
    return this.#part(GeometryType[type], xy, type === 'Point' || type === 'MultiPoint' ? [] : ends);
  }

  #multiPolygon({ xy, ends, parts }: Geometry): number {
    const offsets: number[] = [];
    let ring = 0;
    let vertex = 0;
    for (const part of parts) {
      const start = vertex;
      vertex = ends[part - 1]!;
      const rings = ends.subarray(ring, part).map(end => end - start);
      offsets.push(this.#part(GeometryType.Polygon, xy.subarray(start * 2, vertex * 2), rings));
      ring = part;
    }
    const vector = GeometryTable.createPartsVector(this.#builder, offsets);
    GeometryTable.startGeometry(this.#builder);
    GeometryTable.addType(this.#builder, GeometryType.MultiPolygon);
    GeometryTable.addParts(this.#builder, vector);
    return GeometryTable.endGeometry(this.#builder);
  }

  #part(type: GeometryType, xy: Float64Array, ends: ArrayLike<number>): number {
    const builder = this.#builder;
    // A single ring or line needs no ends: the specification calls them optional then, and GDAL leaves them out too.
    let endsVector = 0;
    if (ends.length > 1) {
      GeometryTable.startEndsVector(builder, ends.length);
      for (let i = ends.length - 1; i >= 0; i--) builder.addInt32(ends[i]!);
      endsVector = builder.endVector();
    }
    const xyVector = this.#coordinates(xy);
    GeometryTable.startGeometry(builder);
    if (endsVector) GeometryTable.addEnds(builder, endsVector);
    GeometryTable.addXy(builder, xyVector);
    GeometryTable.addType(builder, type);
    return GeometryTable.endGeometry(builder);
  }

  /** The vector of coordinates, copied in one piece: the builder's own way takes several calls a number. */
  #coordinates(xy: Float64Array): number {
    const builder = this.#builder;
    if (!LITTLE_ENDIAN) return GeometryTable.createXyVector(builder, xy);
    builder.prep(8, xy.byteLength);
    const vector = builder.createByteVector(new Uint8Array(xy.buffer, xy.byteOffset, xy.byteLength));
    // It was counted in bytes.
    const buffer = builder.dataBuffer();
    buffer.writeInt32(buffer.capacity() - vector, xy.length);
    return vector;
  }

  #putProperties(properties: Readonly<Record<string, Value>>): void {
    this.#fill = 0;
    for (const [name, type, number] of this.#columns) {
      const value = Object.hasOwn(properties, name) ? properties[name] : null;
      if (value === null || value === undefined) continue;
      this.#reserve(10);
      this.#view.setUint16(this.#fill, number, true);
      this.#fill += 2;
      if (type === 'boolean') this.#view.setUint8(this.#fill++, value ? 1 : 0);
      else if (type === 'integer' || type === 'number') {
        if (type === 'number') this.#view.setFloat64(this.#fill, value as number, true);
        else this.#view.setBigInt64(this.#fill, BigInt(value as number), true);
        this.#fill += 8;
      } else this.#putText(value as string);
    }
  }

  #putText(text: string): void {
    // UTF-8 takes at most three bytes a UTF-16 unit.
    this.#reserve(4 + text.length * 3);
    const { written } = TEXT.encodeInto(text, this.#bytes.subarray(this.#fill + 4));
    this.#view.setUint32(this.#fill, written, true);
    this.#fill += 4 + written;
  }

  #reserve(size: number): void {
    if (this.#fill + size <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#fill + size));
    grown.set(this.#bytes.subarray(0, this.#fill));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
