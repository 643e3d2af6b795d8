import FlatQueue from 'flatqueue';
import type { Arcs } from './graph.ts';
import { Growing } from './growing.ts';

/** Nodes that a witness search settles before it gives up: then a shortcut is made that may not be needed. */
const WITNESS_LIMIT = 60;
const NIL = -1;

const words = () => new Growing(length => new Uint32Array(length));
const links = () => new Growing(length => new Int32Array(length));

/** The arcs among nodes that are not contracted yet, in linked lists; what is unlinked is used again. */
class Remaining {
  readonly firstOut: Int32Array;
  readonly firstIn: Int32Array;
  readonly tail = words();
  readonly head = words();
  readonly time = words();
  readonly length = words();
  /** Arcs of the roads that it stands for. */
  readonly hops = words();
  readonly nextOut = links();
  readonly nextIn = links();
  readonly #free: number[] = [];

  constructor(nodes: number) {
    this.firstOut = new Int32Array(nodes).fill(NIL);
    this.firstIn = new Int32Array(nodes).fill(NIL);
  }

  /** Adds an arc, or makes the one that joins the same nodes faster; a loop serves nobody. */
  add(tail: number, head: number, time: number, length: number, hops: number): void {
    if (tail === head) return;
    for (let arc = this.firstOut[tail]!; arc !== NIL; arc = this.nextOut.array[arc]!)
      if (this.head.array[arc] === head) {
        const held = this.time.array[arc]!;
        if (time < held || (time === held && length < this.length.array[arc]!)) this.#write(arc, time, length, hops);
        return;
      }
    let arc = this.#free.pop();
    if (arc === undefined) {
      arc = this.tail.length;
      for (const column of [this.tail, this.head, this.time, this.length, this.hops]) column.push(0);
      this.nextOut.push(NIL);
      this.nextIn.push(NIL);
    }
    this.tail.array[arc] = tail;
    this.head.array[arc] = head;
    this.#write(arc, time, length, hops);
    this.nextOut.array[arc] = this.firstOut[tail]!;
    this.firstOut[tail] = arc;
    this.nextIn.array[arc] = this.firstIn[head]!;
    this.firstIn[head] = arc;
  }

  #write(arc: number, time: number, length: number, hops: number): void {
    this.time.array[arc] = time;
    this.length.array[arc] = length;
    this.hops.array[arc] = hops;
  }

  /** Takes a node and its arcs away. */
  remove(node: number): void {
    for (let arc = this.firstOut[node]!; arc !== NIL; arc = this.nextOut.array[arc]!) {
      unlink(this.firstIn, this.nextIn.array, this.head.array[arc]!, arc);
      this.#free.push(arc);
    }
    for (let arc = this.firstIn[node]!; arc !== NIL; arc = this.nextIn.array[arc]!) {
      unlink(this.firstOut, this.nextOut.array, this.tail.array[arc]!, arc);
      this.#free.push(arc);
    }
    this.firstOut[node] = NIL;
    this.firstIn[node] = NIL;
  }
}

function unlink(first: Int32Array, next: Int32Array, node: number, arc: number): void {
  if (first[node] === arc) {
    first[node] = next[arc]!;
    return;
  }
  let at = first[node]!;
  while (next[at] !== arc) at = next[at]!;
  next[at] = next[arc]!;
}

/** Looks for ways round a node that are as fast as those through it. */
class Witnesses {
  readonly #left: Remaining;
  readonly #time: Uint32Array;
  readonly #search: Uint32Array;
  #current = 0;
  readonly #queue = new FlatQueue<number>();

  constructor(left: Remaining, nodes: number) {
    this.#left = left;
    this.#time = new Uint32Array(nodes);
    this.#search = new Uint32Array(nodes);
  }

  /** Searches from a node, without `avoided`, as far as `limit` milliseconds. */
  from(start: number, avoided: number, limit: number): void {
    const { firstOut, nextOut, head, time } = this.#left;
    const queue = this.#queue;
    this.#current++;
    queue.clear();
    this.#reach(start, 0);
    for (let settled = 0; queue.length > 0 && settled < WITNESS_LIMIT; settled++) {
      const at = queue.peekValue()!;
      const node = queue.pop()!;
      if (at > this.#time[node]!) continue;
      if (at > limit) return;
      for (let arc = firstOut[node]!; arc !== NIL; arc = nextOut.array[arc]!) {
        const to = head.array[arc]!;
        const there = at + time.array[arc]!;
        if (to !== avoided && there <= limit && there < this.to(to)) this.#reach(to, there);
      }
    }
  }

  #reach(node: number, time: number): void {
    this.#search[node] = this.#current;
    this.#time[node] = time;
    this.#queue.push(node, time);
  }

  /** Milliseconds to a node in the search made last; Infinity where it was not met. */
  to(node: number): number {
    return this.#search[node] === this.#current ? this.#time[node]! : Number.POSITIVE_INFINITY;
  }
}

/** Arcs found node by node, put into rows by node in the end. */
class Gathered {
  readonly #at = words();
  readonly #node = words();
  readonly #time = words();
  readonly #length = words();

  add(at: number, node: number, time: number, length: number): void {
    this.#at.push(at);
    this.#node.push(node);
    this.#time.push(time);
    this.#length.push(length);
  }

  rows(nodes: number): Arcs {
    const at = this.#at.filled;
    const first = new Uint32Array(nodes + 1);
    for (const node of at) first[node + 1]!++;
    for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!;
    const next = first.slice(0, nodes);
    const rows = {
      node: new Uint32Array(at.length),
      time: new Uint32Array(at.length),
      length: new Uint32Array(at.length),
    };
    for (let i = 0; i < at.length; i++) {
      const to = next[at[i]!]!++;
      rows.node[to] = this.#node.array[i]!;
      rows.time[to] = this.#time.array[i]!;
      rows.length[to] = this.#length.array[i]!;
    }
    return { first, ...rows };
  }
}

/**
 * Contraction hierarchy (Geisberger, Sanders, Schultes, Delling 2008): nodes are taken away one by one, least important
 * first, and where the fastest way between two neighbours led through the node a shortcut takes its place. Importance is
 * the level that a node would get, and shortcuts made over arcs taken away, both in number and in arcs that they stand for
 * (as in RoutingKit); it is looked at again when a node's turn comes.
 * @param nodes how many there are.
 * @param report called with the nodes contracted so far, about a hundred times.
 * @returns of each node the arcs to nodes contracted later, and the arcs from such nodes. A fastest way leads up, then down.
 */
export function contract(
  arcs: Arcs,
  nodes: number,
  report: (contracted: number) => void = () => {},
): { readonly up: Arcs; readonly down: Arcs } {
  const left = new Remaining(nodes);
  for (let tail = 0; tail < nodes; tail++)
    for (let arc = arcs.first[tail]!; arc < arcs.first[tail + 1]!; arc++)
      left.add(tail, arcs.node[arc]!, arcs.time[arc]!, arcs.length[arc]!, 1);
  const witnesses = new Witnesses(left, nodes);
  const level = new Uint32Array(nodes);
  const { firstIn, firstOut, nextIn, nextOut, tail, head, time, length, hops } = left;

  /** Calls back with every shortcut that a node's contraction needs: its two arcs. */
  const shortcuts = (node: number, visit: (arriving: number, leaving: number) => void) => {
    let slowest = 0;
    for (let arc = firstOut[node]!; arc !== NIL; arc = nextOut.array[arc]!)
      slowest = Math.max(slowest, time.array[arc]!);
    for (let arriving = firstIn[node]!; arriving !== NIL; arriving = nextIn.array[arriving]!) {
      const start = tail.array[arriving]!;
      const before = time.array[arriving]!;
      witnesses.from(start, node, before + slowest);
      for (let leaving = firstOut[node]!; leaving !== NIL; leaving = nextOut.array[leaving]!) {
        const end = head.array[leaving]!;
        if (end !== start && witnesses.to(end) > before + time.array[leaving]!) visit(arriving, leaving);
      }
    }
  };
  const importance = (node: number): number => {
    let [removed, removedHops, added, addedHops] = [0, 0, 0, 0];
    for (let arc = firstOut[node]!; arc !== NIL; arc = nextOut.array[arc]!) {
      removed++;
      removedHops += hops.array[arc]!;
    }
    for (let arc = firstIn[node]!; arc !== NIL; arc = nextIn.array[arc]!) {
      removed++;
      removedHops += hops.array[arc]!;
    }
    shortcuts(node, (arriving, leaving) => {
      added++;
      addedHops += hops.array[arriving]! + hops.array[leaving]!;
    });
    return level[node]! + added / Math.max(1, removed) + addedHops / Math.max(1, removedHops);
  };

  const queue = new FlatQueue<number>();
  for (let node = 0; node < nodes; node++) queue.push(node, importance(node));
  const [up, down] = [new Gathered(), new Gathered()];
  const needed: number[] = [];
  const each = Math.max(1, Math.floor(nodes / 100));
  for (let contracted = 0; queue.length > 0; ) {
    const node = queue.pop()!;
    const now = importance(node);
    if (queue.length > 0 && now > queue.peekValue()!) {
      queue.push(node, now);
      continue;
    }
    needed.length = 0;
    shortcuts(node, (arriving, leaving) => needed.push(arriving, leaving));
    const raise = (neighbour: number) => {
      level[neighbour] = Math.max(level[neighbour]!, level[node]! + 1);
    };
    for (let arc = firstOut[node]!; arc !== NIL; arc = nextOut.array[arc]!) {
      up.add(node, head.array[arc]!, time.array[arc]!, length.array[arc]!);
      raise(head.array[arc]!);
    }
    for (let arc = firstIn[node]!; arc !== NIL; arc = nextIn.array[arc]!) {
      down.add(node, tail.array[arc]!, time.array[arc]!, length.array[arc]!);
      raise(tail.array[arc]!);
    }
    for (let i = 0; i < needed.length; i += 2) {
      const [a, b] = [needed[i]!, needed[i + 1]!];
      const sum = (column: Growing<Uint32Array>) => column.array[a]! + column.array[b]!;
      left.add(tail.array[a]!, head.array[b]!, sum(time), sum(length), sum(hops));
    }
    left.remove(node);
    if (++contracted % each === 0) report(contracted);
  }
  return { up: up.rows(nodes), down: down.rows(nodes) };
}
