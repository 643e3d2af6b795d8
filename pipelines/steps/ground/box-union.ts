import type { Box } from '../../../datasets/geometry.ts';

/** Returns the box around two boxes; null is the empty box. */
export const union = (a: Box | null, b: Box | null): Box | null =>
  a && b ? [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])] : (a ?? b);
