import { createHash } from 'node:crypto';
import type { Geometry } from '../../../datasets/geometry.ts';
import { polygonsToGeometry, ringsOf } from '../../../query/geometry/geos.ts';

/** Rotates a ring so that its smallest vertex comes first, and makes it counter-clockwise (shell) or clockwise (hole). */
function normaliseRing(ring: Float64Array, shell: boolean): Float64Array {
  const n = ring.length / 2 - 1;
  let first = 0;
  let area = 0;
  for (let i = 0; i < n; i++) {
    const [x, y] = [ring[2 * i]!, ring[2 * i + 1]!];
    area += (x - ring[0]!) * (ring[2 * i + 3]! - ring[1]!) - (ring[2 * i + 2]! - ring[0]!) * (y - ring[1]!);
    if (x < ring[2 * first]! || (x === ring[2 * first]! && y < ring[2 * first + 1]!)) first = i;
  }
  const step = area > 0 === shell ? 1 : -1;
  const out = new Float64Array(ring.length);
  for (let k = 0; k <= n; k++) {
    const i = (((first + step * k) % n) + n) % n;
    out[2 * k] = ring[2 * i]!;
    out[2 * k + 1] = ring[2 * i + 1]!;
  }
  return out;
}

const compareRings = (a: Float64Array, b: Float64Array) => {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
};

/**
 * Returns the SHA-256 of a polygon (lng,lat degrees) in normal form: rings begin at their smallest vertex and have a fixed
 * direction, holes and parts are sorted, coordinates are rounded to 1e-7 degrees (about a centimetre). It is equal for geometries
 * that differ only in how they are written.
 */
export function geometryHash(geometry: Geometry): string {
  const rounded = { ...geometry, xy: geometry.xy.map(v => Math.round(v * 1e7)) };
  const polygons = ringsOf(rounded).map(rings => {
    const [shell, ...holes] = rings.map((ring, i) => normaliseRing(ring, i === 0));
    return [shell!, ...holes.sort(compareRings)];
  });
  polygons.sort((a, b) => compareRings(a[0]!, b[0]!));
  const { xy, ends, parts } = polygonsToGeometry(polygons);
  const hash = createHash('sha256');
  for (const array of [xy, ends, parts]) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex');
}
