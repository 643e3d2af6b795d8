import FlatQueue from 'flatqueue';
import type { End } from './ends.ts';
import { type Arcs, UNREACHED } from './graph.ts';

/** Searches a hierarchy upwards from a place; one object for many searches, because it holds 12 bytes a node. */
export class UpwardSearch {
  readonly #time: Uint32Array;
  readonly #length: Uint32Array;
  readonly #met: Uint32Array;
  #search = 0;
  readonly #queue = new FlatQueue<number>();

  constructor(nodes: number) {
    this.#time = new Uint32Array(nodes);
    this.#length = new Uint32Array(nodes);
    this.#met = new Uint32Array(nodes);
  }

  /**
   * @param arcs that lead up, in the direction of the search.
   * @param opposite those that lead down to a node: where one of them makes it sooner, the node's way up is no fastest way
   *   and is not followed ("stall on demand").
   * @param settle called for each node with its milliseconds and decimetres, which are least wherever it matters.
   */
  run(
    ends: readonly End[],
    arcs: Arcs,
    opposite: Arcs,
    settle: (node: number, time: number, length: number) => void,
  ): void {
    const queue = this.#queue;
    this.#search++;
    queue.clear();
    for (const { node, time, length } of ends) this.#reach(node, time, length);
    while (queue.length > 0) {
      const time = queue.peekValue()!;
      const node = queue.pop()!;
      if (time > this.#time[node]! || this.#isStalled(node, time, opposite)) continue;
      const length = this.#length[node]!;
      settle(node, time, length);
      for (let arc = arcs.first[node]!; arc < arcs.first[node + 1]!; arc++)
        this.#reach(arcs.node[arc]!, time + arcs.time[arc]!, length + arcs.length[arc]!);
    }
  }

  #reach(node: number, time: number, length: number): void {
    if (this.#met[node] === this.#search && this.#time[node]! <= time) return;
    if (time >= UNREACHED) return;
    this.#met[node] = this.#search;
    this.#time[node] = time;
    this.#length[node] = length;
    this.#queue.push(node, time);
  }

  #isStalled(node: number, time: number, opposite: Arcs): boolean {
    for (let arc = opposite.first[node]!; arc < opposite.first[node + 1]!; arc++) {
      const from = opposite.node[arc]!;
      if (this.#met[from] === this.#search && this.#time[from]! + opposite.time[arc]! < time) return true;
    }
    return false;
  }
}
