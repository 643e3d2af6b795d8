import type { RoadLines } from './road-lines.ts';

/** No junction. */
export const NONE = 0xffffffff;

/** Where roads meet or end. */
export interface Junctions {
  readonly count: number;
  /** Junction of every vertex of the roads, NONE within a road. */
  readonly of: Uint32Array;
}

const mixed = (lng: number, lat: number): number => {
  let h = Math.imul(lng, 0x9e3779b1) ^ Math.imul(lat, 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 12)) >>> 0;
};

/**
 * Roads meet where they share a vertex, to the unit: so it is in OpenStreetMap, where a shared node has one position, and in
 * TIGER, whose lines share their nodes. Roads that cross without a shared vertex are bridges to each other.
 */
export function junctionsOf(roads: RoadLines): Junctions {
  const xy = roads.xy.filled;
  const vertices = xy.length / 2;
  const size = 2 ** Math.ceil(Math.log2(Math.max(16, vertices * 1.5)));
  // Open addressing: each slot holds the first vertex of a position.
  const slots = new Int32Array(size).fill(-1);
  const place = new Uint32Array(vertices);
  const isJunction = new Uint8Array(vertices);
  const meet = (vertex: number): number => {
    const [lng, lat] = [xy[2 * vertex]!, xy[2 * vertex + 1]!];
    for (let slot = mixed(lng, lat) & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const junction = slots[slot]!;
      if (junction < 0) {
        slots[slot] = vertex;
        return vertex;
      }
      if (xy[2 * junction] === lng && xy[2 * junction + 1] === lat) return junction;
    }
  };
  for (let road = 0; road < roads.count; road++) {
    const [start, end] = [roads.first(road), roads.first(road + 1)];
    for (let vertex = start; vertex < end; vertex++) {
      const first = meet(vertex);
      place[vertex] = first;
      // The repetition of a vertex that stands right before it is no meeting.
      const again = first !== vertex && (vertex === start || place[vertex - 1] !== first);
      if (again || vertex === start || vertex === end - 1) isJunction[first] = 1;
    }
  }
  const numbers = new Uint32Array(vertices).fill(NONE);
  let count = 0;
  for (let vertex = 0; vertex < vertices; vertex++) if (isJunction[vertex]) numbers[vertex] = count++;
  for (let vertex = 0; vertex < vertices; vertex++) place[vertex] = numbers[place[vertex]!]!;
  return { count, of: place };
}
