import FlatQueue from 'flatqueue';
import type { Geometry } from '../../datasets/geometry.ts';
import { type Chains, chainsOf } from './edge-chains.ts';
import { edgeDistance } from './edge-distance.ts';
import { arrive, boxLowerBound, distance, LEAST_RADIUS, radiiAt } from './geodesic.ts';
import { contains } from './point-in-polygon.ts';

const DEGREE = Math.PI / 180;
/** Beyond this no plane is laid through the point, so that distances stay within one part in a million: metres. */
const LOCAL = 50_000;
/** Added to limits so that rounding never drops what lies exactly at one: metres. */
const SLACK = 1e-6;
const TURNS = [0, 360, -360];

/**
 * Geodesic metres from a point to the nearest place of a geometry: 0 in or on a polygon. Edges are straight in lng,lat
 * and may be met across ±180. Within 0.1 m or one part in a million of the true minimum; near 10 nm within 50 km.
 * @param geometry lng,lat degrees, cut at ±180 where it crosses it.
 * @param limit metres; what is farther need not be measured.
 * @param near all chains that may hold the nearest place, where that is known.
 * @returns metres, or Infinity when the geometry is farther than `limit` or has no vertex.
 */
export function distanceTo(
  geometry: Geometry,
  lng: number,
  lat: number,
  limit: number = Infinity,
  near: NearChains | null = null,
): number {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return pointDistance(geometry.xy, lng, lat, limit);
  if (contains(geometry, lng, lat)) return 0;
  return lineDistance(geometry, near ?? chainsOf(geometry), lng, lat, limit, false);
}

/** Some of a geometry's chains. */
export type NearChains = Pick<Chains, 'first' | 'last' | 'boxes'>;

/**
 * Those chains of a geometry that have a place within a distance of a point, and perhaps some that have none.
 * @param from the chains to choose from; null for all.
 * @returns `from` itself where nearly all of them may.
 */
export function nearChains(
  geometry: Geometry,
  from: NearChains | null,
  lng: number,
  lat: number,
  metres: number,
): NearChains {
  const all = from ?? chainsOf(geometry);
  const kept: number[] = [];
  for (let chain = 0; chain < all.first.length; chain++)
    if (boxLowerBound(lng, lat, all.boxes, chain * 4) <= metres) kept.push(chain);
  if (kept.length * 4 > all.first.length * 3) return all;
  const boxes = new Float64Array(kept.length * 4);
  kept.forEach((chain, i) => {
    boxes.set(all.boxes.subarray(chain * 4, chain * 4 + 4), i * 4);
  });
  return {
    first: Uint32Array.from(kept, chain => all.first[chain]!),
    last: Uint32Array.from(kept, chain => all.last[chain]!),
    boxes,
  };
}

/**
 * Geodesic metres from a point to the boundary of a polygon, from whichever side; to the geometry itself when it is a
 * line or a point. Where a multipolygon touches both 180 and -180, its edges on that meridian are the cut of one area
 * and no boundary.
 * @param limit metres, as in distanceTo.
 * @returns metres, or Infinity beyond the limit.
 */
export function boundaryDistance(geometry: Geometry, lng: number, lat: number, limit: number = Infinity): number {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return pointDistance(geometry.xy, lng, lat, limit);
  return lineDistance(geometry, chainsOf(geometry), lng, lat, limit, geometry.parts.length > 0);
}

function pointDistance(xy: Float64Array, lng: number, lat: number, limit: number): number {
  let best = limit;
  let found = Infinity;
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (best !== Infinity && boxLowerBound(lng, lat, [x, y, x, y]) > best) continue;
    const metres = distance(lng, lat, x, y);
    if (metres <= best) found = best = metres;
  }
  return found;
}

/** Metres per degree of longitude and latitude in a plane about a point. */
interface Scale {
  readonly x: number;
  readonly y: number;
}

/**
 * Edges that a scan has met: the first of two vertices (one twice where a line has no other), the second, the planar
 * foot and its squared distance. Kept from scan to scan, because they are millions and none is needed for long.
 */
class Candidates {
  count = 0;
  vertices = new Uint32Array(64);
  nexts = new Uint32Array(64);
  feet = new Float64Array(64);
  squares = new Float64Array(64);

  put(at: number, vertex: number, next: number, foot: number, square: number): void {
    if (at === this.vertices.length) {
      this.vertices = grown(this.vertices, new Uint32Array(2 * at));
      this.nexts = grown(this.nexts, new Uint32Array(2 * at));
      this.feet = grown(this.feet, new Float64Array(2 * at));
      this.squares = grown(this.squares, new Float64Array(2 * at));
    }
    this.vertices[at] = vertex;
    this.nexts[at] = next;
    this.feet[at] = foot;
    this.squares[at] = square;
    this.count = at + 1;
  }

  /** Metres to one of them; some number not below `best` where it is no nearer. */
  measure(at: number, xy: Float64Array, lng: number, lat: number, best: number): number {
    const v = 2 * this.vertices[at]!;
    const w = 2 * this.nexts[at]!;
    return edgeDistance(lng, lat, xy[v]!, xy[v + 1]!, xy[w]!, xy[w + 1]!, this.feet[at]!, best);
  }
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

const foremost = new Candidates();
const others = new Candidates();

function lineDistance(
  geometry: Geometry,
  chains: NearChains,
  lng: number,
  lat: number,
  limit: number,
  boundary: boolean,
): number {
  const seam = boundary && touchesBoth(chains);
  const { xy } = geometry;
  const local = limit <= LOCAL;
  const scale = local ? leastScale(lat, limit) : scaleAt(lat);
  scan(xy, chains, lng, lat, scale, local ? (limit + SLACK) ** 2 : Infinity, seam, foremost, -1);
  if (!foremost.count) return Infinity;
  let best = foremost.measure(0, xy, lng, lat, Infinity);
  const bound = Math.min(best, limit);
  if (bound > LOCAL) {
    best = Math.min(best, farDistance(xy, chains, lng, lat, bound, seam));
    return best <= limit ? best : Infinity;
  }
  scan(xy, chains, lng, lat, leastScale(lat, bound), (bound + SLACK) ** 2, seam, others, foremost.vertices[0]!);
  for (let i = 0; i < others.count; i++)
    if (others.squares[i]! <= (best + SLACK) ** 2) best = Math.min(best, others.measure(i, xy, lng, lat, best));
  return best <= limit ? best : Infinity;
}

function scaleAt(lat: number): Scale {
  const { M, N } = radiiAt(lat);
  return { x: N * Math.cos(lat * DEGREE) * DEGREE, y: M * DEGREE };
}

/**
 * A scale in which planar distance never exceeds geodesic distance, for all that lies within `metres`: a path that long
 * stays between two latitudes, and there M is least at the equator's end and N·cos(lat) at the pole's.
 */
function leastScale(lat: number, metres: number): Scale {
  const reach = metres / LEAST_RADIUS / DEGREE + 1e-9;
  const pole = Math.abs(lat) + reach;
  return { x: pole < 90 ? scaleAt(pole).x : 0, y: scaleAt(Math.max(0, Math.abs(lat) - reach)).y };
}

/**
 * Finds edges whose planar distance is at most the root of `square`: the nearest alone, or all but that of one vertex.
 * Edges are turned by 360 degrees to lie within half a turn of the point; those astride that are seen twice.
 * @param without vertex whose edge is left out; -1 to find the nearest alone.
 */
function scan(
  xy: Float64Array,
  { first, last, boxes }: NearChains,
  lng: number,
  lat: number,
  { x: scaleX, y: scaleY }: Scale,
  square: number,
  seam: boolean,
  found: Candidates,
  without: number,
): void {
  found.count = 0;
  let limit = square;
  for (let chain = 0; chain < first.length; chain++) {
    const south = boxes[chain * 4 + 1]! - lat;
    const north = boxes[chain * 4 + 3]! - lat;
    const outY = (south > 0 ? south : north < 0 ? -north : 0) * scaleY;
    if (outY * outY > limit) continue;
    const west = boxes[chain * 4]! - lng;
    const east = boxes[chain * 4 + 2]! - lng;
    for (let t = 0; t < TURNS.length; t++) {
      const turn = TURNS[t]!;
      // Seen from the point, the part of the chain that lies within half a turn east or west.
      if (west + turn > 180 || east + turn < -180) continue;
      const outX = (west + turn > 0 ? west + turn : east + turn < 0 ? -east - turn : 0) * scaleX;
      if (outX * outX + outY * outY > limit) continue;
      const start = first[chain]!;
      const end = Math.max(last[chain]!, start + 1);
      for (let v = start; v < end; v++) {
        const w = v < last[chain]! ? v + 1 : v;
        const x1 = xy[2 * v]!;
        const x2 = xy[2 * w]!;
        if (seam && x1 === x2 && (x1 === 180 || x1 === -180)) continue;
        const ax = (x1 + turn - lng) * scaleX;
        const ay = (xy[2 * v + 1]! - lat) * scaleY;
        const dx = (x2 - x1) * scaleX;
        const dy = (xy[2 * w + 1]! - xy[2 * v + 1]!) * scaleY;
        const length = dx * dx + dy * dy;
        const foot = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
        const ox = ax + foot * dx;
        const oy = ay + foot * dy;
        const squared = ox * ox + oy * oy;
        if (squared > limit || v === without) continue;
        if (without < 0) {
          limit = squared;
          found.put(0, v, w, foot, squared);
        } else found.put(found.count, v, w, foot, squared);
      }
    }
  }
}

/**
 * The nearest edge by best-first search over chains in the order of their spherical bounds. In each chain one vertex
 * is measured exactly, and from its gradient every edge gets a bound as good as the chain is short.
 * @param bound metres that the answer is known not to exceed, or to be of no interest beyond.
 * @returns metres; Infinity when nothing is nearer than the bound.
 */
function farDistance(
  xy: Float64Array,
  { first, last, boxes }: NearChains,
  lng: number,
  lat: number,
  bound: number,
  seam: boolean,
): number {
  // No path of that length comes nearer the equator than this, so none meets a smaller radius of curvature.
  const reach = bound / LEAST_RADIUS / DEGREE;
  const radius = radiiAt(Math.max(0, Math.abs(lat) - reach)).M;
  const chains = new FlatQueue();
  for (let chain = 0; chain < first.length; chain++) {
    const least = boxLowerBound(lng, lat, boxes, chain * 4, radius);
    if (least <= bound) chains.push(chain, least);
  }
  let best = bound;
  let found = Infinity;
  while (chains.length > 0 && chains.peekValue()! <= best) {
    const chain = chains.pop()!;
    const start = first[chain]!;
    const end = last[chain]!;
    const mid = (start + end) >> 1;
    const slopes = slopesAt(lng, lat, xy[2 * mid]!, xy[2 * mid + 1]!, boxes, chain * 4);
    for (let v = start; v < Math.max(end, start + 1); v++) {
      const w = Math.min(v + 1, end);
      const [x1, y1, x2, y2] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * w]!, xy[2 * w + 1]!];
      if (seam && x1 === x2 && (x1 === 180 || x1 === -180)) continue;
      const at1 = slopes.least + slopes.x * x1 + slopes.y * y1;
      const at2 = slopes.least + slopes.x * x2 + slopes.y * y2;
      if (Math.min(at1, at2) > best) continue;
      const metres = edgeDistance(lng, lat, x1, y1, x2, y2, at1 <= at2 ? 0 : 1, best);
      if (metres <= best) found = best = metres;
    }
  }
  return found;
}

/**
 * A plane under the distance to the places of a box: distance ≥ least + x·lng + y·lat. It is tangent at a vertex, less
 * what the distance can fall short of its tangent along straight lng,lat lines: half of 1.155·tan(lat)/R a metre², as
 * in edge-distance.ts, while the box is nearer than a quarter turn. Beyond, it is -Infinity.
 */
function slopesAt(
  lng: number,
  lat: number,
  x: number,
  y: number,
  boxes: Float64Array,
  box: number,
): { least: number; x: number; y: number } {
  const [minX, minY, maxX, maxY] = [boxes[box]!, boxes[box + 1]!, boxes[box + 2]!, boxes[box + 3]!];
  const steepest = Math.max(Math.abs(minY), Math.abs(maxY));
  const flattest = minY <= 0 && maxY >= 0 ? 0 : Math.min(Math.abs(minY), Math.abs(maxY));
  const extent = Math.hypot(
    Math.max(x - minX, maxX - x) * scaleAt(flattest).x,
    Math.max(y - minY, maxY - y) * scaleAt(steepest).y,
  );
  const { metres, east, north } = arrive(lng, lat, x, y);
  if (metres + extent > 1.5 * LEAST_RADIUS || steepest > 89) return { least: -Infinity, x: 0, y: 0 };
  const scale = scaleAt(y);
  const slopes = { x: scale.x * east, y: scale.y * north };
  const short = (0.6 * Math.tan(steepest * DEGREE) * extent * extent) / LEAST_RADIUS;
  return { least: metres - short - SLACK - slopes.x * x - slopes.y * y, ...slopes };
}

/** Whether a geometry reaches both 180 and -180, as one cut there does. */
function touchesBoth({ boxes }: NearChains): boolean {
  let west = false;
  let east = false;
  for (let i = 0; i < boxes.length; i += 4) {
    if (boxes[i] === -180) west = true;
    if (boxes[i + 2] === 180) east = true;
  }
  return west && east;
}
