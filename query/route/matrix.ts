import { arrivals, departures, direct } from './ends.ts';
import { nodeCount, type RoadGraph, UNREACHED } from './graph.ts';
import { growingWords } from './growing.ts';
import type { Snap } from './snap.ts';
import { UpwardSearch } from './upward-search.ts';

/** Times and lengths, row by row of origins; UNREACHED where no way leads. */
export interface Table {
  /** Milliseconds. */
  readonly time: Uint32Array;
  /** Decimetres of that fastest way. */
  readonly length: Uint32Array;
}

/**
 * Fastest ways between many places (Knopp, Sanders, Schultes, Schulz, Wagner 2007): a search up from every destination
 * leaves what it costs from there at each node it meets, in the node's bucket; a search up from every origin looks into the
 * buckets on its way.
 */
export class MatrixSearch {
  readonly #graph: RoadGraph;
  readonly #search: UpwardSearch;
  /** End of each node's bucket while they are filled; 0 for a node without one. */
  readonly #bucket: Uint32Array;

  constructor(graph: RoadGraph) {
    this.#graph = graph;
    this.#search = new UpwardSearch(nodeCount(graph));
    this.#bucket = new Uint32Array(nodeCount(graph) + 1);
  }

  /** @param origins,destinations null makes its row or column unreached. */
  table(origins: readonly (Snap | null)[], destinations: readonly (Snap | null)[]): Table {
    const graph = this.#graph;
    const size = origins.length * destinations.length;
    const time = new Uint32Array(size).fill(UNREACHED);
    const length = new Uint32Array(size).fill(UNREACHED);
    const put = (at: number, ms: number, decimetres: number) => {
      if (ms > time[at]! || (ms === time[at] && decimetres >= length[at]!)) return;
      time[at] = ms;
      length[at] = decimetres;
    };
    const buckets = this.#fill(destinations);
    const { first, column, times, lengths } = buckets;
    origins.forEach((origin, row) => {
      if (!origin) return;
      const start = row * destinations.length;
      destinations.forEach((destination, i) => {
        const way = destination && direct(graph, origin, destination);
        if (way) put(start + i, way.time, way.length);
      });
      this.#search.run(departures(graph, origin), graph.up, graph.down, (node, ms, decimetres) => {
        const place = this.#bucket[node]!;
        if (place === 0) return;
        for (let i = first[place - 1]!; i < first[place]!; i++)
          put(start + column[i]!, ms + times[i]!, decimetres + lengths[i]!);
      });
    });
    for (const node of buckets.nodes) this.#bucket[node] = 0;
    return { time, length };
  }

  /** Buckets of the nodes that are met, numbered as they are met; `#bucket` holds a node's number and one. */
  #fill(destinations: readonly (Snap | null)[]) {
    const graph = this.#graph;
    const [places, columns, ms, decimetres, nodes] = [
      growingWords(),
      growingWords(),
      growingWords(),
      growingWords(),
      growingWords(),
    ];
    destinations.forEach((destination, column) => {
      if (!destination) return;
      this.#search.run(arrivals(graph, destination), graph.down, graph.up, (node, time, length) => {
        let place = this.#bucket[node]!;
        if (place === 0) {
          nodes.push(node);
          place = nodes.length;
          this.#bucket[node] = place;
        }
        places.push(place - 1);
        columns.push(column);
        ms.push(time);
        decimetres.push(length);
      });
    });
    const first = new Uint32Array(nodes.length + 1);
    const count = places.length;
    for (let i = 0; i < count; i++) first[places.array[i]! + 1]!++;
    for (let place = 0; place < nodes.length; place++) first[place + 1]! += first[place]!;
    const next = first.slice();
    const out = { column: new Uint32Array(count), times: new Uint32Array(count), lengths: new Uint32Array(count) };
    for (let i = 0; i < count; i++) {
      const to = next[places.array[i]!]!++;
      out.column[to] = columns.array[i]!;
      out.times[to] = ms.array[i]!;
      out.lengths[to] = decimetres.array[i]!;
    }
    return { first, nodes: nodes.filled, ...out };
  }
}
