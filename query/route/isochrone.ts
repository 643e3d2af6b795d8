import { contours } from 'd3-contour';
import type { Box } from '../../datasets/geometry.ts';
import { radiiAt } from '../geometry/geodesic.ts';
import { direct } from './ends.ts';
import { NO_ARC, type RoadGraph } from './graph.ts';
import type { ReachedTimes } from './reach.ts';
import { UNITS } from './road-lines.ts';
import type { Snap } from './snap.ts';

/** Rings of a MultiPolygon as GeoJSON has them: lng,lat, shells counter-clockwise, holes clockwise. */
export type Rings = [number, number][][][];

const DEGREE = Math.PI / 180;
/** Metres a second beside the road: at a stroll, so that yards belong to their street and a forest does not. */
const OFF_ROAD = 1.2;
/** Metres beside a road that still count; a cell at least. */
const BESIDE = 150;
/** Side of a cell in metres, and cells along a side at most. */
const FINEST = 60;
const CELLS = 360;
/** Cells between two places of a road that are marked. */
const STEP = 1;
/** Decimetres of a degree of latitude: fewer than there are anywhere, so that what is reckoned with it is no shorter. */
const DECIMETRES_A_DEGREE = 1_105_700;

/** Segments by their arcs, made once a graph: NO_ARC's place for arcs of turns, which have no segment. */
export function segmentsOfArcs({ arcs, forward, backward }: RoadGraph): Uint32Array {
  const segments = new Uint32Array(arcs.node.length).fill(NO_ARC);
  for (const column of [forward, backward])
    for (let segment = 0; segment < column.length; segment++)
      if (column[segment] !== NO_ARC) segments[column[segment]!] = segment;
  return segments;
}

/**
 * Nodes reached that a road other than a ferry leaves: nobody gets off at sea. In their own order, which is that of memory:
 * what follows takes half the time.
 */
function roadsideOf({ arcs, ferry }: RoadGraph, segments: Uint32Array, { nodes }: ReachedTimes): Uint32Array {
  const roadside = Uint32Array.from(nodes).sort();
  let count = 0;
  for (const node of roadside)
    for (let arc = arcs.first[node]!; arc < arcs.first[node + 1]!; arc++) {
      const segment = segments[arc]!;
      if (segment === NO_ARC || ferry[segment]) continue;
      roadside[count++] = node;
      break;
    }
  return roadside.subarray(0, count);
}

/** Told a segment that is driven one way: milliseconds at its first and its last vertex. */
type VisitWay = (segment: number, atStart: number, atEnd: number) => void;

/** Where a search began, and what of its roads it reached within a limit of milliseconds. */
interface Driven {
  readonly graph: RoadGraph;
  readonly segments: Uint32Array;
  readonly from: Snap;
  readonly reached: ReachedTimes;
  readonly roadside: Uint32Array;
  readonly limit: number;
}

/** Whether an arc that leaves a node and ends at some milliseconds need not be told. */
type LeaveOut = (node: number, arc: number, end: number) => boolean;

/** What is driven, each way for itself, ferries left out. */
function eachWay({ graph, segments, from, reached, roadside, limit }: Driven, leaveOut: LeaveOut, visit: VisitWay) {
  const { arcs, forward, ferry } = graph;
  for (const node of roadside) {
    const begin = reached.time(node);
    const last = arcs.first[node + 1]!;
    for (let arc = arcs.first[node]!; arc < last; arc++) {
      const end = begin + arcs.time[arc]!;
      if (leaveOut(node, arc, end)) continue;
      const segment = segments[arc]!;
      if (segment === NO_ARC || ferry[segment]) continue;
      if (forward[segment] === arc) visit(segment, begin, end);
      else visit(segment, end, begin);
    }
  }
  // The road that it begins on, from the place to both of its ends.
  for (const share of [0, 1]) {
    const way = direct(graph, from, { ...from, share });
    if (way === null || from.share === share) continue;
    const driven = Math.abs(share - from.share);
    const before = way.time - way.time / driven;
    if (before > limit) continue;
    if (share === 1) visit(from.segment, before, way.time);
    else visit(from.segment, way.time, before);
  }
}

/** Told a straight piece of a road that is driven within the limit: both ends in UNITS with their milliseconds. */
type VisitPiece = (ax: number, ay: number, bx: number, by: number, from: number, to: number) => void;

/** The pieces of a segment between its vertices, cut off where the limit is up. */
function eachPiece(
  { shape, shapeFirst }: RoadGraph,
  segment: number,
  atStart: number,
  atEnd: number,
  limit: number,
  visit: VisitPiece,
) {
  // Told for every road of the area: no closures and no lists here.
  const first = shapeFirst[segment]!;
  const last = shapeFirst[segment + 1]! - 1;
  const squash = Math.cos((shape[2 * first + 1]! / UNITS) * DEGREE);
  let total = 0;
  for (let v = 2 * first; v < 2 * last; v += 2) {
    const dx = (shape[v + 2]! - shape[v]!) * squash;
    const dy = shape[v + 3]! - shape[v + 1]!;
    total += Math.sqrt(dx * dx + dy * dy);
  }
  const slope = total === 0 ? 0 : (atEnd - atStart) / total;
  let from = atStart;
  for (let v = 2 * first; v < 2 * last; v += 2) {
    const ax = shape[v]!;
    const ay = shape[v + 1]!;
    const dx = shape[v + 2]! - ax;
    const dy = shape[v + 3]! - ay;
    const to = from + slope * Math.sqrt(dx * squash * (dx * squash) + dy * dy);
    let begin = 0;
    let end = 1;
    if (to > from) {
      if (from < 0) begin = -from / (to - from);
      if (to > limit) end = (limit - from) / (to - from);
    } else if (to < from) {
      if (from > limit) begin = (from - limit) / (from - to);
      if (to < 0) end = from / (from - to);
    } else if (from < 0 || from > limit) end = -1;
    if (begin <= end && begin <= 1 && end >= 0)
      visit(
        ax + begin * dx,
        ay + begin * dy,
        ax + end * dx,
        ay + end * dy,
        from + begin * (to - from),
        from + end * (to - from),
      );
    from = to;
  }
}

/** The box of what is driven, degrees: of nodes, and of the roads beside them that may lead out of the nodes' box. */
function boxOf(driven: Driven): Box {
  const { graph, from, roadside, limit } = driven;
  const { arcs, nodes } = graph;
  let [west, south, east, north] = [from.lng * UNITS, from.lat * UNITS, from.lng * UNITS, from.lat * UNITS];
  const take = (x: number, y: number) => {
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  };
  for (const node of roadside) take(nodes[2 * node]!, nodes[2 * node + 1]!);
  const tall = UNITS / DECIMETRES_A_DEGREE;
  const wide = tall / Math.cos((Math.max(Math.abs(south), Math.abs(north)) / UNITS) * DEGREE);
  const staysInside = (node: number, arc: number) => {
    const [x, y, length] = [nodes[2 * node]!, nodes[2 * node + 1]!, arcs.length[arc]!];
    const [dx, dy] = [length * wide, length * tall];
    return x - dx >= west && x + dx <= east && y - dy >= south && y + dy <= north;
  };
  eachWay(driven, staysInside, (segment, atStart, atEnd) =>
    eachPiece(graph, segment, atStart, atEnd, limit, (ax, ay, bx, by) => {
      take(ax, ay);
      take(bx, by);
    }),
  );
  return [west / UNITS, south / UNITS, east / UNITS, north / UNITS];
}

/** Milliseconds at the corners of a grid, least where several roads lead to one. */
class Field {
  readonly #limit: number;
  readonly #values: Float64Array;
  readonly #columns: number;
  readonly #rows: number;
  readonly #west: number;
  readonly #south: number;
  /** Degrees of a cell, and its metres. */
  readonly #dx: number;
  readonly #dy: number;
  readonly #cell: number;
  /** Cells beside a road that count. */
  readonly #rings: number;

  /** @param box of what is driven, degrees. @param limit milliseconds. */
  constructor([west, south, east, north]: Box, limit: number) {
    const { M, N } = radiiAt((south + north) / 2);
    const [x, y] = [N * Math.cos(((south + north) / 2) * DEGREE) * DEGREE, M * DEGREE];
    const [width, height] = [(east - west) * x, (north - south) * y];
    this.#limit = limit;
    this.#cell = Math.max(FINEST, Math.max(width, height) / CELLS);
    this.#rings = Math.max(1, Math.round(BESIDE / this.#cell));
    this.#dx = this.#cell / x;
    this.#dy = this.#cell / y;
    const margin = this.#rings + 2;
    this.#columns = Math.ceil(width / this.#cell) + 2 * margin + 1;
    this.#rows = Math.ceil(height / this.#cell) + 2 * margin + 1;
    this.#west = west - margin * this.#dx;
    this.#south = south - margin * this.#dy;
    this.#values = new Float64Array(this.#columns * this.#rows).fill(Number.POSITIVE_INFINITY);
  }

  /** Decimetres between two places of a road that are marked: their corners touch. */
  get step(): number {
    return STEP * this.#cell * 10;
  }

  /** Marks the four corners around a place. */
  mark(x: number, y: number, time: number): void {
    const at = Math.floor(y) * this.#columns + Math.floor(x);
    const above = at + this.#columns;
    const values = this.#values;
    if (time < values[at]!) values[at] = time;
    if (time < values[at + 1]!) values[at + 1] = time;
    if (time < values[above]!) values[above] = time;
    if (time < values[above + 1]!) values[above + 1] = time;
  }

  markPlace(lng: number, lat: number, time: number): void {
    this.mark((lng - this.#west) / this.#dx, (lat - this.#south) / this.#dy, time);
  }

  /** Marks a piece of a road in steps of less than a cell. */
  markPiece(ax: number, ay: number, bx: number, by: number, from: number, to: number): void {
    const x = (ax / UNITS - this.#west) / this.#dx;
    const y = (ay / UNITS - this.#south) / this.#dy;
    const dx = (bx - ax) / UNITS / this.#dx;
    const dy = (by - ay) / UNITS / this.#dy;
    const steps = Math.max(1, Math.ceil(Math.sqrt(dx * dx + dy * dy) / STEP));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      this.mark(x + t * dx, y + t * dy, from + t * (to - from));
    }
  }

  /** Lets corners beside those of roads be reached from these, as far as that counts. Said once, when all is marked. */
  widen(): void {
    const [straight, across] = [(this.#cell * 1000) / OFF_ROAD, (this.#cell * 1000 * Math.SQRT2) / OFF_ROAD];
    const columns = this.#columns;
    for (let ring = 0; ring < this.#rings; ring++) {
      const before = this.#values.slice();
      for (let row = 1; row + 1 < this.#rows; row++)
        for (let at = row * columns + 1; at < (row + 1) * columns - 1; at++) {
          const next = Math.min(before[at - 1]!, before[at + 1]!, before[at - columns]!, before[at + columns]!);
          const corner = Math.min(
            before[at - columns - 1]!,
            before[at - columns + 1]!,
            before[at + columns - 1]!,
            before[at + columns + 1]!,
          );
          this.#values[at] = Math.min(before[at]!, next + straight, corner + across);
        }
    }
    // Where no road is near, so late that the line runs half a cell beside the last corner that has one.
    const beyond = this.#limit + straight;
    for (let at = 0; at < this.#values.length; at++) this.#values[at] = -Math.min(this.#values[at]!, beyond);
  }

  /** The area of all corners at or under a time. */
  area(limit: number): Rings {
    const [shape] = contours()
      .size([this.#columns, this.#rows])
      .thresholds([-limit - 0.5])(this.#values as never);
    const place = ([x, y]: number[]): [number, number] => [
      Math.round((this.#west + (x! - 0.5) * this.#dx) * 1e6) / 1e6,
      Math.round((this.#south + (y! - 0.5) * this.#dy) * 1e6) / 1e6,
    ];
    return (shape!.coordinates as number[][][][]).map(rings =>
      rings.map((ring, i) => {
        const placed = ring.map(place);
        return isCounterClockwise(placed) === (i === 0) ? placed : placed.reverse();
      }),
    );
  }
}

function isCounterClockwise(ring: readonly (readonly [number, number])[]): boolean {
  let twice = 0;
  for (let i = 0; i + 1 < ring.length; i++) twice += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  return twice > 0;
}

/**
 * Areas that are driven to within some times: the roads reached, and what lies beside them (marching squares over a grid
 * of times, cells of 60 m or the 360th part of the area's side).
 * @param reached within the largest limit. @param limits milliseconds.
 * @returns of each limit its area.
 */
export function isochrones(
  graph: RoadGraph,
  segments: Uint32Array,
  from: Snap,
  reached: ReachedTimes,
  limits: readonly number[],
): Rings[] {
  const largest = Math.max(...limits);
  const roadside = roadsideOf(graph, segments, reached);
  const driven: Driven = { graph, segments, from, reached, roadside, limit: largest };
  const field = new Field(boxOf(driven), largest);
  field.markPlace(from.lng, from.lat, 0);
  for (const node of roadside)
    field.markPlace(graph.nodes[2 * node]! / UNITS, graph.nodes[2 * node + 1]! / UNITS, reached.time(node));
  // A short road that is driven whole lies where its ends do.
  const { step } = field;
  const isShort = (_node: number, arc: number, end: number) => end <= largest && graph.arcs.length[arc]! <= step;
  eachWay(driven, isShort, (segment, atStart, atEnd) =>
    eachPiece(graph, segment, atStart, atEnd, largest, (ax, ay, bx, by, begin, end) =>
      field.markPiece(ax, ay, bx, by, begin, end),
    ),
  );
  field.widen();
  return limits.map(limit => field.area(limit));
}
