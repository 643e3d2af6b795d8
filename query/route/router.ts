import { arrivals, direct } from './ends.ts';
import { type RoadGraph, UNREACHED } from './graph.ts';
import { MatrixSearch, type Table } from './matrix.ts';
import { type Reached, ReachSearch } from './reach.ts';
import { type Snap, Snapper } from './snap.ts';

/** A place that was found on the way, by its number. */
export interface Found {
  readonly index: number;
  /** Milliseconds and decimetres. */
  readonly time: number;
  readonly length: number;
}

/** Places that a search from one place looks for, by the nodes they are come to from. */
class Sought {
  readonly time: Uint32Array;
  readonly length: Uint32Array;
  readonly #at = new Map<number, { readonly index: number; readonly time: number; readonly length: number }[]>();

  constructor(graph: RoadGraph, from: Snap, places: readonly (Snap | null)[]) {
    this.time = new Uint32Array(places.length).fill(UNREACHED);
    this.length = new Uint32Array(places.length).fill(UNREACHED);
    for (const [index, place] of places.entries()) {
      if (!place) continue;
      const way = direct(graph, from, place);
      if (way) this.put(index, way.time, way.length);
      for (const { node, time, length } of arrivals(graph, place)) {
        const others = this.#at.get(node);
        if (others) others.push({ index, time, length });
        else this.#at.set(node, [{ index, time, length }]);
      }
    }
  }

  put(index: number, time: number, length: number): boolean {
    if (time > this.time[index]! || (time === this.time[index] && length >= this.length[index]!)) return false;
    this.time[index] = time;
    this.length[index] = length;
    return true;
  }

  /** Called as a node's time is known. @returns whether a place is reached sooner by it. */
  settle(node: number, time: number, length: number): boolean {
    let sooner = false;
    for (const at of this.#at.get(node) ?? [])
      sooner = this.put(at.index, time + at.time, length + at.length) || sooner;
    return sooner;
  }
}

/**
 * Answers questions about one graph, in memory that is allocated once: for one thread, one question after the other.
 */
export class Router {
  readonly graph: RoadGraph;
  readonly #snapper: Snapper;
  #matrix: MatrixSearch | null = null;
  #reach: ReachSearch | null = null;

  constructor(graph: RoadGraph) {
    this.graph = graph;
    this.#snapper = new Snapper(graph);
  }

  /** As Snapper.snap. */
  snap(lng: number, lat: number, limit: number): Snap | null {
    return this.#snapper.snap(lng, lat, limit);
  }

  /** As Snapper.nearestRoad. */
  nearestRoad(lng: number, lat: number, limit: number): Snap | null {
    return this.#snapper.nearestRoad(lng, lat, limit);
  }

  /** As MatrixSearch.table. */
  table(origins: readonly (Snap | null)[], destinations: readonly (Snap | null)[]): Table {
    this.#matrix ??= new MatrixSearch(this.graph);
    return this.#matrix.table(origins, destinations);
  }

  /** All that is reached from a place within a limit of milliseconds; read before the next question. */
  reach(from: Snap, limit: number): Reached {
    this.#reach ??= new ReachSearch(this.graph);
    return this.#reach.all(from, limit);
  }

  /**
   * The nearest of some places by time, soonest first, ties in their order; the search ends as soon as they are known, so
   * that many near places cost little. @param limit milliseconds.
   */
  nearest(from: Snap, places: readonly (Snap | null)[], count: number, limit: number): Found[] {
    const sought = new Sought(this.graph, from, places);
    const part = this.#partOf(from);
    const possible = places.filter(place => place !== null && this.#partOf(place) === part).length;
    const wanted = Math.min(count, possible);
    /** Of the places met, the soonest: as many as are wanted. */
    const bound = () => {
      const times = [...sought.time].filter(time => time !== UNREACHED).sort((a, b) => a - b);
      return times[wanted - 1] ?? Number.POSITIVE_INFINITY;
    };
    let last = wanted === 0 ? -1 : bound();
    this.#reach ??= new ReachSearch(this.graph);
    this.#reach.run(from, limit, (node, time, length) => {
      if (time > last) return true;
      if (sought.settle(node, time, length)) last = bound();
      return false;
    });
    return this.#found(sought, limit).slice(0, count);
  }

  /** All places that are reached within a limit of milliseconds, in their order. */
  within(from: Snap, places: readonly (Snap | null)[], limit: number): Found[] {
    const sought = new Sought(this.graph, from, places);
    this.#reach ??= new ReachSearch(this.graph);
    this.#reach.run(from, limit, (node, time, length) => {
      sought.settle(node, time, length);
      return false;
    });
    return this.#found(sought, limit).sort((a, b) => a.index - b.index);
  }

  #found({ time, length }: Sought, limit: number): Found[] {
    const found: Found[] = [];
    for (let index = 0; index < time.length; index++)
      if (time[index]! <= limit && time[index] !== UNREACHED)
        found.push({ index, time: time[index]!, length: length[index]! });
    return found.sort((a, b) => a.time - b.time || a.index - b.index);
  }

  /** The part of the network that a place belongs to. */
  #partOf({ segment }: Snap): number {
    const { forward, backward, tail, component } = this.graph;
    const arc = Math.min(forward[segment]!, backward[segment]!);
    return component[tail[arc]!]!;
  }
}
