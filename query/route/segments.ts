import { distance } from '../geometry/geodesic.ts';
import { hilbert } from '../geometry/hilbert.ts';
import { growingInts, growingWords } from './growing.ts';
import { type Junctions, junctionsOf, NONE } from './junctions.ts';
import { type RoadLines, UNITS } from './road-lines.ts';

/** Milliseconds in which a decimetre is driven at one kilometre an hour. */
const MS_OF_DECIMETRE = 360;

/** The pieces of roads between junctions, in the order of the Hilbert curve: what lies together stands together. */
export interface Segments {
  readonly count: number;
  /** lng, lat of the junctions, which stand in that order too. */
  readonly junctions: Int32Array;
  /** Junctions at both ends. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly road: Uint32Array;
  /** Decimetres. */
  readonly length: Uint32Array;
  /** Milliseconds along and against, NONE where that way is closed. */
  readonly along: Uint32Array;
  readonly against: Uint32Array;
  /** First vertex of each in `shape`, and the end of the last. */
  readonly shapeFirst: Uint32Array;
  readonly shape: Int32Array;
}

/** Place of a vertex on a Hilbert curve over all of them. */
function curveOver(xy: Int32Array): (vertex: number) => number {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    minX = Math.min(minX, xy[i]!);
    minY = Math.min(minY, xy[i + 1]!);
    maxX = Math.max(maxX, xy[i]!);
    maxY = Math.max(maxY, xy[i + 1]!);
  }
  const scale = 0xffff / Math.max(1, maxX - minX, maxY - minY);
  return vertex =>
    hilbert(Math.floor((xy[2 * vertex]! - minX) * scale), Math.floor((xy[2 * vertex + 1]! - minY) * scale));
}

/** Numbers of things in the order of their keys, ties as they come. */
function ordered(count: number, keyOf: (i: number) => number): Uint32Array {
  const keys = Float64Array.from({ length: count }, (_, i) => keyOf(i));
  // A key and its number in one: sorting doubles natively is far faster than asking a function.
  const both = keys.map((key, i) => key * 2 ** 21 + (i % 2 ** 21));
  if (count < 2 ** 21) return Uint32Array.from(both.sort(), value => value % 2 ** 21);
  return new Uint32Array(count).map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
}

function lengthOf(xy: Int32Array, first: number, last: number): number {
  let metres = 0;
  for (let v = first; v < last; v++)
    metres += distance(xy[2 * v]! / UNITS, xy[2 * v + 1]! / UNITS, xy[2 * v + 2]! / UNITS, xy[2 * v + 3]! / UNITS);
  return Math.round(metres * 10);
}

/** Milliseconds for a length at a speed. */
const timeOf = (decimetres: number, kmh: number): number =>
  kmh > 0 ? Math.round((decimetres * MS_OF_DECIMETRE) / kmh) : NONE;

/** Junctions renumbered along the curve. @returns their coordinates; `junctions.of` then holds the new numbers. */
function arranged(xy: Int32Array, { count, of }: Junctions, position: (vertex: number) => number): Int32Array {
  const vertexOf = new Uint32Array(count);
  for (let vertex = 0; vertex < of.length; vertex++) if (of[vertex] !== NONE) vertexOf[of[vertex]!] = vertex;
  const order = ordered(count, junction => position(vertexOf[junction]!));
  const number = new Uint32Array(count);
  const coordinates = new Int32Array(2 * count);
  order.forEach((junction, i) => {
    number[junction] = i;
    coordinates[2 * i] = xy[2 * vertexOf[junction]!]!;
    coordinates[2 * i + 1] = xy[2 * vertexOf[junction]! + 1]!;
  });
  for (let vertex = 0; vertex < of.length; vertex++) if (of[vertex] !== NONE) of[vertex] = number[of[vertex]!]!;
  return coordinates;
}

/** Cuts roads at their junctions. */
export function segmentsOf(roads: RoadLines): Segments {
  const junctions = junctionsOf(roads);
  const xy = roads.xy.filled;
  const position = curveOver(xy);
  const coordinates = arranged(xy, junctions, position);
  const [firsts, lasts, ofRoad] = [growingWords(), growingWords(), growingWords()];
  for (let road = 0; road < roads.count; road++) {
    const end = roads.first(road + 1);
    let from = roads.first(road);
    for (let vertex = from + 1; vertex < end; vertex++) {
      if (junctions.of[vertex] === NONE) continue;
      firsts.push(from);
      lasts.push(vertex);
      ofRoad.push(road);
      from = vertex;
    }
  }
  const count = firsts.length;
  const order = ordered(count, i => position((firsts.array[i]! + lasts.array[i]!) >> 1));
  const column = () => new Uint32Array(count);
  const out = { start: column(), end: column(), road: column(), length: column(), along: column(), against: column() };
  const shapeFirst = new Uint32Array(count + 1);
  const shape = growingInts();
  order.forEach((i, segment) => {
    const [first, last, road] = [firsts.array[i]!, lasts.array[i]!, ofRoad.array[i]!];
    const length = lengthOf(xy, first, last);
    out.start[segment] = junctions.of[first]!;
    out.end[segment] = junctions.of[last]!;
    out.road[segment] = road;
    out.length[segment] = length;
    out.along[segment] = timeOf(length, roads.forward.array[road]!);
    out.against[segment] = timeOf(length, roads.backward.array[road]!);
    for (let v = 2 * first; v < 2 * last + 2; v++) shape.push(xy[v]!);
    shapeFirst[segment + 1] = shape.length / 2;
  });
  return { count, junctions: coordinates, ...out, shapeFirst, shape: shape.filled };
}
