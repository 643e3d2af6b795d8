import { arrive, LEAST_RADIUS, radiiAt } from './geodesic.ts';

const DEGREE = Math.PI / 180;
/** Mean radius of WGS84 in metres (IUGG R1): used only to guess the next step, never for a result. */
const MEAN_RADIUS = 6371008.8;

/** A point, an edge and the place on it that was looked at last; one is used for all, because they are millions. */
class Foot {
  /** Parameter of the place, 0 to 1 from the first end, and its distance from the point. */
  t = 0;
  metres = 0;
  /** d(metres)/dt. */
  slope = 0;
  /** Metres the edge covers per unit of t here. */
  speed = 0;
  /** Estimate of d²(metres²/2)/dt². */
  bend = 0;
  #lng = 0;
  #lat = 0;
  #x1 = 0;
  #y1 = 0;
  #x2 = 0;
  #y2 = 0;

  of(lng: number, lat: number, x1: number, y1: number, x2: number, y2: number): this {
    this.#lng = lng;
    this.#lat = lat;
    this.#x1 = x1;
    this.#y1 = y1;
    this.#x2 = x2;
    this.#y2 = y2;
    return this;
  }

  at(t: number): this {
    const [x1, y1, x2, y2] = [this.#x1, this.#y1, this.#x2, this.#y2];
    const y = t === 1 ? y2 : y1 + t * (y2 - y1);
    const { metres, east, north } = arrive(this.#lng, this.#lat, t === 1 ? x2 : x1 + t * (x2 - x1), y);
    const { M, N } = radiiAt(y);
    const te = N * Math.cos(y * DEGREE) * ((x2 - x1) * DEGREE);
    const tn = M * ((y2 - y1) * DEGREE);
    const slope = te * east + tn * north;
    // On a sphere: the Hessian of d²/2 along the tangent, plus how the straight lng,lat line itself turns.
    const x = metres / MEAN_RADIUS;
    const speed2 = te * te + tn * tn;
    const across = speed2 - slope * slope;
    const turning = (Math.tan(y * DEGREE) / MEAN_RADIUS) * (te * te * north - 2 * te * tn * east);
    const bend = slope * slope + across * (x < 1e-6 ? 1 : x / Math.tan(x)) + metres * turning;
    this.t = t;
    this.metres = metres;
    this.slope = slope;
    this.speed = Math.sqrt(speed2);
    this.bend = Math.max(bend, 0.1 * speed2);
    return this;
  }
}

const foot = new Foot();

/**
 * Geodesic distance from a point to the nearest place of one edge that is straight in lng,lat, by Newton's method on
 * half the squared distance. Karney's inverse gives distance and direction at a trial foot, and the distance changes
 * along the edge by tangent · direction. Where the squared distance is not certain to be convex (thousands of
 * kilometres away, near a pole), the edge is halved until it is, or until its best place is known to 2 cm or 1e-7.
 * @param lng,lat the point; x1,y1,x2,y2 the edge; degrees.
 * @param start trial foot, 0 to 1 from the first end.
 * @param best metres already found elsewhere: an edge that cannot beat it is given up early.
 * @returns metres; some number not below `best` when the edge is not nearer than that.
 */
export function edgeDistance(
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
  // M is largest at the pole end, N·cos(lat) at the equator end: no part of the edge is longer than this.
  const length = Math.hypot(radiiAt(steepest).M * dy, radiiAt(flattest).N * Math.cos(flattest * DEGREE) * dx);
  const tan = Math.tan(steepest * DEGREE);

  const { metres } = foot.of(lng, lat, x1, y1, x2, y2).at(start);
  const reach = Math.max(start, 1 - start) * length;
  if (length === 0 || metres - reach >= best) return metres;
  if (convex(metres + reach, tan)) return descend(0, 1);
  return divided(Math.min(metres, foot.at(0).metres, foot.at(1).metres), best, length, tan);
}

/** The least of `least` and the distances of an edge of that length, which is halved until that is known. */
function divided(least: number, best: number, length: number, tan: number): number {
  let nearest = least;
  const divide = (lo: number, hi: number, depth: number): void => {
    const { t, metres, slope: change, speed } = foot.at((lo + hi) / 2);
    const half = (length * (hi - lo)) / 2;
    nearest = Math.min(nearest, metres);
    if (metres - half >= Math.min(nearest, best)) return;
    if (convex(metres + half, tan)) {
      nearest = Math.min(nearest, descend(lo, hi));
      return;
    }
    const curvature = greatestCurvature(metres, half, tan);
    const slope = change / speed;
    if (Math.abs(slope) > curvature * half) {
      nearest = Math.min(nearest, foot.at(slope > 0 ? lo : hi).metres);
      return;
    }
    // The slope is at most curvature · half all over, so no place is nearer than the middle by more than this.
    if (1.5 * curvature * half * half < 0.02 + 1e-7 * metres || depth === 0) return;
    const halves: [number, number][] = [
      [lo, t],
      [t, hi],
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

/**
 * The least distance between two parameters where it has one minimum: Newton's steps inside a shrinking bracket, from the
 * place looked at last.
 */
function descend(lo: number, hi: number): number {
  let below = lo;
  let above = hi;
  let least = foot.metres;
  for (let step = 0; step < 60; step++) {
    const { t: last, metres, slope } = foot;
    if (slope === 0 || metres === 0) break;
    if (slope > 0) {
      if (last === lo) break;
      above = last;
    } else {
      if (last === hi) break;
      below = last;
    }
    let t = last - (metres * slope) / foot.bend;
    if (t <= below) t = below === lo && slope > 0 ? lo : (below + last) / 2;
    if (t >= above) t = above === hi && slope < 0 ? hi : (above + last) / 2;
    // Moving by s metres at the foot changes the distance by about s²/2d: stop at 10 nm.
    const move = Math.abs(t - last) * foot.speed;
    if (move < 1e-7 || move * move < 2e-8 * metres) break;
    least = Math.min(least, foot.at(t).metres);
  }
  return least;
}
