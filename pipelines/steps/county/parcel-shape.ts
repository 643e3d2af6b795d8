import { hash } from 'node:crypto';
import type { Geometry } from '../../../datasets/geometry.ts';

const rounded = (degrees: number) => Math.round(degrees * 1e7);

/** Rounds a ring, begins it at its smallest vertex, and makes it counter-clockwise (shell) or clockwise (hole). */
function normaliseRing(xy: Float64Array, start: number, end: number, shell: boolean): Float64Array {
  const n = end - start - 1;
  const ring = new Float64Array(2 * n);
  for (let i = 0; i < 2 * n; i++) ring[i] = rounded(xy[2 * start + i]!);
  const closing = [rounded(xy[2 * end - 2]!), rounded(xy[2 * end - 1]!)] as const;
  let first = 0;
  let area = 0;
  for (let i = 0; i < n; i++) {
    const x = ring[2 * i]!;
    const y = ring[2 * i + 1]!;
    const nextX = i + 1 < n ? ring[2 * i + 2]! : closing[0];
    const nextY = i + 1 < n ? ring[2 * i + 3]! : closing[1];
    area += (x - ring[0]!) * (nextY - ring[1]!) - (nextX - ring[0]!) * (y - ring[1]!);
    if (x < ring[2 * first]! || (x === ring[2 * first]! && y < ring[2 * first + 1]!)) first = i;
  }
  const forward = area > 0 === shell;
  const out = new Float64Array(2 * n + 2);
  for (let k = 0, i = first; k <= n; k++) {
    out[2 * k] = ring[2 * i]!;
    out[2 * k + 1] = ring[2 * i + 1]!;
    if (forward) i = i + 1 === n ? 0 : i + 1;
    else i = i === 0 ? n - 1 : i - 1;
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
export function geometryHash({ xy, ends, parts }: Geometry): string {
  const polygons: Float64Array[][] = [];
  let ring = 0;
  for (const lastRing of parts) {
    const rings: Float64Array[] = [];
    for (; ring < lastRing; ring++)
      rings.push(normaliseRing(xy, ring === 0 ? 0 : ends[ring - 1]!, ends[ring]!, rings.length === 0));
    const [shell, ...holes] = rings;
    polygons.push([shell!, ...holes.sort(compareRings)]);
  }
  polygons.sort((a, b) => compareRings(a[0]!, b[0]!));
  // The arrays of the geometry, one after the other: coordinates, ends of rings, ends of parts.
  const bytes = new ArrayBuffer(8 * xy.length + 4 * (ends.length + parts.length));
  const coordinates = new Float64Array(bytes, 0, xy.length);
  const lists = new Uint32Array(bytes, 8 * xy.length);
  let at = 0;
  let count = 0;
  for (const [part, rings] of polygons.entries()) {
    for (const one of rings) {
      coordinates.set(one, at);
      at += one.length;
      lists[count++] = at / 2;
    }
    lists[ends.length + part] = count;
  }
  return hash('sha256', new Uint8Array(bytes), 'hex');
}
