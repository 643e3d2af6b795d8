import { createHash } from 'node:crypto';
import type { Geometry } from '../../../datasets/geometry.ts';
import { polygonsToGeometry, ringsOf } from '../geos.ts';
import { turningOf } from '../ring-turning.ts';

/** Decimals that coordinates are rounded to: 11 mm on the ground. */
const DECIMALS = 1e7;

/** A closed ring without repeated points, rounded; without its last point. */
function distinct(ring: Float64Array): number[] {
  const out: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    // Adding 0 makes -0 of what lies just west or south of 0 the same as 0.
    const x = Math.round(ring[i]! * DECIMALS) / DECIMALS + 0;
    const y = Math.round(ring[i + 1]! * DECIMALS) / DECIMALS + 0;
    if (out.length && out.at(-2) === x && out.at(-1) === y) continue;
    out.push(x, y);
  }
  while (out.length > 2 && out[0] === out.at(-2) && out[1] === out.at(-1)) out.length -= 2;
  return out;
}

/** @param sign 1 for counter-clockwise. @returns null where fewer than three points are left. */
function canonicalRing(ring: Float64Array, sign: 1 | -1): Float64Array | null {
  const open = distinct(ring);
  const count = open.length / 2;
  if (count < 3) return null;
  let least = 0;
  for (let v = 1; v < count; v++) {
    const [dx, dy] = [open[2 * v]! - open[2 * least]!, open[2 * v + 1]! - open[2 * least + 1]!];
    if (dx < 0 || (dx === 0 && dy < 0)) least = v;
  }
  const closed = Float64Array.from([...open, open[0]!, open[1]!]);
  const step = turningOf(closed, 0, count + 1) * sign >= 0 ? 1 : -1;
  const out = new Float64Array(closed.length);
  for (let v = 0; v <= count; v++) {
    const from = (((least + step * v) % count) + count) % count;
    out[2 * v] = open[2 * from]!;
    out[2 * v + 1] = open[2 * from + 1]!;
  }
  return out;
}

function byCoordinates(a: Float64Array, b: Float64Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

function byRings(a: readonly Float64Array[], b: readonly Float64Array[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = byCoordinates(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * The one form of all polygons that differ only in how they are written, so that one site has one id however it is drawn: coordinates
 * rounded to 7 decimals, repeated points dropped, outer rings counter-clockwise, holes clockwise, each ring begun at its
 * lexicographically least point, holes and parts sorted. One part makes a Polygon.
 * @param geometry polygons, lng,lat degrees.
 * @returns null where a ring has fewer than three different points after rounding. Whether the result is valid is
 * another's to say: rounding may make an area invalid that was valid.
 */
export function canonicalPolygon(geometry: Geometry): Geometry | null {
  const polygons: Float64Array[][] = [];
  for (const [shell, ...holes] of ringsOf(geometry)) {
    const outer = canonicalRing(shell!, 1);
    const inner = holes.map(hole => canonicalRing(hole, -1));
    if (!outer || inner.includes(null)) return null;
    polygons.push([outer, ...(inner as Float64Array[]).sort(byCoordinates)]);
  }
  return polygonsToGeometry(polygons.sort(byRings));
}

/** SHA-256 of a geometry's type, coordinates and rings, hexadecimal; the same on every machine. */
export function digestOf({ xy, ends, parts }: Geometry): string {
  const text = JSON.stringify([[...xy], [...ends], [...parts]]);
  return createHash('sha256').update(text).digest('hex');
}
