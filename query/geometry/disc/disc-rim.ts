import type { Geometry } from '../../../datasets/geometry.ts';
import { memo } from '../../../datasets/memo.ts';
import { elementAt } from '../area/area-element.ts';
import { boxOfChains, chainsOf } from '../edge-chains.ts';
import { contains } from '../point-in-polygon.ts';

/** Edges that the azimuth on the ellipsoid may differ by from the planar one. */
const SLACK = 3;

/** Green's integral along each chain of a geometry: ∫ x dA and ∫ dA over the latitude, x in degrees from `origin`. */
interface Integrals {
  readonly origin: number;
  /** Degrees from the westmost to the eastmost place. */
  readonly width: number;
  readonly moments: Float64Array;
  readonly elements: Float64Array;
  /** 1 for each ring that has its area on the left, -1 for one that has it on the right. */
  readonly signs: Int8Array;
}

/** Kept as long as the geometry. */
const integralsOf = memo(integrate);

function integrate(geometry: Geometry): Integrals {
  const { xy, parts } = geometry;
  const chains = chainsOf(geometry);
  const { first, last, ends } = chains;
  const origin = xy[0]!;
  const [west, , east] = boxOfChains(chains);
  const moments = new Float64Array(first.length);
  const elements = new Float64Array(first.length);
  const signs = new Int8Array(ends.length);
  let chain = 0;
  let ring = 0;
  for (const lastRing of parts)
    for (let outer = 1; ring < lastRing; ring++, outer = -1) {
      let area = 0;
      for (; chain < ends[ring]!; chain++) {
        for (let v = first[chain]!; v < last[chain]!; v++) {
          const [y1, y2] = [xy[2 * v + 1]!, xy[2 * v + 3]!];
          const height = (y2 - y1) / 6;
          const [south, atMid, north] = [elementAt(y1), elementAt((y1 + y2) / 2), elementAt(y2)];
          const [x1, x2] = [xy[2 * v]! - origin, xy[2 * v + 2]! - origin];
          moments[chain]! += height * (south * x1 + 2 * atMid * (x1 + x2) + north * x2);
          elements[chain]! += height * (south + 4 * atMid + north);
        }
        area += moments[chain]!;
      }
      signs[ring] = area < 0 ? -outer : outer;
    }
  return { origin, width: east - west, moments, elements, signs };
}

/** Where a polygon's boundary passes the disc's: place on the ring, in edges from the north, and coordinates. */
interface Crossing {
  readonly place: number;
  readonly x: number;
  readonly y: number;
  /** Whether the boundary, with its polygon on the left, comes in here. */
  readonly enters: boolean;
}

/**
 * The polygon of a disc (see discPolygon), ready to be met by large polygons: what such a one shares with the disc is
 * bounded by the parts of its boundary within the disc and by the arcs of the disc between them, so that Green's theorem
 * gives the area at the cost of the edges near the rim, all else being summed by chains. Edges are straight in lng,lat.
 */
export class DiscRim {
  readonly #ring: Float64Array;
  readonly #count: number;
  readonly #lng: number;
  readonly #lat: number;
  /** A degree of longitude in degrees of latitude. */
  readonly #wide: number;
  /** Squared degrees of latitude within which all is inside the polygon, and beyond which all is outside. */
  readonly #inner: number;
  readonly #outer: number;
  /** Green's integral from the north to each corner, clockwise. */
  readonly #sums: Float64Array;

  /** @param disc as discPolygon makes it: convex, clockwise from the north, its corners at equal azimuths. */
  constructor({ xy }: Geometry) {
    const count = xy.length / 2 - 1;
    this.#ring = xy;
    this.#count = count;
    this.#lng = xy[0]!;
    this.#lat = (xy[1]! + xy[count + 1]!) / 2;
    this.#wide = (xy[1]! - this.#lat) / (xy[count / 2]! - this.#lng);
    this.#sums = new Float64Array(count + 1);
    let [least, most] = [Infinity, 0];
    for (let i = 0; i < count; i++) {
      const square = this.#squareOf(xy[2 * i]!, xy[2 * i + 1]!);
      least = Math.min(least, square);
      most = Math.max(most, square);
      this.#sums[i + 1] = this.#sums[i]! + this.#along(xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!);
    }
    // An edge comes nearer the middle than its corners.
    this.#inner = least * Math.cos((2 * Math.PI) / count) ** 2;
    this.#outer = most * (1 + 1e-9);
  }

  /**
   * Area on WGS84 that a polygon shares with the disc.
   * @param polygon valid, lng,lat degrees.
   * @returns square metres, within 1e-9 of the disc of what PolygonOverlap measures; null for a sweep to tell, where the
   * two graze one another or the polygon is cut at ±180.
   */
  overlap(polygon: Geometry): number | null {
    const { xy } = polygon;
    const { first, last, boxes, ends, groups, groupBoxes, groupEnds } = chainsOf(polygon);
    const { origin, width, moments, elements, signs } = integralsOf(polygon);
    if (width > 180) return null;
    const turn = Math.round((this.#lng - xy[0]!) / 360) * 360;
    const crossings: Crossing[] = [];
    let area = 0;
    let group = 0;
    for (let ring = 0; ring < ends.length; ring++) {
      const sign = signs[ring]!;
      for (; group < groupEnds[ring]!; group++) {
        if (this.#relation(groupBoxes, group * 4, turn) < 0) continue;
        for (let chain = group === 0 ? 0 : groups[group - 1]!; chain < groups[group]!; chain++) {
          const relation = this.#relation(boxes, chain * 4, turn);
          if (relation < 0) continue;
          if (relation > 0) {
            area += sign * (moments[chain]! + (origin + turn - this.#lng) * elements[chain]!);
            continue;
          }
          let x1 = xy[2 * first[chain]!]! + turn;
          let y1 = xy[2 * first[chain]! + 1]!;
          let before = this.#holds(x1, y1);
          for (let v = first[chain]! + 1; v <= last[chain]!; v++) {
            const x2 = xy[2 * v]! + turn;
            const y2 = xy[2 * v + 1]!;
            const after = this.#holds(x2, y2);
            if (before && after) area += sign * this.#along(x1, y1, x2, y2);
            else if (before || after) {
              const one = before ? this.#leaving(x1, y1, x2, y2) : this.#leaving(x2, y2, x1, y1);
              crossings.push({ ...one, enters: before !== sign > 0 });
              area += sign * (before ? this.#along(x1, y1, one.x, one.y) : this.#along(one.x, one.y, x2, y2));
            } else {
              // The place of the edge that is nearest to the middle.
              const [dx, dy] = [(x2 - x1) * this.#wide, y2 - y1];
              const [ax, ay] = [(x1 - this.#lng) * this.#wide, y1 - this.#lat];
              const t = dx || dy ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy))) : 0;
              const [x, y] = [x1 + t * (x2 - x1), y1 + t * (y2 - y1)];
              if (this.#squareOf(x, y) > this.#outer) {
                [x1, y1, before] = [x2, y2, after];
                continue;
              }
              if (!this.#holds(x, y)) return null;
              const [a, b] = [this.#leaving(x, y, x1, y1), this.#leaving(x, y, x2, y2)];
              crossings.push({ ...a, enters: sign > 0 }, { ...b, enters: sign < 0 });
              area += sign * this.#along(a.x, a.y, b.x, b.y);
            }
            [x1, y1, before] = [x2, y2, after];
          }
        }
      }
    }
    if (!crossings.length) {
      const [x, y] = [this.#ring[0]! - turn, this.#ring[1]!];
      return Math.max(0, area + (contains(polygon, x, y) ? -this.#sums[this.#count]! : 0));
    }
    const arcs = this.#arcs(crossings);
    return arcs === null ? null : Math.max(0, area + arcs);
  }

  /** Green's integral along the arcs that lead, counter-clockwise, from where a boundary leaves to where one enters. */
  #arcs(crossings: Crossing[]): number | null {
    crossings.sort((a, b) => b.place - a.place);
    let sum = 0;
    for (let i = 0; i < crossings.length; i++) {
      const from = crossings[i]!;
      const to = crossings[(i + 1) % crossings.length]!;
      // Rounding may put two that lie together in the wrong order.
      if (from.enters === to.enters || from.place === to.place) return null;
      if (from.enters) continue;
      sum += this.#until(to) - this.#until(from);
      if (to.place > from.place) sum -= this.#sums[this.#count]!;
    }
    return sum;
  }

  /** Green's integral from the north to a crossing, clockwise. */
  #until({ place, x, y }: Crossing): number {
    const edge = Math.floor(place);
    return this.#sums[edge]! + this.#along(this.#ring[2 * edge]!, this.#ring[2 * edge + 1]!, x, y);
  }

  #squareOf(x: number, y: number): number {
    const u = (x - this.#lng) * this.#wide;
    const v = y - this.#lat;
    return u * u + v * v;
  }

  /** 1 for a box within the polygon, -1 for one outside it, 0 where neither is certain. */
  #relation(boxes: Float64Array, at: number, turn: number): number {
    const west = boxes[at]! + turn - this.#lng;
    const south = boxes[at + 1]! - this.#lat;
    const east = boxes[at + 2]! + turn - this.#lng;
    const north = boxes[at + 3]! - this.#lat;
    const nearX = (west > 0 ? west : east < 0 ? -east : 0) * this.#wide;
    const nearY = south > 0 ? south : north < 0 ? -north : 0;
    if (nearX * nearX + nearY * nearY > this.#outer) return -1;
    const farX = Math.max(-west, east) * this.#wide;
    const farY = Math.max(-south, north);
    return farX * farX + farY * farY < this.#inner ? 1 : 0;
  }

  /** How far a place is beyond the line of an edge; not above 0 inside the polygon. */
  #beyond(edge: number, x: number, y: number): number {
    const ring = this.#ring;
    const i = 2 * edge;
    return (ring[i + 2]! - ring[i]!) * (y - ring[i + 1]!) - (ring[i + 3]! - ring[i + 1]!) * (x - ring[i]!);
  }

  #facing(x: number, y: number): number {
    const turns = Math.atan2((x - this.#lng) * this.#wide, y - this.#lat) / (2 * Math.PI);
    return (Math.floor(turns * this.#count) + this.#count) % this.#count;
  }

  /** Whether a place is in the polygon or on its ring. */
  #holds(x: number, y: number): boolean {
    const square = this.#squareOf(x, y);
    if (square < this.#inner) return true;
    if (square > this.#outer) return false;
    const facing = this.#facing(x, y) + this.#count;
    for (let edge = facing - SLACK; edge <= facing + SLACK; edge++)
      if (this.#beyond(edge % this.#count, x, y) > 0) return false;
    return true;
  }

  /** Where a line from a place inside to one outside leaves the polygon: at the edge whose line it meets first. */
  #leaving(x1: number, y1: number, x2: number, y2: number): { place: number; x: number; y: number } {
    const count = this.#count;
    const [dx, dy] = [(x2 - x1) * this.#wide, y2 - y1];
    const [ax, ay] = [(x1 - this.#lng) * this.#wide, y1 - this.#lat];
    const [a, b, c] = [dx * dx + dy * dy, ax * dx + ay * dy, ax * ax + ay * ay - this.#outer];
    // Where it leaves the circle about the polygon tells the edge, or one beside it.
    const circle = Math.min(1, (-b + Math.sqrt(Math.max(0, b * b - a * c))) / a);
    const facing = this.#facing(x1 + circle * (x2 - x1), y1 + circle * (y2 - y1)) + count;
    let [t, edge] = [Infinity, facing % count];
    for (let i = facing - SLACK; i <= facing + SLACK; i++) {
      const from = this.#beyond(i % count, x1, y1);
      const to = this.#beyond(i % count, x2, y2);
      if (!(to > 0)) continue;
      const crossing = Math.max(0, from / (from - to));
      if (crossing < t) [t, edge] = [crossing, i % count];
    }
    if (t === Infinity) t = 1;
    const [x, y] = [x1 + t * (x2 - x1), y1 + t * (y2 - y1)];
    const i = 2 * edge;
    const ring = this.#ring;
    const [ex, ey] = [ring[i + 2]! - ring[i]!, ring[i + 3]! - ring[i + 1]!];
    const along = ((x - ring[i]!) * ex + (y - ring[i + 1]!) * ey) / (ex * ex + ey * ey);
    return { place: edge + Math.min(1 - 1e-12, Math.max(0, along)), x, y };
  }

  /** Green's integral along an edge: degrees, x from the disc's middle, by Simpson's rule. */
  #along(x1: number, y1: number, x2: number, y2: number): number {
    const [west, east] = [x1 - this.#lng, x2 - this.#lng];
    const atMid = elementAt((y1 + y2) / 2);
    return ((y2 - y1) / 6) * (elementAt(y1) * west + 2 * atMid * (west + east) + elementAt(y2) * east);
  }
}
