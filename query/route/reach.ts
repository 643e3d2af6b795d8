import FlatQueue from 'flatqueue';
import { departures } from './ends.ts';
import { nodeCount, type RoadGraph, UNREACHED } from './graph.ts';
import type { Snap } from './snap.ts';

/** What a search found so far; read before the next one begins. */
export interface Reached {
  /** Milliseconds to a node, UNREACHED where it was not met. */
  time(node: number): number;
  /** Decimetres of that way. */
  length(node: number): number;
  /** Nodes met, in the order of their times but for those met last. */
  readonly nodes: readonly number[];
}

/**
 * Searches outwards from a place over all roads (Dijkstra 1959), as far as a limit or until the caller has seen
 * enough.
 */
export class ReachSearch {
  readonly #graph: RoadGraph;
  readonly #time: Uint32Array;
  readonly #length: Uint32Array;
  readonly #met: Uint32Array;
  #search = 0;
  readonly #queue = new FlatQueue<number>();

  constructor(graph: RoadGraph) {
    const nodes = nodeCount(graph);
    this.#graph = graph;
    this.#time = new Uint32Array(nodes);
    this.#length = new Uint32Array(nodes);
    this.#met = new Uint32Array(nodes);
  }

  /**
   * @param limit milliseconds.
   * @param settle told each node with its milliseconds and decimetres when they are known; true ends the search.
   */
  run(
    from: Snap,
    limit: number,
    settle: (node: number, time: number, length: number) => boolean = () => false,
  ): Reached {
    const { first, node: heads, time: times, length: lengths } = this.#graph.arcs;
    const queue = this.#queue;
    const search = ++this.#search;
    const nodes: number[] = [];
    queue.clear();
    const reach = (node: number, time: number, length: number) => {
      if (time > limit || time >= UNREACHED) return;
      if (this.#met[node] === search && this.#time[node]! <= time) return;
      this.#met[node] = search;
      this.#time[node] = time;
      this.#length[node] = length;
      queue.push(node, time);
    };
    for (const { node, time, length } of departures(this.#graph, from)) reach(node, time, length);
    while (queue.length > 0) {
      const time = queue.peekValue()!;
      const node = queue.pop()!;
      if (time > this.#time[node]!) continue;
      nodes.push(node);
      const length = this.#length[node]!;
      if (settle(node, time, length)) break;
      for (let arc = first[node]!; arc < first[node + 1]!; arc++)
        reach(heads[arc]!, time + times[arc]!, length + lengths[arc]!);
    }
    return {
      time: node => (this.#met[node] === search ? this.#time[node]! : UNREACHED),
      length: node => (this.#met[node] === search ? this.#length[node]! : UNREACHED),
      nodes,
    };
  }
}
