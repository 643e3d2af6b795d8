import { arrive, LEAST_RADIUS, radiiAt } from './geodesic.ts';

const DEGREE = Math.PI / 180;
/** Mean radius of WGS84 in metres (IUGG R1): used only to guess the next step, never for a result. */
const MEAN_RADIUS = 6371008.8;

/** A place on the segment: its parameter, distance from the point, slope of the distance and its second derivative. */
interface Foot {
  readonly t: number;
  readonly metres: number;
  /** d(metres)/dt. */
  readonly slope: number;
  /** Metres the segment covers per unit of t here. */
  readonly speed: number;
  /** Estimate of d²(metres²/2)/dt². */
  readonly bend: number;
}

/**
 * Geodesic distance from a point to the nearest place of one segment that is straight in lng,lat, by Newton's method on
 * half the squared distance. Karney's inverse gives distance and direction at a trial foot, and the distance changes
 * along the segment by tangent · direction. Where the squared distance is not certain to be convex (thousands of
 * kilometres away, near a pole), the segment is halved until it is, or until its best place is known to 2 cm or 1e-7.
 * @param lng,lat the point; x1,y1,x2,y2 the segment; degrees.
 * @param start trial foot, 0 to 1 from the first end.
 * @param best metres already found elsewhere: a segment that cannot beat it is given up early.
 * @returns metres; some number not below `best` when the segment is not nearer than that.
 */
export function segmentDistance(
  lng: number,
  lat: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  start: number,
  best: number,
): number {
  const dx = (x2 - x1) * DEGREE;
  const dy = (y2 - y1) * DEGREE;
  const steepest = Math.max(Math.abs(y1), Math.abs(y2));
  const flattest = y1 > 0 === y2 > 0 ? Math.min(Math.abs(y1), Math.abs(y2)) : 0;
  // M is largest at the pole end, N·cos(lat) at the equator end: no part of the segment is longer than this.
  const length = Math.hypot(radiiAt(steepest).M * dy, radiiAt(flattest).N * Math.cos(flattest * DEGREE) * dx);
  const tan = Math.tan(steepest * DEGREE);

  const at = (t: number): Foot => {
    const y = t === 1 ? y2 : y1 + t * (y2 - y1);
    const { metres, east, north } = arrive(lng, lat, t === 1 ? x2 : x1 + t * (x2 - x1), y);
    const { M, N } = radiiAt(y);
    const te = N * Math.cos(y * DEGREE) * dx;
    const tn = M * dy;
    const slope = te * east + tn * north;
    // On a sphere: the Hessian of d²/2 along the tangent, plus how the straight lng,lat line itself turns.
    const x = metres / MEAN_RADIUS;
    const speed2 = te * te + tn * tn;
    const across = speed2 - slope * slope;
    const turning = (Math.tan(y * DEGREE) / MEAN_RADIUS) * (te * te * north - 2 * te * tn * east);
    const bend = slope * slope + across * (x < 1e-6 ? 1 : x / Math.tan(x)) + metres * turning;
    return { t, metres, slope, speed: Math.sqrt(speed2), bend: Math.max(bend, 0.1 * speed2) };
  };

  const first = at(start);
  const reach = Math.max(start, 1 - start) * length;
  if (length === 0 || first.metres - reach >= best) return first.metres;
  if (convex(first.metres + reach, tan)) return descend(at, 0, 1, first);
  let nearest = Math.min(first.metres, at(0).metres, at(1).metres);

  const divide = (lo: number, hi: number, depth: number): void => {
    const mid = at((lo + hi) / 2);
    const half = (length * (hi - lo)) / 2;
    nearest = Math.min(nearest, mid.metres);
    if (mid.metres - half >= Math.min(nearest, best)) return;
    if (convex(mid.metres + half, tan)) {
      nearest = Math.min(nearest, descend(at, lo, hi, mid));
      return;
    }
    const curvature = greatestCurvature(mid.metres, half, tan);
    const slope = mid.slope / mid.speed;
    if (Math.abs(slope) > curvature * half) {
      nearest = Math.min(nearest, at(slope > 0 ? lo : hi).metres);
      return;
    }
    // The slope is at most curvature · half all over, so no place is nearer than the middle by more than this.
    if (1.5 * curvature * half * half < 0.02 + 1e-7 * mid.metres || depth === 0) return;
    const halves: [number, number][] = [
      [lo, mid.t],
      [mid.t, hi],
    ];
    if (slope < 0) halves.reverse();
    for (const [from, to] of halves) divide(from, to, depth - 1);
  };
  divide(0, 1, 50);
  return nearest;
}

/**
 * Whether half the squared distance is convex along any straight lng,lat line no farther than `metres` and no nearer
 * the pole than `tan` says: on the unit sphere its second derivative is at least x·cot x - 1.155·x·tan(lat), where
 * 1.155 = 2/√3 bounds the turning of such a line over all directions. The margins cover the ellipsoid.
 */
function convex(metres: number, tan: number): boolean {
  const x = metres / LEAST_RADIUS;
  return x < 1.5 && x / Math.tan(x) > 1.2 * x * tan + 0.02;
}

/** Bound of the second derivative of the distance by arc length within `half` metres, from the same two terms. */
function greatestCurvature(metres: number, half: number, tan: number): number {
  const near = Math.max(metres - half, 1) / LEAST_RADIUS;
  const far = (metres + half) / LEAST_RADIUS;
  if (far >= Math.PI) return Infinity;
  return (1.05 * (Math.max(Math.abs(1 / Math.tan(near)), Math.abs(1 / Math.tan(far))) + 1.2 * tan)) / LEAST_RADIUS;
}

/** The least distance between two parameters where it has one minimum: Newton's steps inside a shrinking bracket. */
function descend(at: (t: number) => Foot, lo: number, hi: number, first: Foot): number {
  let below = lo;
  let above = hi;
  let foot = first;
  let least = first.metres;
  for (let step = 0; step < 60; step++) {
    if (foot.slope === 0 || foot.metres === 0) break;
    if (foot.slope > 0) {
      if (foot.t === lo) break;
      above = foot.t;
    } else {
      if (foot.t === hi) break;
      below = foot.t;
    }
    let t = foot.t - (foot.metres * foot.slope) / foot.bend;
    if (t <= below) t = below === lo && foot.slope > 0 ? lo : (below + foot.t) / 2;
    if (t >= above) t = above === hi && foot.slope < 0 ? hi : (above + foot.t) / 2;
    // Moving by s metres at the foot changes the distance by about s²/2d: stop at 10 nm.
    const move = Math.abs(t - foot.t) * foot.speed;
    if (move < 1e-7 || move * move < 2e-8 * foot.metres) break;
    foot = at(t);
    least = Math.min(least, foot.metres);
  }
  return least;
}
