/** No arc: the segment is closed that way. */
export const NO_ARC = 0xffffffff;
/** No way there. */
export const UNREACHED = 0xffffffff;

/** Arcs by the node that they are listed at, in compressed rows: those of node n stand from first[n] to first[n + 1]. */
export interface Arcs {
  readonly first: Uint32Array;
  /** The other node of each arc. */
  readonly node: Uint32Array;
  /** Milliseconds. */
  readonly time: Uint32Array;
  /** Decimetres. */
  readonly length: Uint32Array;
}

/** What the graph was made of, and what of the source it leaves out. */
export interface GraphFacts {
  readonly roads: number;
  readonly ferries: number;
  /** Turn restrictions that are kept, and those whose roads do not meet where they say. */
  readonly restrictions: number;
  readonly restrictionsLeftOut: number;
  /** Kilometres an hour of the fastest road, ferries left out: a bound of how far one comes in a time. */
  readonly fastest: number;
  /** minX, minY, maxX, maxY of all roads, degrees. */
  readonly box: readonly [number, number, number, number];
}

/**
 * Roads to route on. Nodes are junctions, and copies of junctions where turns are forbidden; a segment is the piece of a
 * road between two junctions, with an arc for each way that may be driven. All numbers are whole: sums do not depend on
 * their order.
 */
export interface RoadGraph {
  readonly facts: GraphFacts;
  /** lng, lat of every node in UNITS. */
  readonly nodes: Int32Array;
  /** Arcs by the node they leave. */
  readonly arcs: Arcs;
  /** Node that each arc leaves. */
  readonly tail: Uint32Array;
  /** Arcs to nodes that were contracted later, and arcs from such nodes; shortcuts among both. */
  readonly up: Arcs;
  readonly down: Arcs;
  /** Arc along each segment and arc against it, NO_ARC where there is none; then the first vertex of its shape. */
  readonly forward: Uint32Array;
  readonly backward: Uint32Array;
  readonly shapeFirst: Uint32Array;
  /** lng, lat of the vertices of all segments, both ends included, in UNITS. */
  readonly shape: Int32Array;
  /** 1 for segments of ferries. */
  readonly ferry: Uint8Array;
  /** 1 for segments of a network that is large enough to begin a drive on. */
  readonly joined: Uint8Array;
  /** Boxes of the segments as segment-boxes.ts arranges them, degrees. */
  readonly boxes: Float64Array;
  /** Number of the part of the network that a node belongs to: no way leads from one part to another. */
  readonly component: Uint32Array;
}

/** Number of nodes. */
export const nodeCount = (graph: RoadGraph): number => graph.nodes.length / 2;

/** Number of segments, each of which leads both ways or one. */
export const segmentCount = (graph: RoadGraph): number => graph.forward.length;
