import type { Geometry } from '../../datasets/geometry.ts';
import { polygonsToGeometry, ringsOf } from '../geometry/geos.ts';

/** Twice the area of a ring by its vertices, above 0 where it turns to the left (the shoelace formula). */
function doubled(ring: Float64Array): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) sum += ring[i]! * ring[i + 3]! - ring[i + 2]! * ring[i + 1]!;
  return sum;
}

const areaOfRings = ([shell, ...holes]: readonly Float64Array[]): number =>
  holes.reduce((left, hole) => left - Math.abs(doubled(hole)), Math.abs(doubled(shell!))) / 2;

/** The area of polygons in a plane, in its units; 0 of nothing. */
export const planeArea = (geometry: Geometry | null): number =>
  geometry === null ? 0 : ringsOf(geometry).reduce((sum, rings) => sum + areaOfRings(rings), 0);

/** The pieces of polygons that have at least so much area; null where none has. */
export function piecesAbove(geometry: Geometry | null, least: number): Geometry | null {
  if (geometry === null) return null;
  const pieces = ringsOf(geometry).filter(rings => areaOfRings(rings) >= least);
  return pieces.length === 0 ? null : polygonsToGeometry(pieces);
}

/** The area of the largest piece; 0 of nothing. */
export const largestPiece = (geometry: Geometry | null): number =>
  geometry === null ? 0 : Math.max(...ringsOf(geometry).map(areaOfRings));
