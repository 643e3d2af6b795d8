import { type Box, boxOf, type Geometry, union } from '../../../datasets/geometry.ts';
import { type GeosPolygons, polygonsToGeometry, ringsOf } from '../geos.ts';

/** Degrees of longitude by which an edge is longer than half the earth. */
const HALF = 180;

const NONE = new Uint32Array(0);
const pathBox = (xy: Float64Array): Box => boxOf({ type: 'LineString', xy, ends: NONE, parts: NONE });

/**
 * The boxes of a geometry: of one whose parts lie on both sides of 180°, and none across 0°, one at each side; otherwise one.
 * @param box of the whole, lng,lat degrees.
 */
export function boxesApart(geometry: Geometry, box: Box): readonly Box[] {
  if (box[2] - box[0] <= HALF) return [box];
  const { xy, ends } = geometry;
  let [west, east]: [Box | null, Box | null] = [null, null];
  let start = 0;
  for (const end of ends) {
    const part = pathBox(xy.subarray(2 * start, 2 * end));
    if (part[0] >= 0) east = union(east, part);
    else if (part[2] <= 0) west = union(west, part);
    else return [box];
    start = end;
  }
  return west && east ? [west, east] : [box];
}

/** Whether an edge is taken the short way, over 180°. One from 180° to -180° goes along a parallel: that is how all of it is drawn. */
const jumps = (ax: number, bx: number) => Math.abs(bx - ax) > HALF && !(Math.abs(ax) === HALF && Math.abs(bx) === HALF);

/** Whether a line or ring goes over 180°. @param geometry lng,lat degrees within ±180. */
export function crossesAntimeridian({ xy, ends, type }: Geometry): boolean {
  if (type === 'Point' || type === 'MultiPoint') return false;
  let start = 0;
  for (const end of ends) {
    for (let i = start + 1; i < end; i++) if (jumps(xy[2 * i - 2]!, xy[2 * i]!)) return true;
    start = end;
  }
  return false;
}

/** A path with longitudes that go on beyond 180°, so that no edge is longer than half the earth. */
function unwrapped(path: Float64Array): Float64Array {
  const out = path.slice();
  for (let i = 2; i < out.length; i += 2) out[i]! += 360 * Math.round((out[i - 2]! - out[i]!) / 360);
  return out;
}

/** A path moved by whole turns to where another box is. */
function beside(path: Float64Array, [west, , east]: Box): Float64Array {
  const [minX, , maxX] = pathBox(path);
  const turns = 360 * Math.round(((west + east) / 2 - (minX + maxX) / 2) / 360);
  return turns === 0 ? path : path.map((v, i) => (i % 2 === 0 ? v + turns : v));
}

/**
 * Polygons with longitudes that go on beyond ±180°, holes where their shells are.
 * @returns null where a ring goes around a pole, so that it has no inside in longitude and latitude.
 */
export function unwrappedPolygons(geometry: Geometry): Geometry | null {
  const polygons: Float64Array[][] = [];
  for (const rings of ringsOf(geometry)) {
    const [shell, ...holes] = rings.map(unwrapped);
    for (const ring of [shell!, ...holes]) if (Math.abs(ring.at(-2)! - ring[0]!) > HALF) return null;
    const own = beside(shell!, [-HALF, 0, HALF, 0]);
    const box = pathBox(own);
    polygons.push([own, ...holes.map(hole => beside(hole, box))]);
  }
  return polygonsToGeometry(polygons);
}

/** Cuts polygons that go on beyond ±180° there, and brings what lies beyond to the other side. */
export function cutPolygons(geometry: Geometry, geos: GeosPolygons): Geometry | null {
  const pieces: Float64Array[][] = [];
  for (const rings of ringsOf(geometry)) {
    const [west, , east] = pathBox(rings[0]!);
    if (west >= -HALF && east <= HALF) {
      pieces.push(rings);
      continue;
    }
    const polygon = polygonsToGeometry([rings]);
    for (const turn of [-360, 0, 360]) {
      const piece = geos.within(polygon, [turn - HALF, -90, turn + HALF, 90]);
      for (const cut of piece ? ringsOf(piece) : [])
        pieces.push(cut.map(ring => ring.map((v, i) => (i % 2 === 0 ? v - turn : v))));
    }
  }
  return pieces.length > 0 ? polygonsToGeometry(pieces) : null;
}

/** Cuts lines at 180°, each into one at either side. */
export function cutLines({ xy, ends, parts }: Geometry): Geometry {
  const lines: number[][] = [];
  let start = 0;
  for (const end of ends) {
    let line: number[] = [xy[2 * start]!, xy[2 * start + 1]!];
    for (let i = start + 1; i < end; i++) {
      const [ax, ay, bx, by] = [xy[2 * i - 2]!, xy[2 * i - 1]!, xy[2 * i]!, xy[2 * i + 1]!];
      if (jumps(ax, bx)) {
        const side = ax > 0 ? HALF : -HALF;
        const length = 360 - Math.abs(bx - ax);
        const y = length > 0 ? ay + ((by - ay) * Math.abs(side - ax)) / length : ay;
        line.push(side, y);
        lines.push(line);
        line = [-side, y];
      }
      line.push(bx, by);
    }
    lines.push(line);
    start = end;
  }
  // A line that begins or ends at 180° has no length beyond it.
  const kept = lines.filter(line => line.some((v, i) => v !== line[i % 2]));
  let vertices = 0;
  return {
    type: kept.length === 1 ? 'LineString' : 'MultiLineString',
    xy: Float64Array.from(kept.flat()),
    ends: Uint32Array.from(kept, line => (vertices += line.length / 2)),
    parts,
  };
}
