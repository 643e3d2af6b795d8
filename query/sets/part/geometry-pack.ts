import { GEOMETRY_TYPES, type Geometry } from '../../../datasets/geometry.ts';

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

/** Packs geometries. */
export function packGeometries(geometries: readonly Geometry[]): GeometryPack {
  const sum = (size: (geometry: Geometry) => number) => geometries.reduce((all, one) => all + size(one), 0);
  const pack = {
    types: new Uint8Array(geometries.length),
    sizes: new Uint32Array(3 * geometries.length),
    xy: new Float64Array(sum(({ xy }) => xy.length)),
    ends: new Uint32Array(sum(({ ends }) => ends.length)),
    parts: new Uint32Array(sum(({ parts }) => parts.length)),
  };
  let [vertex, end, part] = [0, 0, 0];
  for (const [i, { type, xy, ends, parts }] of geometries.entries()) {
    pack.types[i] = GEOMETRY_TYPES.indexOf(type);
    pack.sizes.set([xy.length / 2, ends.length, parts.length], 3 * i);
    pack.xy.set(xy, 2 * vertex);
    pack.ends.set(ends, end);
    pack.parts.set(parts, part);
    vertex += xy.length / 2;
    end += ends.length;
    part += parts.length;
  }
  return pack;
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
