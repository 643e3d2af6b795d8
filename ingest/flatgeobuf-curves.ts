import { ByteBuffer } from 'flatbuffers';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import type { Geometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';

/** Parts of parts that are followed: a surface holds polygons, these rings, and these pieces. */
const DEEPEST = 6;

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function vertices(xy: Float64Array, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(4 + 16 * (end - start));
  bytes.writeUInt32LE(end - start);
  for (let i = 2 * start; i < 2 * end; i++) bytes.writeDoubleLE(xy[i]!, 4 + 8 * (i - 2 * start));
  return bytes;
}

/** @throws RangeError when parts are nested too deep. */
function wkbOf(geometry: Geometry, type: GeometryType, depth: number): Buffer {
  if (depth > DEEPEST) throw new RangeError('its curves are nested too deep');
  const xy = geometry.xyArray() ?? new Float64Array(0);
  const head = [Buffer.of(1), word(type)];
  if (type === GeometryType.LineString || type === GeometryType.CircularString)
    return Buffer.concat([...head, vertices(xy, 0, xy.length / 2)]);
  if (type === GeometryType.Polygon) {
    const ends = geometry.endsArray() ?? Uint32Array.of(xy.length / 2);
    const rings = Array.from(ends, (end, i) => vertices(xy, i === 0 ? 0 : ends[i - 1]!, end));
    return Buffer.concat([...head, word(rings.length), ...rings]);
  }
  const parts = Array.from({ length: geometry.partsLength() }, (_, i) => {
    const part = geometry.parts(i)!;
    return wkbOf(part, part.type(), depth + 1);
  });
  return Buffer.concat([...head, word(parts.length), ...parts]);
}

/**
 * The curved geometry of a FlatGeobuf feature as WKB, Z and M dropped; its codes of types are those of SQL/MM.
 * @param record the feature with its length before it. @param type of the geometry.
 */
export function curvesToWkb(record: Uint8Array, type: GeometryType): Uint8Array {
  const geometry = Feature.getSizePrefixedRootAsFeature(new ByteBuffer(record)).geometry();
  if (!geometry) throw new RangeError('it has no geometry');
  return wkbOf(geometry, type, 0);
}
