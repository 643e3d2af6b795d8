import { contours } from 'd3-contour';
import { radiiAt } from '../geometry/geodesic.ts';
import { direct } from './ends.ts';
import { NO_ARC, type RoadGraph } from './graph.ts';
import type { Reached } from './reach.ts';
import { UNITS } from './road-lines.ts';
import type { Snap } from './snap.ts';

/** Rings of a MultiPolygon as GeoJSON has them: lng,lat, shells counter-clockwise, holes clockwise. */
export type Rings = [number, number][][][];

const DEGREE = Math.PI / 180;
/** Metres a second beside the road: at a stroll, so that yards belong to their street and a forest does not. */
const OFF_ROAD = 1.2;
/** Metres beside a road that still count, at most; a cell at least. */
const BESIDE = 150;
/** Side of a cell in metres, and cells along a side at most. */
const FINEST = 60;
const CELLS = 360;

/** A way of a segment that is driven within the limit: its arc's times at both ends, in the direction of the shape. */
interface Driven {
  readonly segment: number;
  readonly atStart: number;
  readonly atEnd: number;
}

/** Segments by their arcs, made once a graph: NO_ARC's place for arcs of turns, which have no segment. */
export function segmentsOfArcs({ arcs, forward, backward }: RoadGraph): Uint32Array {
  const segments = new Uint32Array(arcs.node.length).fill(NO_ARC);
  for (const column of [forward, backward])
    for (let segment = 0; segment < column.length; segment++)
      if (column[segment] !== NO_ARC) segments[column[segment]!] = segment;
  return segments;
}

/** What is driven within the limit, each way for itself. Ferries are crossed, but nobody gets off at sea. */
function* drivenWays(
  graph: RoadGraph,
  segments: Uint32Array,
  from: Snap,
  reached: Reached,
  limit: number,
): Generator<Driven> {
  const { arcs, forward, ferry } = graph;
  for (const node of reached.nodes)
    for (let arc = arcs.first[node]!; arc < arcs.first[node + 1]!; arc++) {
      const segment = segments[arc]!;
      if (segment === NO_ARC || ferry[segment]) continue;
      const [begin, end] = [reached.time(node), reached.time(node) + arcs.time[arc]!];
      yield forward[segment] === arc
        ? { segment, atStart: begin, atEnd: end }
        : { segment, atStart: end, atEnd: begin };
    }
  // The road that it begins on, from the place to both of its ends.
  for (const share of [0, 1]) {
    const way = direct(graph, from, { ...from, share });
    if (way === null || from.share === share) continue;
    const rest = share === 1 ? 1 - from.share : from.share;
    const whole = way.time / rest;
    const before = -whole * (1 - rest);
    if (before <= limit)
      yield share === 1
        ? { segment: from.segment, atStart: before, atEnd: way.time }
        : { segment: from.segment, atStart: way.time, atEnd: before };
  }
}

/** Milliseconds at the corners of a grid, least where several roads lead to one. */
class Field {
  readonly values: Float64Array;
  readonly columns: number;
  readonly rows: number;
  readonly #west: number;
  readonly #south: number;
  /** Degrees of a cell. */
  readonly #dx: number;
  readonly #dy: number;
  readonly #cell: number;
  readonly #reach: number;
  readonly beyond: number;

  /** @param box of what is driven, degrees. @param limit milliseconds. */
  constructor([west, south, east, north]: readonly [number, number, number, number], limit: number) {
    const { M, N } = radiiAt((south + north) / 2);
    const [x, y] = [N * Math.cos(((south + north) / 2) * DEGREE) * DEGREE, M * DEGREE];
    const [width, height] = [(east - west) * x, (north - south) * y];
    this.#cell = Math.max(FINEST, Math.max(width, height) / CELLS);
    this.#reach = Math.max(BESIDE, 1.5 * this.#cell);
    this.#dx = this.#cell / x;
    this.#dy = this.#cell / y;
    const margin = Math.ceil(this.#reach / this.#cell) + 1;
    this.columns = Math.ceil(width / this.#cell) + 2 * margin + 1;
    this.rows = Math.ceil(height / this.#cell) + 2 * margin + 1;
    this.#west = west - margin * this.#dx;
    this.#south = south - margin * this.#dy;
    // Where no road is near, so late that the line runs half a cell beside the last corner that has one.
    this.beyond = limit + (this.#cell * 1000) / OFF_ROAD;
    this.values = new Float64Array(this.columns * this.rows).fill(-this.beyond);
  }

  /** Metres between two places of a road that are marked. */
  get step(): number {
    return this.#cell / 2;
  }

  mark(lng: number, lat: number, time: number): void {
    const [x, y] = [(lng - this.#west) / this.#dx, (lat - this.#south) / this.#dy];
    const cells = this.#reach / this.#cell;
    const perCell = (this.#cell * 1000) / OFF_ROAD;
    for (let row = Math.max(0, Math.ceil(y - cells)); row <= Math.min(this.rows - 1, y + cells); row++)
      for (let column = Math.max(0, Math.ceil(x - cells)); column <= Math.min(this.columns - 1, x + cells); column++) {
        const away = Math.hypot(column - x, row - y);
        if (away > cells) continue;
        // Within a cell of the road one is at it: the grid knows no better.
        const value = -(time + Math.max(0, away - 1) * perCell);
        const at = row * this.columns + column;
        if (value > this.values[at]!) this.values[at] = value;
      }
  }

  /** The area of all corners at or under a time. */
  area(limit: number): Rings {
    const [shape] = contours()
      .size([this.columns, this.rows])
      .thresholds([-limit - 0.5])(this.values as never);
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

/** Vertices of a segment's shape in degrees with the share of its length at each. */
function shapeOf({ shape, shapeFirst }: RoadGraph, segment: number) {
  const [first, end] = [shapeFirst[segment]!, shapeFirst[segment + 1]!];
  const { M, N } = radiiAt(shape[2 * first + 1]! / UNITS);
  const squash = (N * Math.cos((shape[2 * first + 1]! / UNITS) * DEGREE)) / M;
  const xy: number[] = [];
  const shares: number[] = [0];
  let total = 0;
  for (let v = first; v < end; v++) {
    xy.push(shape[2 * v]! / UNITS, shape[2 * v + 1]! / UNITS);
    if (v === first) continue;
    const n = xy.length;
    total += Math.hypot((xy[n - 2]! - xy[n - 4]!) * squash, xy[n - 1]! - xy[n - 3]!);
    shares.push(total);
  }
  return { xy, shares: shares.map(at => (total === 0 ? 0 : at / total)), metres: total * M * DEGREE };
}

/**
 * Areas that are driven to within some times: the roads reached, and what lies beside them (marching squares over a grid
 * of times, cells of 60 m or the 360th part of the area's side).
 * @param reached within the largest limit. @param limits milliseconds.
 * @returns of each limit its area; empty where not even the road at the place is driven.
 */
export function isochrones(
  graph: RoadGraph,
  segments: Uint32Array,
  from: Snap,
  reached: Reached,
  limits: readonly number[],
): Rings[] {
  const largest = Math.max(...limits);
  const ways: { readonly way: Driven; readonly shape: ReturnType<typeof shapeOf> }[] = [];
  const box: [number, number, number, number] = [from.lng, from.lat, from.lng, from.lat];
  for (const way of drivenWays(graph, segments, from, reached, largest)) {
    const shape = shapeOf(graph, way.segment);
    ways.push({ way, shape });
    for (let i = 0; i < shape.xy.length; i += 2)
      for (const axis of [0, 1]) {
        box[axis] = Math.min(box[axis]!, shape.xy[i + axis]!);
        box[axis + 2] = Math.max(box[axis + 2]!, shape.xy[i + axis]!);
      }
  }
  const field = new Field(box, largest);
  field.mark(from.lng, from.lat, 0);
  for (const { way, shape } of ways) markWay(field, way, shape, largest);
  return limits.map(limit => field.area(limit));
}

function markWay(
  field: Field,
  { atStart, atEnd }: Driven,
  { xy, shares, metres }: ReturnType<typeof shapeOf>,
  limit: number,
): void {
  for (let v = 0; v + 1 < shares.length; v++) {
    const [begin, end] = [shares[v]!, shares[v + 1]!];
    const pieces = Math.max(1, Math.ceil(((end - begin) * metres) / field.step));
    for (let i = v === 0 ? 0 : 1; i <= pieces; i++) {
      const t = i / pieces;
      const time = atStart + (atEnd - atStart) * (begin + t * (end - begin));
      if (time < 0 || time > limit) continue;
      const [x, y] = [2 * v, 2 * v + 1];
      field.mark(xy[x]! + t * (xy[x + 2]! - xy[x]!), xy[y]! + t * (xy[y + 2]! - xy[y]!), time);
    }
  }
}
