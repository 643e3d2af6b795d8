import { orient2d } from 'robust-predicates';
import type { Geometry } from '../../datasets/geometry.ts';
import { type Chains, chainsOf } from './edge-chains.ts';

const OUTSIDE = 0;
export const BOUNDARY = 1;
export const INSIDE = 2;

/**
 * Whether a polygon or multipolygon contains a point; its boundary belongs to it, the boundary of a hole too, and what
 * lies in a hole does not. Edges are straight in lng,lat. Exact for any
 * coordinates (Shewchuk's adaptive orientation). The meridians 180 and -180 are one: a point there is in a polygon that
 * touches either. Lines and points contain nothing.
 * @param geometry polygons in lng,lat degrees, cut at ±180 where they cross it.
 */
export function contains(geometry: Geometry, lng: number, lat: number): boolean {
  if (geometry.parts.length === 0) return false;
  const chains = chainsOf(geometry);
  if (holds(geometry, chains, lng, lat)) return true;
  return (lng === 180 || lng === -180) && holds(geometry, chains, -lng, lat);
}

function holds(geometry: Geometry, chains: Chains, x: number, y: number): boolean {
  let ring = 0;
  for (const lastRing of geometry.parts) {
    let place = placeInRing(geometry.xy, chains, ring, x, y);
    if (place === BOUNDARY) return true;
    for (let hole = ring + 1; place === INSIDE && hole < lastRing; hole++) {
      const inHole = placeInRing(geometry.xy, chains, hole, x, y);
      if (inHole === BOUNDARY) return true;
      if (inHole === INSIDE) place = OUTSIDE;
    }
    if (place === INSIDE) return true;
    ring = lastRing;
  }
  return false;
}

/** Where a point lies of one ring, exactly: INSIDE, on its BOUNDARY, or neither. Casts a ray east and counts crossings; an edge owns its lower end, so that a vertex on the ray counts once. */
export function placeInRing(xy: Float64Array, chains: Chains, ring: number, x: number, y: number): number {
  const { first, last, groups, groupBoxes, groupEnds } = chains;
  let inside = false;
  for (let group = ring === 0 ? 0 : groupEnds[ring - 1]!; group < groupEnds[ring]!; group++) {
    const box = group * 4;
    if (y < groupBoxes[box + 1]! || y > groupBoxes[box + 3]! || x > groupBoxes[box + 2]!) continue;
    const start = group === 0 ? 0 : groups[group - 1]!;
    const end = groups[group]!;
    if (x < groupBoxes[box]!) {
      // All of it is east: how often it crosses does not matter, only whether it changes sides.
      if (xy[2 * first[start]! + 1]! > y !== xy[2 * last[end - 1]! + 1]! > y) inside = !inside;
      continue;
    }
    const crossings = cross(xy, chains, start, end, x, y);
    if (crossings < 0) return BOUNDARY;
    if (crossings % 2 === 1) inside = !inside;
  }
  return inside ? INSIDE : OUTSIDE;
}

/** Crossings of a ray east with some chains, right in being odd or even; -1 when the point lies on one of them. */
function cross(xy: Float64Array, chains: Chains, from: number, to: number, x: number, y: number): number {
  const { first, last, boxes } = chains;
  let crossings = 0;
  for (let chain = from; chain < to; chain++) {
    const box = chain * 4;
    if (y < boxes[box + 1]! || y > boxes[box + 3]! || x > boxes[box + 2]!) continue;
    const start = first[chain]!;
    const end = last[chain]!;
    if (x < boxes[box]!) {
      if (xy[2 * start + 1]! > y !== xy[2 * end + 1]! > y) crossings++;
      continue;
    }
    for (let v = start; v < end; v++) {
      const x1 = xy[2 * v]!;
      const y1 = xy[2 * v + 1]!;
      const x2 = xy[2 * v + 2]!;
      const y2 = xy[2 * v + 3]!;
      if (y1 > y === y2 > y) {
        // Not crossed; but a level edge at y, or an upper end at y, may hold the point.
        if (y1 === y && y2 === y ? (x1 <= x && x <= x2) || (x2 <= x && x <= x1) : x1 === x && y1 === y) return -1;
        if (x2 === x && y2 === y) return -1;
      } else if (x < x1 && x < x2) crossings++;
      else if (x <= x1 || x <= x2) {
        // robust-predicates gives a negative number where the three points turn left.
        const turn = orient2d(x1, y1, x2, y2, x, y);
        if (turn === 0) return -1;
        if (turn < 0 === y2 > y1) crossings++;
      }
    }
  }
  return crossings;
}
