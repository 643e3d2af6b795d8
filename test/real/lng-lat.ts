import type { Geometry } from '../../datasets/geometry.ts';

/** Degrees by which published coordinates overshoot ±180 through rounding alone (0.1 mm). */
const ROUNDING = 1e-9;

/** Whether every vertex is a longitude and latitude, which projecting from a wrong CRS seldom gives. */
export const isLngLat = ({ xy }: Geometry): boolean =>
  xy.every((value, i) => Math.abs(value) <= (i % 2 === 0 ? 180 : 90) + ROUNDING);
