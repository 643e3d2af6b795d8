import { arcThrough } from '../../query/geometry/arc.ts';

/** x and y in the units of a layer. */
export type Position = readonly [number, number];

/**
 * A segment of Esri JSON that is no straight line, from the point before it (ArcGIS REST API, "Geometry objects", Curve
 * objects): `c` a circular arc as [end, point on it]; `a` an arc of an ellipse as [end, centre, 1 if the minor arc, 1 if
 * clockwise, rotation in radians, semi-major axis, ratio of the axes]; `b` a cubic Bézier curve as [end, control, control].
 */
export interface Curve {
  readonly c?: readonly [Position, Position];
  readonly a?: readonly [Position, Position, number, number, number?, number?, number?];
  readonly b?: readonly [Position, Position, Position];
}

/** Straight pieces of a Bézier curve. */
const PIECES = 64;
/** Most radians of an ellipse's parameter between two points. */
const STEP = Math.PI / 180;

function bezier(from: Position, [end, first, second]: NonNullable<Curve['b']>): number[] {
  const out: number[] = [];
  for (let i = 1; i < PIECES; i++) {
    const t = i / PIECES;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
    for (const axis of [0, 1] as const) out.push(a * from[axis] + b * first[axis] + c * second[axis] + d * end[axis]);
  }
  return [...out, ...end];
}

/** An arc of an ellipse. Without a ratio it is one of a circle. */
function ellipse(from: Position, arc: NonNullable<Curve['a']>): number[] {
  const [end, centre, , isClockwise, rotation = 0, , ratio = 1] = arc;
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  // On the circle that the ellipse is when its minor axis is stretched to the major one.
  const angle = ([x, y]: Position): { readonly at: number; readonly radius: number } => {
    const [dx, dy] = [x - centre[0], y - centre[1]];
    const [u, v] = [dx * cos + dy * sin, (dy * cos - dx * sin) / ratio];
    return { at: Math.atan2(v, u), radius: Math.hypot(u, v) };
  };
  const [start, stop] = [angle(from), angle(end)];
  const full = 2 * Math.PI;
  const isWhole = from[0] === end[0] && from[1] === end[1];
  const forward = isWhole ? full : (((stop.at - start.at) % full) + full) % full;
  const sweep = isClockwise ? (isWhole ? -full : forward - full) : forward;
  const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / STEP));
  const out: number[] = [];
  for (let i = 1; i < pieces; i++) {
    const t = start.at + (sweep * i) / pieces;
    // Both radii are equal but for rounding.
    const radius = start.radius + ((stop.radius - start.radius) * i) / pieces;
    const [u, v] = [radius * Math.cos(t), radius * ratio * Math.sin(t)];
    out.push(centre[0] + u * cos - v * sin, centre[1] + u * sin + v * cos);
  }
  return [...out, ...end];
}

/** The vertices of a curve as straight pieces. @returns x,y of all its points after the first, the end last; null for no curve. */
export function verticesOf(from: Position, { c, a, b }: Curve): number[] | null {
  if (c) return arcThrough(from, c[1], c[0]);
  if (a) return ellipse(from, a);
  return b ? bezier(from, b) : null;
}
