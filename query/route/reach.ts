import FlatQueue from 'flatqueue';
import { departures } from './ends.ts';
import { nodeCount, type RoadGraph, UNREACHED } from './graph.ts';
import type { Snap } from './snap.ts';

/** What a search met; read before the next one begins. */
export interface Reached {
  /** Milliseconds to a node, UNREACHED where it was not met. */
  time(node: number): number;
  /** Nodes met, in their own order. */
  readonly nodes: Uint32Array;
}

/** Nodes that wait are put by time into buckets of so many milliseconds (2 to this power): fewer than a short road takes. */
const BUCKET_BITS = 10;
/** Longest limit that buckets are made for: six hours. */
const MOST = 6 * 3_600_000;
const NONE = 0xffffffff;

/** Nodes that wait, in buckets by time: chains in columns that grow. */
class Buckets {
  #first = new Uint32Array(0);
  #node = new Uint32Array(1 << 12);
  #time = new Uint32Array(1 << 12);
  #next = new Uint32Array(1 << 12);
  #count = 0;

  /** Empties them, for times up to a limit. */
  clear(limit: number): void {
    const buckets = (limit >> BUCKET_BITS) + 1;
    if (this.#first.length < buckets) this.#first = new Uint32Array(buckets);
    this.#first.fill(NONE);
    this.#count = 0;
  }

  push(node: number, time: number): void {
    const at = this.#count++;
    if (at === this.#node.length) {
      this.#node = grown(this.#node);
      this.#time = grown(this.#time);
      this.#next = grown(this.#next);
    }
    const bucket = time >> BUCKET_BITS;
    this.#node[at] = node;
    this.#time[at] = time;
    this.#next[at] = this.#first[bucket]!;
    this.#first[bucket] = at;
  }

  /** Tells each node with the time that it was put in with, bucket by bucket; more may be pushed meanwhile, none earlier. */
  drain(tell: (node: number, time: number) => void): void {
    for (let bucket = 0; bucket < this.#first.length; bucket++)
      for (let at = this.#first[bucket]!; at !== NONE; at = this.#first[bucket]!) {
        this.#first[bucket] = this.#next[at]!;
        tell(this.#node[at]!, this.#time[at]!);
      }
  }
}

function grown(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * column.length);
  larger.set(column);
  return larger;
}

/** Nodes by a bit each. */
class NodeSet {
  readonly #bits: Uint32Array;
  #count = 0;

  constructor(nodes: number) {
    this.#bits = new Uint32Array(Math.ceil(nodes / 32));
  }

  /** @param node that is not in it. */
  add(node: number): void {
    this.#bits[node >>> 5]! |= 1 << (node & 31);
    this.#count++;
  }

  /** All of them in their own order, which is that of memory: what follows takes half the time. */
  list(): Uint32Array {
    const out = new Uint32Array(this.#count);
    for (let word = 0, at = 0; at < out.length; word++)
      for (let bits = this.#bits[word]!; bits !== 0; bits &= bits - 1)
        out[at++] = 32 * word + 31 - Math.clz32(bits & -bits);
    return out;
  }

  clear(): void {
    this.#bits.fill(0);
    this.#count = 0;
  }
}

/**
 * Searches outwards from a place over all roads: in the order of time until the caller has seen enough (Dijkstra 1959), or
 * all within a limit, for which buckets do (Dial 1969), in a third of the time.
 */
export class ReachSearch {
  readonly #graph: RoadGraph;
  /** UNREACHED, but for the nodes that the last search met. */
  readonly #time: Uint32Array;
  readonly #length: Uint32Array;
  readonly #met: NodeSet;
  readonly #queue = new FlatQueue<number>();
  readonly #buckets = new Buckets();

  constructor(graph: RoadGraph) {
    const nodes = nodeCount(graph);
    this.#graph = graph;
    this.#time = new Uint32Array(nodes).fill(UNREACHED);
    this.#length = new Uint32Array(nodes);
    this.#met = new NodeSet(nodes);
  }

  /** Forgets what the last search met. */
  #begin(): void {
    for (const node of this.#met.list()) this.#time[node] = UNREACHED;
    this.#met.clear();
  }

  #reached(): Reached {
    const time = this.#time;
    return { time: node => time[node]!, nodes: this.#met.list() };
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
    const [timeOf, lengthOf, met, queue] = [this.#time, this.#length, this.#met, this.#queue];
    this.#begin();
    queue.clear();
    const reach = (node: number, time: number, length: number) => {
      if (time > limit || time >= timeOf[node]!) return;
      if (timeOf[node] === UNREACHED) met.add(node);
      timeOf[node] = time;
      lengthOf[node] = length;
      queue.push(node, time);
    };
    for (const { node, time, length } of departures(this.#graph, from)) reach(node, time, length);
    while (queue.length > 0) {
      const time = queue.peekValue()!;
      const node = queue.pop()!;
      if (time > timeOf[node]!) continue;
      const length = lengthOf[node]!;
      if (settle(node, time, length)) break;
      for (let arc = first[node]!; arc < first[node + 1]!; arc++)
        reach(heads[arc]!, time + times[arc]!, length + lengths[arc]!);
    }
    return this.#reached();
  }

  /** All that is reached within a limit, without the lengths of the ways. @param limit milliseconds. */
  all(from: Snap, limit: number): Reached {
    if (limit > MOST) return this.run(from, limit);
    const { first, node: heads, time: times } = this.#graph.arcs;
    const [timeOf, met, buckets] = [this.#time, this.#met, this.#buckets];
    this.#begin();
    buckets.clear(limit);
    const reach = (node: number, time: number) => {
      if (time > limit || time >= timeOf[node]!) return;
      if (timeOf[node] === UNREACHED) met.add(node);
      timeOf[node] = time;
      buckets.push(node, time);
    };
    for (const { node, time } of departures(this.#graph, from)) reach(node, time);
    buckets.drain((node, time) => {
      // It was reached sooner since.
      if (time !== timeOf[node]) return;
      const end = first[node + 1]!;
      for (let arc = first[node]!; arc < end; arc++) reach(heads[arc]!, time + times[arc]!);
    });
    return this.#reached();
  }
}
