import geographiclib from 'geographiclib-geodesic';
import type { Geometry } from '../../../datasets/geometry.ts';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from '../geodesic.ts';
import { elementAt } from './area-element.ts';

const WGS84 = geographiclib.Geodesic.WGS84;
const DEGREE = Math.PI / 180;
const CUBIC_DEGREE = DEGREE ** 3;
/** Degrees up to which an edge is short, and the latitude up to which this holds. */
const [REACH, STEEPEST] = [0.01, 80];

/**
 * Area of a polygon or multipolygon on WGS84 with geodesic edges, holes subtracted, parts added; the direction of rings does not
 * matter. Lines and points have none. Rings of short edges are integrated along their edges, others are measured by Karney's polygon
 * area (C. F. F. Karney, "Algorithms for geodesics", 2013). Both agree within 2e-4 m², which is the rounding of the latter.
 * @param geometry lng,lat in degrees.
 * @returns square metres.
 */
export function geodesicArea(geometry: Geometry): number {
  const { xy, ends, parts } = geometry;
  let total = 0;
  let ring = 0;
  for (const lastRing of parts) {
    for (let first = true; ring < lastRing; ring++, first = false) {
      const start = ring === 0 ? 0 : ends[ring - 1]!;
      const area = shortEdgedArea(xy, start, ends[ring]!) ?? ringArea(xy, start, ends[ring]!);
      total += first ? area : -area;
    }
  }
  return total;
}

function ringArea(xy: Float64Array, start: number, end: number): number {
  const polygon = WGS84.Polygon(false);
  // The closing vertex repeats the first one and Compute() closes the ring itself.
  for (let i = start; i < end - 1; i++) polygon.AddPoint(xy[2 * i + 1]!, xy[2 * i]!);
  return Math.abs(polygon.Compute(false, true).area ?? 0);
}

/**
 * Area of a closed ring of short edges: what lies within edges that are straight in lng,lat, as straightArea measures it, less
 * the ground between each such edge and its geodesic. That is κ·s³/12 for an edge of length s and curvature κ, by the equation
 * of geodesics in the middle of the edge; what is left out is a share of (s/R)² of it.
 * @returns square metres; null when an edge is not short.
 */
function shortEdgedArea(xy: Float64Array, start: number, end: number): number | null {
  const origin = xy[2 * start]!;
  let x1 = 0;
  let y1 = xy[2 * start + 1]!;
  let element1 = elementAt(y1);
  let area = 0;
  for (let i = 2 * start + 2; i < 2 * end; i += 2) {
    const x2 = xy[i]! - origin;
    const y2 = xy[i + 1]!;
    const dx = x2 - x1;
    const dy = y2 - y1;
    // Written so that NaN is no short edge.
    if (!(dx <= REACH && dx >= -REACH && dy <= REACH && dy >= -REACH && y2 <= STEEPEST && y2 >= -STEEPEST)) return null;
    const halfway = (y1 + y2) / 2;
    const element2 = elementAt(y2);
    area += (dy / 6) * (element1 * x1 + 2 * elementAt(halfway) * (x1 + x2) + element2 * x2);
    const sin = Math.sin(halfway * DEGREE);
    const cos = Math.cos(halfway * DEGREE);
    const w = 1 - ECCENTRICITY_SQUARED * sin * sin;
    // Radii of curvature: M of the meridian, r of the parallel. dr/dlat is -M·sin, dM/dlat is 3·e²·sin·cos·M / w.
    const r = (EQUATORIAL_RADIUS * cos) / Math.sqrt(w);
    const M = (EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED)) / (w * Math.sqrt(w));
    const upward = sin * M * (2 * M + (3 * ECCENTRICITY_SQUARED * cos * r) / w);
    area -= (CUBIC_DEGREE * dx * (upward * dy * dy + sin * r * r * dx * dx)) / 12;
    x1 = x2;
    y1 = y2;
    element1 = element2;
  }
  return Math.abs(area);
}
