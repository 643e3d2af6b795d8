import { GEOMETRY_TYPES, type Geometry } from '../../../datasets/geometry.ts';
import { putAsGeoJson } from '../../search/page/geojson.ts';

/** Geometries one behind another in five pieces of memory, however many they are: they cross threads and are stored at once. */
export interface GeometryPack {
  /** By geometry: the place of its type among all types. */
  readonly types: Uint8Array;
  /** By geometry: how many vertices, ends and parts it has. */
  readonly sizes: Uint32Array;
  readonly xy: Float64Array;
  readonly ends: Uint32Array;
  readonly parts: Uint32Array;
}

/** Numbers that there is room for at first: some hundred parcels. */
const LEAST = 1 << 12;

/** A list with room for so many numbers. */
function roomy<T extends Float64Array | Uint32Array>(list: T, length: number): T {
  if (length <= list.length) return list;
  const larger = new (list.constructor as new (length: number) => T)(Math.max(length, 2 * list.length));
  larger.set(list);
  return larger;
}

/** Packs areas as their GeoJSON would be read again: one polygon is a Polygon, and rings run as RFC 7946 has them. */
export class GeometryPacker {
  readonly #types: number[] = [];
  readonly #sizes: number[] = [];
  #xy = new Float64Array(LEAST);
  #ends = new Uint32Array(LEAST);
  #parts = new Uint32Array(LEAST);
  #filled = { xy: 0, ends: 0, parts: 0 };

  add(geometry: Geometry): void {
    const { type, xy, ends, parts } = geometry;
    const filled = this.#filled;
    this.#xy = roomy(this.#xy, filled.xy + xy.length);
    this.#ends = roomy(this.#ends, filled.ends + ends.length);
    this.#parts = roomy(this.#parts, filled.parts + parts.length);
    putAsGeoJson(geometry, this.#xy, filled.xy);
    this.#ends.set(ends, filled.ends);
    this.#parts.set(parts, filled.parts);
    filled.xy += xy.length;
    filled.ends += ends.length;
    filled.parts += parts.length;
    this.#types.push(GEOMETRY_TYPES.indexOf(parts.length === 1 ? 'Polygon' : type));
    this.#sizes.push(xy.length / 2, ends.length, parts.length);
  }

  /** What was packed so far. */
  pack(): GeometryPack {
    const { xy, ends, parts } = this.#filled;
    return {
      types: Uint8Array.from(this.#types),
      sizes: Uint32Array.from(this.#sizes),
      xy: this.#xy.slice(0, xy),
      ends: this.#ends.slice(0, ends),
      parts: this.#parts.slice(0, parts),
    };
  }
}

/** The geometries of a pack, whose memory they share. */
export function unpackGeometries({ types, sizes, xy, ends, parts }: GeometryPack): Geometry[] {
  const geometries: Geometry[] = [];
  let [vertex, end, part] = [0, 0, 0];
  for (let i = 0; i < types.length; i++) {
    const [nextVertex, nextEnd, nextPart] = [vertex + sizes[3 * i]!, end + sizes[3 * i + 1]!, part + sizes[3 * i + 2]!];
    geometries.push({
      type: GEOMETRY_TYPES[types[i]!]!,
      xy: xy.subarray(2 * vertex, 2 * nextVertex),
      ends: ends.subarray(end, nextEnd),
      parts: parts.subarray(part, nextPart),
    });
    [vertex, end, part] = [nextVertex, nextEnd, nextPart];
  }
  return geometries;
}
