import type { Box, Geometry } from '../../datasets/geometry.ts';
import { type Chains, chainsOf } from '../geometry/edge-chains.ts';

import { BUFFER, boxOfTile, EXTENT, type TileName, xIn, yIn } from './tile-grid.ts';

/** Whole units of a tile, x right and y down. */
type Position = [x: number, y: number];
/** Kind of geometry as vector tiles number them. */
type Kind = 1 | 2 | 3;

/** A geometry as it stands in a tile: points, or lines, or rings with shells clockwise on the screen and holes the other way. */
export interface TileShape {
  readonly kind: Kind;
  readonly paths: readonly (readonly Position[])[];
}

const LEAST = -BUFFER;
const MOST = EXTENT + BUFFER;

const KINDS: Readonly<Record<Geometry['type'], Kind>> = {
  Point: 1,
  MultiPoint: 1,
  LineString: 2,
  MultiLineString: 2,
  Polygon: 3,
  MultiPolygon: 3,
};

/** Cuts a line at one side; what lies beyond is left out. */
function cutLine(line: Float64Array, axis: 0 | 1, at: number, sign: 1 | -1): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  const depth = (i: number) => sign * (line[i + axis]! - at);
  for (let i = 0; i < line.length; i += 2) {
    const inside = depth(i) >= 0;
    if (i > 0 && inside !== depth(i - 2) >= 0) {
      const share = depth(i - 2) / (depth(i - 2) - depth(i));
      piece.push(
        line[i - 2]! + share * (line[i]! - line[i - 2]!),
        line[i - 1]! + share * (line[i + 1]! - line[i - 1]!),
      );
      if (!inside) {
        pieces.push(piece);
        piece = [];
      }
    }
    if (inside) piece.push(line[i]!, line[i + 1]!);
  }
  if (piece.length) pieces.push(piece);
  return pieces;
}

/** Cuts a closed ring at one side: what lies beyond is replaced by a walk along it (Sutherland and Hodgman 1974). */
function cutRing(ring: Float64Array, axis: 0 | 1, at: number, sign: 1 | -1): number[] {
  const out: number[] = [];
  const depth = (i: number) => sign * (ring[i + axis]! - at);
  for (let i = 0; i < ring.length; i += 2) {
    const last = i === 0 ? ring.length - 2 : i - 2;
    const inside = depth(i) >= 0;
    if (inside !== depth(last) >= 0) {
      const share = depth(last) / (depth(last) - depth(i));
      out.push(
        ring[last]! + share * (ring[i]! - ring[last]!),
        ring[last + 1]! + share * (ring[i + 1]! - ring[last + 1]!),
      );
    }
    if (inside) out.push(ring[i]!, ring[i + 1]!);
  }
  return out;
}

const SIDES = [
  [0, LEAST, 1],
  [0, MOST, -1],
  [1, LEAST, 1],
  [1, MOST, -1],
] as const;

/** Whether all of a path lies on the near side. */
function isWithin(path: Float64Array, axis: 0 | 1, at: number, sign: 1 | -1): boolean {
  for (let i = axis; i < path.length; i += 2) if (!(sign * (path[i]! - at) >= 0)) return false;
  return true;
}

function clipped(path: Float64Array, kind: Kind): Float64Array[] {
  let paths = [path];
  for (const [axis, at, sign] of SIDES) {
    if (paths.every(points => isWithin(points, axis, at, sign))) continue;
    paths = paths
      .flatMap(points => (kind === 2 ? cutLine(points, axis, at, sign) : [cutRing(points, axis, at, sign)]))
      .filter(points => points.length > 0)
      .map(points => new Float64Array(points));
  }
  return paths;
}

/** Which side of a tile something lies beyond, west or east. */
const sideOf = (x: number) => (x < LEAST ? -1 : x > MOST ? 1 : 0);

const NOWHERE = new Float64Array(0);
let projected = new Float64Array(1024);

/**
 * A path in units of a tile, good until the next. Of vertices in a row beyond the same side, west or east, only the first and the
 * last are there: cutting drops those between, and a county has most of its vertices there in most of its tiles. Projecting all
 * made the ingest of Bangor take a fifth longer.
 */
function projectedPath(xy: Float64Array, start: number, end: number, tile: TileName): Float64Array {
  if (projected.length < (end - start) * 2) projected = new Float64Array((end - start) * 4);
  let length = 0;
  let [before, x] = [0, xIn(xy[start * 2]!, tile)];
  for (let i = start; i < end; i++) {
    const next = i + 1 < end ? xIn(xy[i * 2 + 2]!, tile) : Number.NaN;
    const side = sideOf(x);
    if (side === 0 || side !== before || side !== sideOf(next)) {
      projected[length++] = x;
      projected[length++] = yIn(xy[i * 2 + 1]!, tile);
    }
    before = side;
    x = next;
  }
  return projected.subarray(0, length);
}

/** Bytes of coordinates from which on a geometry is cut into chains once, so that each of its many tiles looks at what is near. */
export const LARGE_BYTES = 1 << 18;

/** Whether any group of chains of a line or ring meets a box. */
function isNear({ groupBoxes, groupEnds }: Chains, ring: number, [west, south, east, north]: Box): boolean {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let g = ring === 0 ? 0 : 4 * groupEnds[ring - 1]!; g < 4 * groupEnds[ring]!; g += 4) {
    minX = Math.min(minX, groupBoxes[g]!);
    minY = Math.min(minY, groupBoxes[g + 1]!);
    maxX = Math.max(maxX, groupBoxes[g + 2]!);
    maxY = Math.max(maxY, groupBoxes[g + 3]!);
  }
  return minX <= east && maxX >= west && minY <= north && maxY >= south;
}

/** As projectedPath; of a chain that lies beyond one side only the ends are there, since cutting drops those between. */
function chainedPath(xy: Float64Array, chains: Chains, ring: number, box: Box, tile: TileName): Float64Array {
  const { first, last, boxes, ends } = chains;
  const [west, south, east, north] = box;
  const [from, to] = [ring === 0 ? 0 : ends[ring - 1]!, ends[ring]!];
  const most = 2 * (last[to - 1]! - first[from]! + 1);
  if (projected.length < most) projected = new Float64Array(2 * most);
  let length = 0;
  const put = (v: number) => {
    projected[length++] = xIn(xy[2 * v]!, tile);
    projected[length++] = yIn(xy[2 * v + 1]!, tile);
  };
  for (let chain = from; chain < to; chain++) {
    const c = 4 * chain;
    put(first[chain]!);
    if (boxes[c]! > east || boxes[c + 1]! > north || boxes[c + 2]! < west || boxes[c + 3]! < south) continue;
    for (let v = first[chain]! + 1; v < last[chain]!; v++) put(v);
  }
  put(last[to - 1]!);
  return projected.subarray(0, length);
}

/** Whole units, without points nearer than `tolerance` to the one before; the last is kept. */
function rounded(path: Float64Array, tolerance: number): Position[] {
  const out: Position[] = [];
  for (let i = 0; i < path.length; i += 2) {
    const [x, y] = [Math.round(path[i]!), Math.round(path[i + 1]!)];
    const last = out.at(-1);
    if (last) {
      const far = Math.max(Math.abs(x - last[0]), Math.abs(y - last[1]));
      if (far === 0) continue;
      if (far < tolerance) {
        if (i === path.length - 2 && out.length > 1) out[out.length - 1] = [x, y];
        continue;
      }
    }
    out.push([x, y]);
  }
  return out;
}

/** Twice the area of a ring, positive where it runs clockwise on the screen. */
function doubleArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const [x1, y1] = ring[i]!;
    const [x2, y2] = ring[(i + 1) % ring.length]!;
    sum += x1 * y2 - x2 * y1;
  }
  return sum;
}

/** A ring of the tile, open; null where nothing is left of it. */
function ringOf(path: Float64Array, tolerance: number, shell: boolean): Position[] | null {
  const [cut] = clipped(path, 3);
  if (!cut) return null;
  const ring = rounded(cut, tolerance);
  const [first, last] = [ring[0], ring.at(-1)];
  if (ring.length > 1 && first![0] === last![0] && first![1] === last![1]) ring.pop();
  const area = ring.length < 3 ? 0 : doubleArea(ring);
  if (area === 0) return null;
  return area > 0 === shell ? ring : ring.reverse();
}

/**
 * A geometry as a tile shows it: projected, clipped to the tile and its buffer, rounded to whole units.
 * @param geometry lng,lat degrees. @param tolerance units below which detail is left out; 0 keeps all that rounding keeps.
 * @returns null where nothing of it lies in the tile or is as large as a unit.
 */
export function shapeIn(geometry: Geometry, tile: TileName, tolerance: number): TileShape | null {
  const { type, xy, ends, parts } = geometry;
  const kind = KINDS[type];
  const chains = xy.byteLength >= LARGE_BYTES ? chainsOf(geometry) : null;
  const box = boxOfTile(tile);
  const paths: Position[][] = [];
  if (kind === 1) {
    for (let i = 0; i < xy.length; i += 2) {
      const [x, y] = [Math.round(xIn(xy[i]!, tile)), Math.round(yIn(xy[i + 1]!, tile))];
      if (x >= LEAST && x <= MOST && y >= LEAST && y <= MOST) paths.push([[x, y]]);
    }
  } else {
    let start = 0;
    let part = 0;
    let isShell = true;
    let hasShell = true;
    for (const [ring, end] of ends.entries()) {
      const path = !chains
        ? projectedPath(xy, start, end, tile)
        : isNear(chains, ring, box)
          ? chainedPath(xy, chains, ring, box, tile)
          : NOWHERE;
      start = end;
      if (kind === 2) {
        for (const piece of clipped(path, 2)) {
          const line = rounded(piece, tolerance);
          if (line.length > 1) paths.push(line);
        }
        continue;
      }
      // A hole of a shell that is not there would be a shell.
      const kept: Position[] | null = isShell || hasShell ? ringOf(path, tolerance, isShell) : null;
      if (isShell) hasShell = kept !== null;
      if (kept) paths.push(kept);
      isShell = parts[part] === ring + 1;
      if (isShell) part++;
    }
  }
  return paths.length > 0 ? { kind, paths } : null;
}
