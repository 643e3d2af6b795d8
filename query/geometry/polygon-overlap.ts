import type { Box, Geometry } from '../../datasets/geometry.ts';
import { elementAt } from './area/area-element.ts';
import { EdgeSweep } from './area/edge-sweep.ts';
import { type Ground, GroundSweep } from './area/ground-sweep.ts';
import { boxOfChains, chainsOf } from './edge-chains.ts';

const TURNS = [0, 360, -360];

const areas = new WeakMap<Geometry, number>();

/** Memory of an overlay that was measured: most parcels need one for a moment. */
let spare: { readonly xs: Float64Array; readonly owners: Int32Array } | null = null;

/**
 * Area on WGS84 of a valid polygon whose edges are straight in lng,lat: Green's theorem with the ellipsoid's area
 * element, each edge by Simpson's rule. It agrees with what PolygonOverlap measures to 1e-12; geodesicArea has geodesic edges instead.
 * @returns square metres; kept as long as the geometry.
 */
export function straightArea(geometry: Geometry): number {
  const cached = areas.get(geometry);
  if (cached !== undefined) return cached;
  const { xy, ends, parts } = geometry;
  let total = 0;
  let ring = 0;
  for (const lastRing of parts)
    for (let sign = 1; ring < lastRing; ring++, sign = -1) {
      const start = ring === 0 ? 0 : ends[ring - 1]!;
      const origin = xy[2 * start]!;
      let area = 0;
      let element = elementAt(xy[2 * start + 1]!);
      for (let v = start + 1; v < ends[ring]!; v++) {
        const x1 = xy[2 * v - 2]! - origin;
        const y1 = xy[2 * v - 1]!;
        const x2 = xy[2 * v]! - origin;
        const y2 = xy[2 * v + 1]!;
        const next = elementAt(y2);
        area += ((y2 - y1) / 6) * (element * x1 + 2 * elementAt((y1 + y2) / 2) * (x1 + x2) + next * x2);
        element = next;
      }
      total += sign * Math.abs(area);
    }
  areas.set(geometry, total);
  return total;
}

/**
 * How much of an area is covered by the union of polygons, without making either intersection or union: a line sweeps
 * north, and between two neighbouring vertices or crossings the covered length changes linearly with latitude, so each
 * slab is a sum of trapezoids (Bentley & Ottmann's events, Klee's measure). A place counts once however many polygons
 * cover it, and holes, parts, repeated and touching edges need no care: a polygon is inside where a ray has met an odd
 * number of its edges. Trapezoids are straight in lng,lat, and weighed by the ellipsoid's area element with Simpson's
 * rule, so no plane is involved: for slabs below a degree the error is under 1e-9 of the area.
 *
 * Cost: O(n log n) for n edges in the mask's box, which are swept in cells of a few; what lies left of the box is taken by
 * chains, what lies elsewhere not at all.
 */
export class PolygonOverlap {
  readonly #lng: number;
  readonly #lat: number;
  /** Box of the mask relative to lng,lat. */
  readonly #box: Box;
  /** South and north end of each edge, relative to lng,lat; level edges bound no trapezoid. */
  #xs: Float64Array;
  #count = 0;
  #owners: Int32Array;
  #owner = 0;
  /** Edges of the mask. */
  readonly #masked: number;

  /**
   * @param mask polygons in lng,lat degrees; longitudes may go on beyond ±180.
   * @param box of the mask.
   */
  constructor(mask: Geometry, box: Box) {
    this.#lng = (box[0] + box[2]) / 2;
    this.#lat = (box[1] + box[3]) / 2;
    this.#box = [box[0] - this.#lng, box[1] - this.#lat, box[2] - this.#lng, box[3] - this.#lat];
    this.#xs = spare?.xs ?? new Float64Array(1024);
    this.#owners = spare?.owners ?? new Int32Array(256);
    spare = null;
    this.#add(mask, 0);
    this.#masked = this.#count;
  }

  /** Adds a polygon in lng,lat degrees, in the turn that meets the mask. */
  add(polygon: Geometry): void {
    this.#owner++;
    const [west, , east] = boxOfChains(chainsOf(polygon));
    const [minX, , maxX] = this.#box;
    for (const turn of TURNS)
      if (east + turn - this.#lng > minX && west + turn - this.#lng < maxX) this.#add(polygon, turn);
  }

  #add(geometry: Geometry, turn: number): void {
    const { first, last, boxes, groups, groupBoxes } = chainsOf(geometry);
    const { xy } = geometry;
    const dx = turn - this.#lng;
    const dy = -this.#lat;
    const [minX, minY, maxX, maxY] = this.#box;
    const left = (from: number, to: number) => this.#edge(minX, xy[2 * from + 1]! + dy, minX, xy[2 * to + 1]! + dy);
    let chain = 0;
    for (let group = 0; group < groups.length; group++) {
      const end = groups[group]!;
      const g = group * 4;
      const apart = groupBoxes[g + 1]! + dy >= maxY || groupBoxes[g + 3]! + dy <= minY || groupBoxes[g]! + dx >= maxX;
      if (apart || groupBoxes[g + 2]! + dx <= minX) {
        // From the west only what changes sides counts: the ends.
        if (!apart) left(first[chain]!, last[end - 1]!);
        chain = end;
        continue;
      }
      for (; chain < end; chain++) {
        const c = chain * 4;
        if (boxes[c + 1]! + dy >= maxY || boxes[c + 3]! + dy <= minY || boxes[c]! + dx >= maxX) continue;
        if (boxes[c + 2]! + dx <= minX) {
          left(first[chain]!, last[chain]!);
          continue;
        }
        for (let v = first[chain]!; v < last[chain]!; v++)
          this.#edge(xy[2 * v]! + dx, xy[2 * v + 1]! + dy, xy[2 * v + 2]! + dx, xy[2 * v + 3]! + dy);
      }
    }
  }

  /** Keeps an edge, cut to the latitudes of the mask. */
  #edge(x1: number, y1: number, x2: number, y2: number): void {
    if (y1 === y2) return;
    if (y1 > y2) {
      this.#edge(x2, y2, x1, y1);
      return;
    }
    const minX = this.#box[0];
    const minY = this.#box[1];
    const maxX = this.#box[2];
    const maxY = this.#box[3];
    if (y1 >= maxY || y2 <= minY || (x1 >= maxX && x2 >= maxX && this.#owner > 0)) return;
    let ax = y1 < minY ? x1 + ((minY - y1) / (y2 - y1)) * (x2 - x1) : x1;
    const ay = y1 < minY ? minY : y1;
    let bx = y2 > maxY ? x1 + ((maxY - y1) / (y2 - y1)) * (x2 - x1) : x2;
    const by = y2 > maxY ? maxY : y2;
    if (ax < minX && bx < minX) ax = bx = minX;
    if (ay >= by) return;
    if (this.#count === this.#owners.length) this.#grow();
    const at = this.#count * 4;
    this.#xs[at] = ax;
    this.#xs[at + 1] = ay;
    this.#xs[at + 2] = bx;
    this.#xs[at + 3] = by;
    this.#owners[this.#count++] = this.#owner;
  }

  #grow(): void {
    const xs = new Float64Array(this.#xs.length * 2);
    xs.set(this.#xs);
    this.#xs = xs;
    const owners = new Int32Array(this.#owners.length * 2);
    owners.set(this.#owners);
    this.#owners = owners;
  }

  /**
   * Sweeps; call it once, when all polygons are added: the next overlay takes the memory of this one.
   * @returns square metres of the mask that they cover together.
   */
  measure(): number {
    const covered = this.#count === this.#masked ? 0 : this.#sweep();
    spare = { xs: this.#xs, owners: this.#owners };
    return covered;
  }

  /**
   * As measure, but of each class for itself: ground that several cover belongs to the lowest class.
   * @param classes of each polygon in the order in which they were added: 0 and up, or -1 and down for bounds: ground is
   * only told apart where each group of bounds (-1, -2, …) has a polygon that covers it.
   * @param groups of bounds that there are, also where no polygon of one was added.
   */
  ground(classes: readonly number[], groups = 0): Ground {
    const sweep = new GroundSweep(this.#xs, this.#owners, classes, groups, this.#lat);
    sweep.run(this.#count);
    spare = { xs: this.#xs, owners: this.#owners };
    return sweep;
  }

  /** Edges added so far, the mask's too. */
  get edges(): number {
    return this.#count;
  }

  #sweep(): number {
    const sweep = new UnionSweep(this.#xs, this.#owners, this.#owner + 1, this.#lat);
    sweep.run(this.#count);
    return sweep.covered;
  }
}

/** Measures what any polygon covers of the mask. */
class UnionSweep extends EdgeSweep {
  covered = 0;
  readonly #lat: number;
  readonly #inside: Uint8Array;

  constructor(ends: Float64Array, owners: Int32Array, owned: number, lat: number) {
    super(ends, owners);
    this.#lat = lat;
    this.#inside = new Uint8Array(owned);
  }

  protected override measure(
    south: number,
    north: number,
    active: readonly number[],
    at: readonly number[],
    to: readonly number[],
  ): void {
    const inside = this.#inside;
    let covering = 0;
    let [southern, northern] = [0, 0];
    for (let i = 0; i < active.length; i++) {
      if (covering > 0 && inside[0]) {
        southern += at[i]! - at[i - 1]!;
        northern += to[i]! - to[i - 1]!;
      }
      const owner = this.owners[active[i]!]!;
      inside[owner]! ^= 1;
      if (owner > 0) covering += inside[owner] ? 1 : -1;
    }
    for (const edge of active) inside[this.owners[edge]!] = 0;
    if (southern === 0 && northern === 0) return;
    // Simpson's rule: the length is linear and the area element smooth.
    const atMid = elementAt(this.#lat + (south + north) / 2);
    this.covered +=
      ((north - south) / 6) *
      (elementAt(this.#lat + south) * southern +
        2 * atMid * (southern + northern) +
        elementAt(this.#lat + north) * northern);
  }
}
