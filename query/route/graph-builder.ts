import { componentsOf, strongComponentsOf } from './components.ts';
import { contract } from './contraction.ts';
import { type Arcs, type GraphFacts, NO_ARC, type RoadGraph } from './graph.ts';
import { growingInts, growingWords } from './growing.ts';
import { NONE } from './junctions.ts';
import { type RoadLines, UNITS } from './road-lines.ts';
import { SegmentTree } from './segment-boxes.ts';
import { type Segments, segmentsOf } from './segments.ts';
import { type Turn, turnsOf, type Way } from './turns.ts';

/** No road can be driven. */
export class NoRoads extends Error {
  override readonly name = 'NoRoads';
}

/** Nodes and arcs before they are put in order. */
class Draft {
  readonly nodes = growingInts();
  readonly tail = growingWords();
  readonly head = growingWords();
  readonly time = growingWords();
  readonly length = growingWords();

  node(lng: number, lat: number): number {
    this.nodes.push(lng);
    this.nodes.push(lat);
    return this.nodes.length / 2 - 1;
  }

  arc(tail: number, head: number, time: number, length: number): number {
    this.tail.push(tail);
    this.head.push(head);
    this.time.push(time);
    this.length.push(length);
    return this.tail.length - 1;
  }
}

/**
 * Where ways end and begin: at their junction, but at one with forbidden turns each way that leaves begins at a node of its
 * own, each way that is bound by a rule ends at one, and arcs of no length lead over where it may turn.
 */
function endsOfWays(draft: Draft, segments: Segments, turns: readonly Turn[]) {
  const [head, tail] = [new Map<Way, number>(), new Map<Way, number>()];
  const copy = (node: number) => draft.node(draft.nodes.array[2 * node]!, draft.nodes.array[2 * node + 1]!);
  const open = (way: Way) => (way % 2 ? segments.against : segments.along)[way >> 1] !== NONE;
  const byJunction = Map.groupBy(turns, turn => turn.junction);
  const leaving = new Map<number, Way[]>();
  for (let segment = 0; segment < segments.count; segment++)
    for (const way of [2 * segment, 2 * segment + 1]) {
      const junction = (way % 2 ? segments.end : segments.start)[segment]!;
      if (!byJunction.has(junction) || !open(way)) continue;
      const list = leaving.get(junction) ?? [];
      leaving.set(junction, list);
      list.push(way);
    }
  for (const [junction, rules] of byJunction) {
    const ways = leaving.get(junction) ?? [];
    for (const way of ways) {
      tail.set(way, copy(junction));
      draft.arc(junction, tail.get(way)!, 0, 0);
    }
    for (const [arriving, own] of Map.groupBy(rules, rule => rule.arriving)) {
      const node = copy(junction);
      head.set(arriving, node);
      const musts = own.filter(rule => rule.only);
      for (const way of ways) {
        const may = musts.length === 0 || musts.some(rule => rule.leaving === way);
        if (may && !own.some(rule => !rule.only && rule.leaving === way)) draft.arc(node, tail.get(way)!, 0, 0);
      }
    }
  }
  return { head, tail };
}

/** Arcs sorted by the node they leave. @returns also the new place of each. */
function sorted({ nodes, tail, head, time, length }: Draft) {
  const count = tail.length;
  const first = new Uint32Array(nodes.length / 2 + 1);
  for (const node of tail.filled) first[node + 1]!++;
  for (let node = 1; node < first.length; node++) first[node]! += first[node - 1]!;
  const next = first.slice();
  const place = new Uint32Array(count);
  const column = () => new Uint32Array(count);
  const out = { node: column(), time: column(), length: column() };
  const tails = column();
  for (let arc = 0; arc < count; arc++) {
    const to = next[tail.array[arc]!]!++;
    place[arc] = to;
    tails[to] = tail.array[arc]!;
    out.node[to] = head.array[arc]!;
    out.time[to] = time.array[arc]!;
    out.length[to] = length.array[arc]!;
  }
  const arcs: Arcs = { first, ...out };
  return { arcs, tail: tails, place };
}

function boxOf(shape: Int32Array): GraphFacts['box'] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < shape.length; i += 2)
    for (const axis of [0, 1]) {
      box[axis] = Math.min(box[axis]!, shape[i + axis]! / UNITS);
      box[axis + 2] = Math.max(box[axis + 2]!, shape[i + axis]! / UNITS);
    }
  return box;
}

function fastestOf({ count, ferries, forward, backward }: RoadLines): number {
  let fastest = 0;
  for (let road = 0; road < count; road++)
    if (!ferries.has(road)) fastest = Math.max(fastest, forward.array[road]!, backward.array[road]!);
  return fastest;
}

/**
 * Nodes of a network that a drive may begin on. Smaller ones are driveways and lots that the map joins to nothing; Valhalla's
 * `minimum_reachability` is the same number.
 */
const LEAST_NODES = 50;

/**
 * Segments of networks in which all roads lead to each other and that are large enough, or the largest of the graph.
 * @returns 1 for each of them.
 */
function joinedSegments({ arcs, tail, forward, backward }: Pick<RoadGraph, 'arcs' | 'tail' | 'forward' | 'backward'>) {
  const { part, sizes } = strongComponentsOf(arcs.first, arcs.node);
  const least = Math.min(
    LEAST_NODES,
    sizes.reduce((most, size) => Math.max(most, size), 0),
  );
  const isJoined = (arc: number) => {
    if (arc === NO_ARC) return false;
    const network = part[tail[arc]!]!;
    return network === part[arcs.node[arc]!] && sizes[network]! >= least;
  };
  return Uint8Array.from(forward, (along, segment) => (isJoined(along) || isJoined(backward[segment]!) ? 1 : 0));
}

/**
 * Makes a graph of roads and contracts it.
 * @param report called with the share that is contracted, 0 to 1.
 * @throws NoRoads when no road can be driven either way.
 */
export function buildGraph(roads: RoadLines, report: (share: number) => void = () => {}): RoadGraph {
  const segments = segmentsOf(roads);
  if (segments.count === 0) throw new NoRoads('none of its lines is a road that cars may drive');
  const { turns, leftOut } = turnsOf(roads, segments);
  const draft = new Draft();
  for (let i = 0; i < segments.junctions.length; i += 2) draft.node(segments.junctions[i]!, segments.junctions[i + 1]!);
  const { head, tail } = endsOfWays(draft, segments, turns);
  const forward = new Uint32Array(segments.count).fill(NO_ARC);
  const backward = new Uint32Array(segments.count).fill(NO_ARC);
  const ferry = new Uint8Array(segments.count);
  for (let segment = 0; segment < segments.count; segment++) {
    const [start, end, length] = [segments.start[segment]!, segments.end[segment]!, segments.length[segment]!];
    const [along, against] = [segments.along[segment]!, segments.against[segment]!];
    const [to, back] = [2 * segment, 2 * segment + 1];
    if (along !== NONE) forward[segment] = draft.arc(tail.get(to) ?? start, head.get(to) ?? end, along, length);
    if (against !== NONE)
      backward[segment] = draft.arc(tail.get(back) ?? end, head.get(back) ?? start, against, length);
    if (roads.ferries.has(segments.road[segment]!)) ferry[segment] = 1;
  }
  const { arcs, tail: tails, place } = sorted(draft);
  const placed = (arc: number) => (arc === NO_ARC ? NO_ARC : place[arc]!);
  const ways = { arcs, tail: tails, forward: forward.map(placed), backward: backward.map(placed) };
  const nodes = draft.nodes.filled;
  const count = nodes.length / 2;
  const { shape, shapeFirst } = segments;
  const { up, down } = contract(arcs, count, contracted => report(contracted / count));
  return {
    facts: {
      roads: roads.count,
      ferries: roads.ferries.size,
      restrictions: turns.length,
      restrictionsLeftOut: leftOut,
      fastest: fastestOf(roads),
      box: boxOf(shape),
    },
    nodes,
    ...ways,
    up,
    down,
    shapeFirst,
    shape,
    ferry,
    joined: joinedSegments(ways),
    boxes: SegmentTree.boxesOf({ shape, shapeFirst }),
    component: componentsOf(count, tails, arcs.node),
  };
}
