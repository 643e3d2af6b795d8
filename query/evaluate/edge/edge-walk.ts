import FlatQueue from 'flatqueue';
import type { Geometry } from '../../../datasets/geometry.ts';
import { chainsOf } from '../../geometry/edge-chains.ts';
import type { NearChains } from '../../geometry/feature-distance.ts';
import { distance, radiiAt } from '../../geometry/geodesic.ts';
import { contains } from '../../geometry/point-in-polygon.ts';

const DEGREE = Math.PI / 180;
/** How far beside an edge the ground is looked at, in metres: strips that are narrower between polygons are seams. */
const BESIDE = 0.1;
/** Edges that pass a place within this meet there: metres. */
const MEET = 0.01;
/** What a plane may be off at the reach, as a share of it and in metres. */
const [SHARE, METRES] = [5e-3, 0.1];
const NONE: readonly Uint8Array[] = [];

/** A polygon whose boundary passes near a point. */
export interface NearShape {
  readonly geometry: Geometry;
  /** The chains of its boundary that may come near; null for all. */
  readonly near: NearChains | null;
  /** minX, minY, maxX, maxY: lng,lat degrees. */
  readonly box: ArrayLike<number>;
  /** Edges that are not looked at, 1 by their first vertex: what is asked does not change there. Each list tells some. */
  readonly without?: readonly Uint8Array[];
}

/** Ground beside an edge, as far from the point as the edge is. */
interface Beside {
  readonly metres: number;
  /** Places of the shapes that hold it. */
  readonly holding: readonly number[];
}

/** An edge in a plane about the point: metres east and north of both ends. */
interface Edge {
  readonly shape: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** The foot of the point on it, 0 to 1 from the first end, and its distance. */
  readonly foot: number;
  readonly least: number;
  readonly isLookedAt: boolean;
}

/**
 * The ground on either side of the edges of some polygons about a point, the nearest first: where what is said of the
 * point changes, it changes at one of them. Looked at are the nearest place of every edge, the corners, and where edges of
 * two polygons cross. The same for a point whatever else is asked about.
 */
export class EdgeWalk {
  readonly #lng: number;
  readonly #lat: number;
  readonly #reach: number;
  readonly #shapes: readonly NearShape[];
  readonly #x: number;
  readonly #y: number;
  readonly #edges: readonly Edge[];
  readonly #seen: Beside[] = [];
  readonly #crossings = new FlatQueue();
  readonly #crossed: [number, number][] = [];
  /** Corners looked at already. */
  readonly #corners = new Set<string>();
  /** Of shapes that no edge near the point is of: whether they hold it, and so all about it. */
  readonly #throughout: (boolean | null)[];
  #next = 0;

  /**
   * @param shapes in an order that does not depend on what else is asked.
   * @param lng,lat degrees. @param reach metres up to which edges matter.
   */
  constructor(shapes: readonly NearShape[], lng: number, lat: number, reach: number) {
    [this.#shapes, this.#lng, this.#lat, this.#reach] = [shapes, lng, lat, reach];
    const { M, N } = radiiAt(lat);
    [this.#x, this.#y] = [N * Math.cos(lat * DEGREE) * DEGREE, M * DEGREE];
    const edges: Edge[] = [];
    this.#throughout = shapes.map(({ geometry }, shape) => {
      const before = edges.length;
      this.#collect(shape, edges);
      return edges.length > before ? null : contains(geometry, lng, lat);
    });
    this.#edges = edges.length > 1 ? edges.sort((a, b) => a.least - b.least) : edges;
  }

  /** The ground beside an edge by its place in the order of distance; null beyond the last. */
  at(place: number): Beside | null {
    while (this.#seen.length <= place) if (!this.#look()) return null;
    return this.#seen[place]!;
  }

  #collect(shape: number, edges: Edge[]): void {
    const { geometry, near, without = NONE } = this.#shapes[shape]!;
    const { xy } = geometry;
    const { first, last, boxes } = near ?? chainsOf(geometry);
    const limit = this.#reach * (1 + SHARE) + METRES;
    const [x, y, lng, lat] = [this.#x, this.#y, this.#lng, this.#lat];
    for (let chain = 0; chain < first.length; chain++) {
      const box = chain * 4;
      if ((boxes[box + 1]! - lat) * y > limit || (lat - boxes[box + 3]!) * y > limit) continue;
      if (!this.#reaches(boxes[box]!, boxes[box + 2]!, limit)) continue;
      for (let v = first[chain]!; v < last[chain]!; v++) {
        const [x1, x2] = [xy[2 * v]!, xy[2 * v + 2]!];
        // The cut of an area that goes on beyond ±180 is no edge.
        if (x1 === x2 && (x1 === 180 || x1 === -180)) continue;
        // Most edges of a chain are far: they are left out by one coordinate.
        const ay = (xy[2 * v + 1]! - lat) * y;
        const by = (xy[2 * v + 3]! - lat) * y;
        if ((ay > limit && by > limit) || (ay < -limit && by < -limit)) continue;
        const turn = this.#turn((x1 + x2) / 2) - lng;
        const ax = (x1 + turn) * x;
        const bx = (x2 + turn) * x;
        if ((ax > limit && bx > limit) || (ax < -limit && bx < -limit)) continue;
        const dx = bx - ax;
        const dy = by - ay;
        const length = dx * dx + dy * dy;
        if (length === 0) continue;
        const foot = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
        const least = Math.hypot(ax + foot * dx, ay + foot * dy);
        if (least > limit) continue;
        edges.push({ shape, ax, ay, bx, by, foot, least, isLookedAt: !without.some(list => list[v]) });
      }
    }
  }

  #reaches(west: number, east: number, limit: number): boolean {
    const turn = this.#turn((west + east) / 2);
    return (west + turn - this.#lng) * this.#x <= limit && (this.#lng - east - turn) * this.#x <= limit;
  }

  /** What brings a meridian within half a turn of the point. */
  #turn(lng: number): number {
    return lng - this.#lng > 180 ? -360 : lng - this.#lng < -180 ? 360 : 0;
  }

  /** Looks at the next place; false where there is none. */
  #look(): boolean {
    while (this.#edges[this.#next]?.isLookedAt === false) this.#next++;
    const edge = this.#edges[this.#next];
    const crossing = this.#crossings.peekValue();
    if (crossing !== undefined && (!edge || crossing <= edge.least)) {
      const [x, y] = this.#crossed[this.#crossings.pop()!]!;
      this.#corner(x, y);
      return true;
    }
    if (!edge) return false;
    for (let i = 0; i < this.#next; i++) this.#cross(this.#edges[i]!, edge);
    this.#next++;
    const { ax, ay, bx, by, foot } = edge;
    if (foot === 0) this.#corner(ax, ay);
    else if (foot === 1) this.#corner(bx, by);
    else {
      const [x, y] = [ax + foot * (bx - ax), ay + foot * (by - ay)];
      const length = Math.hypot(bx - ax, by - ay);
      const [nx, ny] = [(ay - by) / length, (bx - ax) / length];
      this.#beside(x, y, nx, ny);
      this.#beside(x, y, -nx, -ny);
    }
    return true;
  }

  /** Remembers where two edges of different polygons cross. */
  #cross(a: Edge, b: Edge): void {
    if (a.shape === b.shape || !a.isLookedAt) return;
    const [px, py, qx, qy] = [a.bx - a.ax, a.by - a.ay, b.bx - b.ax, b.by - b.ay];
    const area = px * qy - py * qx;
    if (area === 0) return;
    const [ox, oy] = [b.ax - a.ax, b.ay - a.ay];
    const s = (ox * qy - oy * qx) / area;
    const t = (ox * py - oy * px) / area;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
    const [x, y] = [a.ax + s * px, a.ay + s * py];
    const metres = Math.hypot(x, y);
    if (metres <= this.#reach * (1 + SHARE) + METRES) this.#crossings.push(this.#crossed.push([x, y]) - 1, metres);
  }

  /** Looks between all edges that meet at a place. */
  #corner(x: number, y: number): void {
    const key = `${x} ${y}`;
    if (this.#corners.has(key)) return;
    this.#corners.add(key);
    const angles: number[] = [];
    // An edge that meets there is no farther from the point than the place is; edges stand in that order.
    const farthest = Math.hypot(x, y) + 2 * MEET;
    const [west, east, south, north] = [x - 2 * MEET, x + 2 * MEET, y - 2 * MEET, y + 2 * MEET];
    for (const { ax, ay, bx, by, least } of this.#edges) {
      if (least > farthest) break;
      // Most of them are elsewhere, which one coordinate tells.
      if ((ax < west && bx < west) || (ax > east && bx > east)) continue;
      if ((ay < south && by < south) || (ay > north && by > north)) continue;
      const dx = bx - ax;
      const dy = by - ay;
      const t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
      const at = Math.min(1, Math.max(0, t));
      if (Math.hypot(ax + at * dx - x, ay + at * dy - y) > MEET) continue;
      const angle = Math.atan2(dy, dx);
      if (Math.hypot(bx - x, by - y) > MEET) angles.push(angle);
      if (Math.hypot(ax - x, ay - y) > MEET) angles.push(angle > 0 ? angle - Math.PI : angle + Math.PI);
    }
    angles.sort((a, b) => a - b);
    for (let i = 0; i < angles.length; i++) {
      const from = angles[i]!;
      const to = i + 1 < angles.length ? angles[i + 1]! : angles[0]! + 2 * Math.PI;
      if (to - from < 1e-9) continue;
      const bisector = (from + to) / 2;
      this.#beside(x, y, Math.cos(bisector), Math.sin(bisector));
    }
  }

  /** Looks at the ground a little way off a place in a direction. */
  #beside(x: number, y: number, east: number, north: number): void {
    const metres = this.#metresTo(x, y);
    if (metres > this.#reach) return;
    const [lng, lat] = this.#place(x + BESIDE * east, y + BESIDE * north);
    const holding: number[] = [];
    for (let shape = 0; shape < this.#shapes.length; shape++) {
      const throughout = this.#throughout[shape]!;
      if (throughout) holding.push(shape);
      if (throughout !== null) continue;
      const { geometry, box } = this.#shapes[shape]!;
      if (lng < box[0]! || lng > box[2]! || lat < box[1]! || lat > box[3]!) continue;
      if (contains(geometry, lng, lat)) holding.push(shape);
    }
    this.#seen.push({ metres, holding });
  }

  #place(x: number, y: number): [number, number] {
    const lng = this.#lng + x / this.#x;
    return [lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng, this.#lat + y / this.#y];
  }

  #metresTo(x: number, y: number): number {
    if (x === 0 && y === 0) return 0;
    const [lng, lat] = this.#place(x, y);
    return distance(this.#lng, this.#lat, lng, lat);
  }
}
