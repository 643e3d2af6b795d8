type Point = readonly [x: number, y: number];

/** A height about the middle of the rings that passes through no vertex: halfway between the two next to the middle. */
function scanHeight(rings: readonly (readonly Point[])[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const ring of rings)
    for (const [, y] of ring) {
      if (y < low) low = y;
      if (y > high) high = y;
    }
  const centre = (low + high) / 2;
  for (const ring of rings)
    for (const [, y] of ring)
      if (y <= centre) low = Math.max(low, y);
      else high = Math.min(high, y);
  return (low + high) / 2;
}

/** Square of the distance from a point to an edge. */
function squareTo(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2;
}

/**
 * A point inside a polygon that costs no more than looking at each edge twice: the middle of its longest piece on a horizontal
 * line, as PointOnSurface of GEOS and JTS has it (InteriorPointArea), without bringing the polygon into GEOS.
 * @param rings of a valid polygon, each with its first vertex at the end too.
 * @returns the point and its distance from the outline; null when the polygon has no height.
 */
export function surfacePoint(
  rings: readonly (readonly Point[])[],
): { readonly x: number; readonly y: number; readonly distance: number } | null {
  const y = scanHeight(rings);
  const crossings: number[] = [];
  for (const ring of rings)
    for (let i = 1; i < ring.length; i++) {
      const [ax, ay] = ring[i - 1]!;
      const [bx, by] = ring[i]!;
      if (ay > y !== by > y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
  const sorted = Float64Array.from(crossings).sort();
  let [x, longest] = [Number.NaN, 0];
  for (let i = 1; i < sorted.length; i += 2) {
    const length = sorted[i]! - sorted[i - 1]!;
    if (length > longest) [x, longest] = [(sorted[i - 1]! + sorted[i]!) / 2, length];
  }
  if (!(longest > 0)) return null;
  let square = Infinity;
  for (const ring of rings)
    for (let i = 1; i < ring.length; i++) square = Math.min(square, squareTo(x, y, ring[i - 1]!, ring[i]!));
  return { x, y, distance: Math.sqrt(square) };
}
