/**
 * Twice the planar area of a closed ring; positive where it runs counter-clockwise.
 * @param xy lng,lat of vertices.
 * @param from first vertex of the ring.
 * @param to vertex behind its last.
 */
export function turningOf(xy: Float64Array, from: number, to: number): number {
  let sum = 0;
  // Relative to the first vertex: far from the origin the digits of a small ring would be lost.
  const [x0, y0] = [xy[2 * from]!, xy[2 * from + 1]!];
  for (let i = 2 * from + 2; i < 2 * to; i += 2)
    sum += (xy[i - 2]! - x0) * (xy[i + 1]! - y0) - (xy[i]! - x0) * (xy[i - 1]! - y0);
  return sum;
}
