import type { Box, Geometry } from '../../../datasets/geometry.ts';
import { chainsOf } from '../edge-chains.ts';
import { radiiAt } from '../geodesic.ts';
import { contains } from '../point-in-polygon.ts';

const DEGREE = Math.PI / 180;

/** The nearest approach of two outlines. */
export interface OutlineContact {
  /** Metres between their nearest places; 0 where they meet. */
  readonly gap: number;
  /** Metres of the outline that lie within the tolerance of the other: of whichever has more. */
  readonly shared: number;
  /** Both ends of a shortest line between them, the middle one of several: lng, lat, lng, lat in degrees. */
  readonly line: Float64Array;
}

/** Metres per degree of longitude and latitude about a place, and the place. */
interface LocalPlane {
  readonly lng: number;
  readonly lat: number;
  readonly x: number;
  readonly y: number;
}

/** A plane about a latitude: lengths of some kilometres are kept to a thousandth. */
function planeAt(lng: number, lat: number): LocalPlane {
  const { M, N } = radiiAt(lat);
  return { lng, lat, x: N * Math.cos(lat * DEGREE) * DEGREE, y: M * DEGREE };
}

/** A box with so many metres about it, a little more of them towards the poles. */
export function boxWithMetres([west, south, east, north]: Box, metres: number): Box {
  const { x, y } = planeAt(0, Math.max(Math.abs(south), Math.abs(north)));
  const [dx, dy] = [(metres * 1.01) / x, (metres * 1.01) / y];
  return [west - dx, south - dy, east + dx, north + dy];
}

/** The edges of polygons whose boxes meet a box: x0, y0, x1, y1 of each in metres of the plane. */
function edgesIn(geometry: Geometry, [west, south, east, north]: Box, { lng, lat, x, y }: LocalPlane): number[] {
  const { first, last, boxes, groups, groupBoxes } = chainsOf(geometry);
  const { xy } = geometry;
  const isApart = (of: Float64Array, at: number) =>
    of[at]! > east || of[at + 1]! > north || of[at + 2]! < west || of[at + 3]! < south;
  const edges: number[] = [];
  let chain = 0;
  for (const [group, end] of groups.entries()) {
    if (isApart(groupBoxes, group * 4)) chain = end;
    for (; chain < end; chain++) {
      if (isApart(boxes, chain * 4)) continue;
      for (let v = first[chain]!; v < last[chain]!; v++) {
        const [x0, y0, x1, y1] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * v + 2]!, xy[2 * v + 3]!];
        if ((x0 < west && x1 < west) || (x0 > east && x1 > east)) continue;
        if ((y0 < south && y1 < south) || (y0 > north && y1 > north)) continue;
        edges.push((x0 - lng) * x, (y0 - lat) * y, (x1 - lng) * x, (y1 - lat) * y);
      }
    }
  }
  return edges;
}

/** Metres by which lines between two edges may differ and be equally short. */
const EQUAL_M = 0.05;

/** The place of an edge that is nearest to a point: the line from the point to it, and its length. */
function lineTo(px: number, py: number, edges: readonly number[], at: number) {
  const [x, y] = [edges[at]!, edges[at + 1]!];
  const [dx, dy] = [edges[at + 2]! - x, edges[at + 3]! - y];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - x) * dx + (py - y) * dy) / length));
  const [fx, fy] = [x + t * dx, y + t * dy];
  return { gap: Math.hypot(px - fx, py - fy), ends: [px, py, fx, fy] as const };
}

/** The least distance of two edges that do not cross: it is one from an end. */
const gapOf = (a: readonly number[], i: number, b: readonly number[], j: number): number =>
  Math.min(
    lineTo(a[i]!, a[i + 1]!, b, j).gap,
    lineTo(a[i + 2]!, a[i + 3]!, b, j).gap,
    lineTo(b[j]!, b[j + 1]!, a, i).gap,
    lineTo(b[j + 2]!, b[j + 3]!, a, i).gap,
  );

/** The nearest places of two outlines. */
interface NearestPlaces {
  readonly gap: number;
  /** x0, y0, x1, y1 of a line between them. */
  readonly ends: readonly number[];
}

/** The crossing of two edges, as a share of the first one; NaN where they have none. */
function crossing(a: readonly number[], i: number, b: readonly number[], j: number): number {
  const [ax, ay, bx, by] = [a[i]!, a[i + 1]!, b[j]!, b[j + 1]!];
  const [dx, dy, ex, ey] = [a[i + 2]! - ax, a[i + 3]! - ay, b[j + 2]! - bx, b[j + 3]! - by];
  const cross = dx * ey - dy * ex;
  if (cross === 0) return Number.NaN;
  const t = ((bx - ax) * ey - (by - ay) * ex) / cross;
  const u = ((bx - ax) * dy - (by - ay) * dx) / cross;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? t : Number.NaN;
}

/** Edges that follow one another in a block, whose box tells most pairs of edges apart. */
const BLOCK = 32;

/** Boxes of the blocks of edges: minX, minY, maxX, maxY of each. */
function blocksOf(edges: readonly number[]): Float64Array {
  const boxes = new Float64Array(4 * Math.ceil(edges.length / (4 * BLOCK)));
  for (let at = 0, block = 0; at < edges.length; at += 4 * BLOCK, block += 4) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = at; i < Math.min(edges.length, at + 4 * BLOCK); i += 2) {
      west = Math.min(west, edges[i]!);
      east = Math.max(east, edges[i]!);
      south = Math.min(south, edges[i + 1]!);
      north = Math.max(north, edges[i + 1]!);
    }
    boxes.set([west, south, east, north], block);
  }
  return boxes;
}

/**
 * Goes through pairs of edges of two lists, those left out whose blocks are apart. Two outlines of 50,000 edges have some tens of millions of
 * pairs of blocks at most, and few of them are near.
 * @param reach distance at which blocks are apart, asked for anew with each block.
 * @param visit gets an edge of the first list and the blocks of the second that are near it: the offsets at which they begin.
 */
function eachNear(
  a: readonly number[],
  b: readonly number[],
  reach: () => number,
  visit: (edge: number, blocks: readonly number[]) => void,
): void {
  const [own, others] = [blocksOf(a), blocksOf(b)];
  for (let block = 0; block < own.length; block += 4) {
    const by = reach();
    const [west, south, east, north] = [
      own[block]! - by,
      own[block + 1]! - by,
      own[block + 2]! + by,
      own[block + 3]! + by,
    ];
    const near: number[] = [];
    for (let other = 0; other < others.length; other += 4)
      if (
        others[other]! <= east &&
        others[other + 2]! >= west &&
        others[other + 1]! <= north &&
        others[other + 3]! >= south
      )
        near.push(other * BLOCK);
    if (near.length === 0) continue;
    const end = Math.min(a.length, (block + 4) * BLOCK);
    for (let i = block * BLOCK; i < end; i += 4) visit(i, near);
  }
}

/**
 * Finds the nearest places of two lists of edges. Where two edges run side by side many lines between them are about equally short:
 * the one in their middle is taken, since those at the ends run along what lies between.
 */
function nearestOf(a: readonly number[], b: readonly number[], limit: number): NearestPlaces {
  let nearest: NearestPlaces = { gap: limit, ends: [] };
  const judge = (i: number, j: number): void => {
    const { gap } = nearest;
    const [ax, ay, bx, by] = [a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!];
    const [cx, cy, dx, dy] = [b[j]!, b[j + 1]!, b[j + 2]!, b[j + 3]!];
    if (Math.min(cx, dx) - Math.max(ax, bx) > gap || Math.min(ax, bx) - Math.max(cx, dx) > gap) return;
    if (Math.min(cy, dy) - Math.max(ay, by) > gap || Math.min(ay, by) - Math.max(cy, dy) > gap) return;
    const t = crossing(a, i, b, j);
    if (!Number.isNaN(t)) {
      const [x, y] = [ax + t * (bx - ax), ay + t * (by - ay)];
      nearest = { gap: 0, ends: [x, y, x, y] };
      return;
    }
    const least = gapOf(a, i, b, j);
    if (least >= gap) return;
    const [from, to] = partAbout(a, i, b, j, least + EQUAL_M);
    const share = (from + to) / 2;
    nearest = { gap: least, ends: lineTo(ax + share * (bx - ax), ay + share * (by - ay), b, j).ends };
  };
  eachNear(
    a,
    b,
    () => nearest.gap,
    (i, blocks) => {
      for (const from of blocks)
        for (let j = from; nearest.gap > 0 && j < Math.min(b.length, from + 4 * BLOCK); j += 4) judge(i, j);
    },
  );
  return nearest;
}

/** The part of an edge between two shares of it that lies within a range of a number which changes linearly along it. */
function clipped(from: number, to: number, low: number, high: number): readonly [number, number] {
  const change = to - from;
  if (change === 0) return from >= low && from <= high ? [0, 1] : [1, 0];
  const [s, t] = [(low - from) / change, (high - from) / change];
  return [Math.max(0, Math.min(s, t)), Math.min(1, Math.max(s, t))];
}

/** The part of an edge of length 1 unit `d` that lies within a distance of a point, as shares of the edge. */
function inDisc(px: number, py: number, dx: number, dy: number, radius: number): readonly [number, number] {
  const [a, b, c] = [dx * dx + dy * dy, -(px * dx + py * dy), px * px + py * py - radius * radius];
  const root = b * b - a * c;
  if (root < 0 || a === 0) return [1, 0];
  return [Math.max(0, (-b - Math.sqrt(root)) / a), Math.min(1, (-b + Math.sqrt(root)) / a)];
}

/**
 * The part of an edge that lies within a distance of another one, as shares of the first. What lies within a distance of an edge is
 * convex, so the part is one: from the first to the last share of two discs and of the rectangle between them.
 */
function partAbout(
  a: readonly number[],
  i: number,
  b: readonly number[],
  j: number,
  radius: number,
): readonly [number, number] {
  const [ax, ay] = [a[i]!, a[i + 1]!];
  const [dx, dy] = [a[i + 2]! - ax, a[i + 3]! - ay];
  const [bx, by] = [b[j]!, b[j + 1]!];
  const [ex, ey] = [b[j + 2]! - bx, b[j + 3]! - by];
  const length = Math.hypot(ex, ey);
  const parts = [inDisc(bx - ax, by - ay, dx, dy, radius), inDisc(bx + ex - ax, by + ey - ay, dx, dy, radius)];
  if (length > 0) {
    const [ux, uy] = [ex / length, ey / length];
    const along = (x: number, y: number) => (x - bx) * ux + (y - by) * uy;
    const across = (x: number, y: number) => (x - bx) * uy - (y - by) * ux;
    const [s, t] = clipped(along(ax, ay), along(ax + dx, ay + dy), 0, length);
    const [u, v] = clipped(across(ax, ay), across(ax + dx, ay + dy), -radius, radius);
    parts.push([Math.max(s, u), Math.min(t, v)]);
  }
  let [from, to] = [1, 0];
  for (const [s, t] of parts) if (s <= t) [from, to] = [Math.min(from, s), Math.max(to, t)];
  return [from, to];
}

/** The length of some edges that lies within a distance of others, in the unit of both. */
function lengthAbout(a: readonly number[], b: readonly number[], radius: number): number {
  let sum = 0;
  const lengthOf = (i: number, blocks: readonly number[]): void => {
    const [ax, ay, bx, by] = [a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!];
    const [west, east] = [Math.min(ax, bx) - radius, Math.max(ax, bx) + radius];
    const [south, north] = [Math.min(ay, by) - radius, Math.max(ay, by) + radius];
    const parts: (readonly [number, number])[] = [];
    for (const from of blocks)
      for (let j = from; j < Math.min(b.length, from + 4 * BLOCK); j += 4) {
        if (Math.min(b[j]!, b[j + 2]!) > east || Math.max(b[j]!, b[j + 2]!) < west) continue;
        if (Math.min(b[j + 1]!, b[j + 3]!) > north || Math.max(b[j + 1]!, b[j + 3]!) < south) continue;
        const part = partAbout(a, i, b, j, radius);
        if (part[0] < part[1]) parts.push(part);
      }
    parts.sort(([s], [t]) => s - t);
    let [covered, end] = [0, 0];
    for (const [s, t] of parts) {
      covered += Math.max(0, t - Math.max(s, end));
      end = Math.max(end, t);
    }
    sum += covered * Math.hypot(bx - ax, by - ay);
  };
  eachNear(a, b, () => radius, lengthOf);
  return sum;
}

/**
 * Finds the nearest places of the outlines of two polygons, in a plane about both: exact to a thousandth where that is some kilometres large.
 * @param a,b valid polygons, lng,lat degrees, and their boxes. @param limit metres: what is farther apart is nothing.
 * @param tolerance metres up to which outlines are one.
 * @returns null where they are farther apart than the limit, or one lies in the other farther than it from the outline.
 */
export function outlineContact(
  a: { readonly geometry: Geometry; readonly box: Box },
  b: { readonly geometry: Geometry; readonly box: Box },
  limit: number,
  tolerance: number,
): OutlineContact | null {
  const [one, other] = [boxWithMetres(a.box, limit), boxWithMetres(b.box, limit)];
  const box: Box = [
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ];
  if (box[0] > box[2] || box[1] > box[3]) return null;
  const plane = planeAt((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  const [own, others] = [edgesIn(a.geometry, box, plane), edgesIn(b.geometry, box, plane)];
  const { gap, ends } = nearestOf(own, others, limit * 1.000001);
  if (gap > limit || ends.length === 0) return null;
  const shared =
    gap > tolerance ? 0 : Math.max(lengthAbout(own, others, tolerance), lengthAbout(others, own, tolerance));
  const line = Float64Array.from(ends, (value, i) =>
    i % 2 ? plane.lat + value / plane.y : plane.lng + value / plane.x,
  );
  return { gap, shared, line };
}

/**
 * Measures the metres of a straight line that lie in polygons, or within a distance of their outline, whichever are more.
 * @param line lng, lat, lng, lat in degrees. @param metres of that distance.
 */
export function lengthWithin(geometry: Geometry, line: Float64Array, metres: number): number {
  const [x0, y0, x1, y1] = [line[0]!, line[1]!, line[2]!, line[3]!];
  const box: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
  const plane = planeAt((x0 + x1) / 2, (y0 + y1) / 2);
  const [ax, ay] = [(x0 - plane.lng) * plane.x, (y0 - plane.lat) * plane.y];
  const own = [ax, ay, (x1 - plane.lng) * plane.x, (y1 - plane.lat) * plane.y];
  const edges = edgesIn(geometry, boxWithMetres(box, metres), plane);
  const shares = [0, 1];
  for (let j = 0; j < edges.length; j += 4) {
    const t = crossing(own, 0, edges, j);
    if (!Number.isNaN(t)) shares.push(t);
  }
  shares.sort((s, t) => s - t);
  let inside = 0;
  for (let i = 1; i < shares.length; i++) {
    const [s, t] = [shares[i - 1]!, shares[i]!];
    if (t > s && contains(geometry, x0 + ((s + t) / 2) * (x1 - x0), y0 + ((s + t) / 2) * (y1 - y0))) inside += t - s;
  }
  return Math.max(inside * Math.hypot(own[2]! - ax, own[3]! - ay), lengthAbout(own, edges, metres));
}
