import type { Box } from '../../datasets/geometry.ts';
import { LEAST_RADIUS } from './geodesic.ts';

const DEGREE = Math.PI / 180;

/** lng,lat boxes that hold all within some metres of a place: two where it is near ±180. */
export function boxesAbout(lng: number, lat: number, metres: number): readonly [Box, ...Box[]] {
  const dy = metres / LEAST_RADIUS / DEGREE + 1e-9;
  const cos = Math.cos(Math.min(90, Math.abs(lat) + dy) * DEGREE);
  const dx = cos > 1e-6 ? Math.min(180, dy / cos) : 180;
  const box: Box = [lng - dx, lat - dy, lng + dx, lat + dy];
  if (box[0] < -180) return [box, [box[0] + 360, box[1], 180, box[3]]];
  if (box[2] > 180) return [box, [-180, box[1], box[2] - 360, box[3]]];
  return [box];
}

/**
 * A lng,lat box that holds all within some metres of another one. Where it would reach beyond ±180 it holds every longitude.
 * @returns degrees, rounded outward to a ten-thousandth.
 */
export function boxAround([west, south, east, north]: Box, metres: number): Box {
  const dy = metres / LEAST_RADIUS / DEGREE;
  const cos = Math.cos(Math.min(90, Math.max(Math.abs(south), Math.abs(north)) + dy) * DEGREE);
  const dx = cos > 1e-6 ? dy / cos : 360;
  const [low, high] = [Math.max(-90, outward(south - dy, Math.floor)), Math.min(90, outward(north + dy, Math.ceil))];
  if (west - dx < -180 || east + dx > 180) return [-180, low, 180, high];
  return [outward(west - dx, Math.floor), low, outward(east + dx, Math.ceil), high];
}

const outward = (degrees: number, round: (n: number) => number) => round(degrees * 1e4) / 1e4;

/**
 * A lower bound of the geodesic distance from a place in a box to its sides, by the reasoning of `boxLowerBound`. A side at a pole is
 * none, nor are those of a box of every longitude.
 * @returns metres; 0 outside the box.
 */
export function boxDepth([west, south, east, north]: Box, lng: number, lat: number): number {
  if (lng < west || lng > east || lat < south || lat > north) return 0;
  const arcs = [south > -90 ? lat - south : 180, north < 90 ? north - lat : 180].map(degrees => degrees * DEGREE);
  if (west > -180 || east < 180)
    // Beyond a quarter of the globe the nearest of a meridian is a pole.
    for (const apart of [lng - west, east - lng])
      if (apart < 90) arcs.push(Math.asin(Math.cos(lat * DEGREE) * Math.sin(apart * DEGREE)));
      else arcs.push((90 - Math.abs(lat)) * DEGREE);
  return Math.max(0, Math.min(...arcs) * LEAST_RADIUS);
}
