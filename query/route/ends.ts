import { NO_ARC, type RoadGraph } from './graph.ts';
import type { Snap } from './snap.ts';

/** A node that a search begins at, and what it takes from the place to it or from it to the place. */
export interface End {
  readonly node: number;
  /** Milliseconds and decimetres. */
  readonly time: number;
  readonly length: number;
}

const part = (graph: RoadGraph, arc: number, share: number, node: number): End => ({
  node,
  time: Math.round(graph.arcs.time[arc]! * share),
  length: Math.round(graph.arcs.length[arc]! * share),
});

/** The nodes that are reached first from a place, one for each direction in which its road may be driven. */
export function departures(graph: RoadGraph, { segment, share }: Snap): End[] {
  const [along, against] = [graph.forward[segment]!, graph.backward[segment]!];
  return [
    ...(along === NO_ARC ? [] : [part(graph, along, 1 - share, graph.arcs.node[along]!)]),
    ...(against === NO_ARC ? [] : [part(graph, against, share, graph.arcs.node[against]!)]),
  ];
}

/** The nodes from which a place is reached. */
export function arrivals(graph: RoadGraph, { segment, share }: Snap): End[] {
  const [along, against] = [graph.forward[segment]!, graph.backward[segment]!];
  return [
    ...(along === NO_ARC ? [] : [part(graph, along, share, graph.tail[along]!)]),
    ...(against === NO_ARC ? [] : [part(graph, against, 1 - share, graph.tail[against]!)]),
  ];
}

/** The way along one segment, where both places stand on it and it may be driven so; null otherwise. */
export function direct(graph: RoadGraph, from: Snap, to: Snap): Pick<End, 'time' | 'length'> | null {
  if (from.segment !== to.segment) return null;
  const arc = (to.share >= from.share ? graph.forward : graph.backward)[from.segment]!;
  if (arc !== NO_ARC) return part(graph, arc, Math.abs(to.share - from.share), 0);
  // Both at one place of a street that is closed that way.
  return to.share === from.share ? { time: 0, length: 0 } : null;
}
