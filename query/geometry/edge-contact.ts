import { orient2d } from 'robust-predicates';

/** How two closed edges meet. */
export type Contact = typeof APART | typeof TOUCHING | typeof CROSSING;
export const APART = 0;
/** Any contact but a crossing. */
export const TOUCHING = 1;
/** Each runs properly through the other's inside. */
export const CROSSING = 2;

/** How two closed edges meet, exact for any coordinates (Shewchuk's adaptive orientation). */
export function meeting(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): Contact {
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return APART;
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return APART;
  return c !== 0 && d !== 0 && a !== 0 && b !== 0 ? CROSSING : TOUCHING;
}
