import type { Box } from '../../datasets/geometry.ts';
import { direct } from './ends.ts';
import { NO_ARC, type RoadGraph } from './graph.ts';
import type { Reached } from './reach.ts';
import { UNITS } from './road-lines.ts';
import type { Snap } from './snap.ts';
import { cellOf, type Rings, TimeField } from './time-field.ts';

const DEGREE = Math.PI / 180;
/** Decimetres of a degree of latitude: fewer than there are anywhere, so that what is reckoned with it is no shorter. */
const DECIMETRES_A_DEGREE = 1_105_700;

/**
 * Segments by their arcs, made once a graph: NO_ARC's place for arcs of turns, which have no segment, and of ferries: nobody
 * gets off at sea.
 */
export function segmentsOfArcs({ arcs, forward, backward, ferry }: RoadGraph): Uint32Array {
  const segments = new Uint32Array(arcs.node.length).fill(NO_ARC);
  for (const column of [forward, backward])
    for (let segment = 0; segment < column.length; segment++)
      if (column[segment] !== NO_ARC && !ferry[segment]) segments[column[segment]!] = segment;
  return segments;
}

/** Nodes reached that a road leaves. */
function roadsideOf({ arcs: { first } }: RoadGraph, segments: Uint32Array, { nodes }: Reached): Uint32Array {
  const roadside = new Uint32Array(nodes.length);
  let count = 0;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    const end = first[node + 1]!;
    for (let arc = first[node]!; arc < end; arc++) {
      if (segments[arc] === NO_ARC) continue;
      roadside[count++] = node;
      break;
    }
  }
  return roadside.subarray(0, count);
}

/** Where a search began, and what of its roads it reached within a limit of milliseconds. */
interface Driven {
  readonly graph: RoadGraph;
  readonly segments: Uint32Array;
  readonly from: Snap;
  readonly reached: Reached;
  readonly roadside: Uint32Array;
  readonly limit: number;
}

/** Ways along segments, four numbers each: the segment, milliseconds at its first and at its last vertex, decimetres. */
type Ways = number[];

/** The ways that are driven and do not lie where their ends do: within a box in UNITS for sure, and others. */
function waysOf({ graph, segments, from, reached, roadside, limit }: Driven, [west, south, east, north]: Box) {
  const { arcs, forward, nodes } = graph;
  // A short road that is driven whole lies where its ends do; a little shorter than a step, which the box may change.
  const short = 0.9 * 10 * cellOf([west / UNITS, south / UNITS, east / UNITS, north / UNITS]).side;
  const tall = UNITS / DECIMETRES_A_DEGREE;
  const wide = tall / Math.cos((Math.max(Math.abs(south), Math.abs(north)) / UNITS) * DEGREE);
  const [inside, others]: [Ways, Ways] = [[], []];
  for (const node of roadside) {
    const begin = reached.time(node);
    const x = nodes[2 * node]!;
    const y = nodes[2 * node + 1]!;
    /** Decimetres to the nearest side of the box, at most. */
    const room = Math.min((x - west) / wide, (east - x) / wide, (y - south) / tall, (north - y) / tall);
    const plain = Math.min(short, room);
    const last = arcs.first[node + 1]!;
    for (let arc = arcs.first[node]!; arc < last; arc++) {
      const end = begin + arcs.time[arc]!;
      const length = arcs.length[arc]!;
      if (length <= plain && end <= limit) continue;
      const segment = segments[arc]!;
      if (segment === NO_ARC) continue;
      const isForward = forward[segment] === arc;
      (length <= room ? inside : others).push(segment, isForward ? begin : end, isForward ? end : begin, length);
    }
  }
  // The road that it begins on, from the place to both of its ends.
  for (const share of [0, 1]) {
    const way = direct(graph, from, { ...from, share });
    if (way === null || from.share === share) continue;
    const driven = Math.abs(share - from.share);
    const before = way.time - way.time / driven;
    if (before > limit) continue;
    if (share === 1) others.push(from.segment, before, way.time, Number.POSITIVE_INFINITY);
    else others.push(from.segment, way.time, before, Number.POSITIVE_INFINITY);
  }
  return { inside, others };
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

/** The box of the nodes and of where the search began, UNITS. */
function boxOfNodes({ graph: { nodes }, from, roadside }: Driven): Box {
  let [west, south, east, north] = [from.lng * UNITS, from.lat * UNITS, from.lng * UNITS, from.lat * UNITS];
  for (const node of roadside) {
    const x = nodes[2 * node]!;
    const y = nodes[2 * node + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}

/** A box of UNITS made as wide as it takes to hold ways too, in degrees. */
function boxWith({ graph, limit }: Driven, [west, south, east, north]: Box, ways: Ways): Box {
  const take = (x: number, y: number) => {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  };
  for (let i = 0; i < ways.length; i += 4)
    eachPiece(graph, ways[i]!, ways[i + 1]!, ways[i + 2]!, limit, (ax, ay, bx, by) => {
      take(ax, ay);
      take(bx, by);
    });
  return [west / UNITS, south / UNITS, east / UNITS, north / UNITS];
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
  reached: Reached,
  limits: readonly number[],
): Rings[] {
  const largest = Math.max(...limits);
  const roadside = roadsideOf(graph, segments, reached);
  const driven: Driven = { graph, segments, from, reached, roadside, limit: largest };
  const nodesBox = boxOfNodes(driven);
  const { inside, others } = waysOf(driven, nodesBox);
  const field = new TimeField(boxWith(driven, nodesBox, others), largest);
  field.markPlace(from.lng, from.lat, 0);
  for (const node of roadside)
    field.markPlace(graph.nodes[2 * node]! / UNITS, graph.nodes[2 * node + 1]! / UNITS, reached.time(node));
  const { step } = field;
  const mark: VisitPiece = (ax, ay, bx, by, begin, end) => field.markPiece(ax, ay, bx, by, begin, end);
  for (const ways of [inside, others])
    for (let i = 0; i < ways.length; i += 4) {
      const [segment, atStart, atEnd, length] = [ways[i]!, ways[i + 1]!, ways[i + 2]!, ways[i + 3]!];
      if (length <= step && atStart <= largest && atEnd <= largest) continue;
      eachPiece(graph, segment, atStart, atEnd, largest, mark);
    }
  field.widen();
  return limits.map(limit => field.area(limit));
}
