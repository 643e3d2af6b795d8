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
