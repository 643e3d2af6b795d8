import { readFileSync } from 'node:fs';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { type NeighbourContent, OVERLAPS } from '../../../query/assemblage/neighbour-file.ts';

type Position = readonly [number, number];
/** An outline in metres of one plane, ring by ring, its corners and the box of all. */
interface Outline {
  readonly rings: readonly (readonly Position[])[];
  readonly box: readonly [number, number, number, number];
}

/** Metres between two samples along an outline. */
const STEP = 0.1;
/** Metres beside a limit within which samples do not decide. */
const DOUBT = 0.12;

const boxOf = (rings: Outline['rings']): Outline['box'] => {
  const all = rings.flat();
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

/** Outlines of a file, read by the FlatGeobuf library, in metres east and north of its first corner. */
async function outlinesOf(path: string): Promise<Outline[]> {
  const out: Outline[] = [];
  let origin: Position | null = null;
  for await (const { geometry } of deserialize(new Uint8Array(readFileSync(path)))) {
    const { type, coordinates } = geometry as unknown as { type: string; coordinates: Position[][] | Position[][][] };
    const rings = (type === 'Polygon' ? coordinates : coordinates.flat()) as Position[][];
    origin ??= rings[0]![0]!;
    const [lng0, lat0] = origin;
    const flat = rings.map(ring =>
      ring.map(([lng, lat]): Position => {
        // Series of the lengths of a degree (Bugayevskiy and Snyder, Map Projections, 1995).
        const phi = (((lat + lat0) / 2) * Math.PI) / 180;
        const own = (lat * Math.PI) / 180;
        const north = 111_132.954 - 559.822 * Math.cos(2 * phi) + 1.175 * Math.cos(4 * phi);
        const east = 111_412.84 * Math.cos(own) - 93.5 * Math.cos(3 * own) + 0.118 * Math.cos(5 * own);
        return [(lng - lng0) * east, (lat - lat0) * north];
      }),
    );
    out.push({ rings: flat, box: boxOf(flat) });
  }
  return out;
}

function* edgesOf({ rings }: Outline): Generator<readonly [Position, Position]> {
  for (const ring of rings) for (let i = 1; i < ring.length; i++) yield [ring[i - 1]!, ring[i]!];
}

/** The place of an edge nearest to another place, and how far it is. */
function footOf([x, y]: Position, [[x0, y0], [x1, y1]]: readonly [Position, Position]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  const foot: Position = [x0 + t * dx, y0 + t * dy];
  return { foot, metres: Math.hypot(x - foot[0], y - foot[1]) };
}

function isInside({ rings }: Outline, [x, y]: Position): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 1; i < ring.length; i++) {
      const [[x0, y0], [x1, y1]] = [ring[i - 1]!, ring[i]!];
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    }
  return inside;
}

const boxesApart = (a: Outline, b: Outline) =>
  Math.max(a.box[0] - b.box[2], b.box[0] - a.box[2], a.box[1] - b.box[3], b.box[1] - a.box[3]);

/** The least metres from a corner of an outline to the other: of two that do not cross, the lesser of both ways is their distance. */
function leastFrom(a: Outline, b: Outline): number {
  let least = Number.POSITIVE_INFINITY;
  const edges = [...edgesOf(b)];
  for (const corner of a.rings.flat()) {
    if (isInside(b, corner)) return 0;
    for (const edge of edges) least = Math.min(least, footOf(corner, edge).metres);
  }
  return least;
}

/** Walks along an outline: how many metres of it lie within 0.3 m of another. */
function walk(a: Outline, b: Outline): number {
  let within = 0;
  const near = [...edgesOf(b)];
  const [west, south, east, north] = b.box;
  for (const [from, to] of edgesOf(a)) {
    if (Math.min(from[0], to[0]) > east + 1 || Math.max(from[0], to[0]) < west - 1) continue;
    if (Math.min(from[1], to[1]) > north + 1 || Math.max(from[1], to[1]) < south - 1) continue;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const steps = Math.max(1, Math.ceil(length / STEP));
    for (let i = 0; i < steps; i++) {
      const t = (i + 0.5) / steps;
      const place: Position = [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
      if (near.some(edge => footOf(place, edge).metres <= 0.3)) within += length / steps;
    }
  }
  return within;
}

/** Share of the smaller of two that lies in the other, by a grid of places. */
function commonShare(a: Outline, b: Outline): number {
  const size = ({ box }: Outline) => (box[2] - box[0]) * (box[3] - box[1]);
  const [small, large] = size(a) < size(b) ? [a, b] : [b, a];
  const [west, south, east, north] = small.box;
  let [own, common] = [0, 0];
  for (let i = 0; i < 40; i++)
    for (let j = 0; j < 40; j++) {
      const place: Position = [west + ((i + 0.5) / 40) * (east - west), south + ((j + 0.5) / 40) * (north - south)];
      if (!isInside(small, place)) continue;
      own++;
      if (isInside(large, place)) common++;
    }
  return own === 0 ? 0 : common / own;
}

/** Share of the shortest lines between two outlines of which a metre and more lies in another, or beside it. */
function blockedShare(a: Outline, b: Outline, gap: number, others: readonly Outline[]): number {
  const lines: (readonly [Position, Position])[] = [];
  const edges = [...edgesOf(b)].filter(edge => boxesApart(a, { rings: [], box: boxOf([edge]) }) <= gap + 0.1);
  for (const [from, to] of edgesOf(a)) {
    const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (2 * STEP)));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      const place: Position = [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
      if (boxesApart(b, { rings: [], box: [place[0], place[1], place[0], place[1]] }) > gap + 0.1) continue;
      for (const edge of edges) {
        const { foot, metres } = footOf(place, edge);
        if (metres < gap + 0.03) lines.push([place, foot]);
      }
    }
  }
  const shares = Array.from({ length: 40 }, (_, n) => (n + 0.5) / 40);
  const isBeside = (p: Outline, place: Position) =>
    isInside(p, place) || [...edgesOf(p)].some(edge => footOf(place, edge).metres <= 0.3);
  const few = lines.filter((_, i) => i % Math.ceil(lines.length / 25) === 0);
  const blocked = few.filter(([[x0, y0], [x1, y1]]) =>
    others.some(p => {
      const beside = shares.filter(t => isBeside(p, [x0 + t * (x1 - x0), y0 + t * (y1 - y0)]));
      return (beside.length / shares.length) * gap > 1;
    }),
  );
  return few.length === 0 ? 0.5 : blocked.length / few.length;
}

/**
 * Compares neighbours with those that a walk along outlines finds. Pairs at a limit are left out.
 * @param every so many parcels one is walked around.
 */
export async function compareWithSamples(features: string, found: NeighbourContent, most: number, every = 1) {
  const outlines = await outlinesOf(features);
  const texts = outlines.map(({ rings }) => JSON.stringify(rings));
  const same = texts.map(text => texts.indexOf(text));
  const differences: string[] = [];
  let compared = 0;
  for (const [row, a] of outlines.entries()) {
    if (row % every !== 0) continue;
    const own = new Map<number, number>();
    for (let i = found.starts[row]!; i < found.starts[row + 1]!; i++) own.set(found.rows[i]!, found.widths[i]!);
    for (const [other, b] of outlines.entries()) {
      if (other === row || (every === 1 && other < row) || boxesApart(a, b) > most) continue;
      const width = own.get(other) ?? null;
      if (same[row] !== row || same[other] !== other) {
        if (width !== null) differences.push(`${row}-${other}: one outline twice`);
        continue;
      }
      const gap = Math.min(leastFrom(a, b), leastFrom(b, a));
      // Beyond what both share, the outlines are as near as 0.3 m for as much at both ends.
      const shared = gap > 0.5 ? 0 : Math.max(walk(a, b), walk(b, a)) - 0.6;
      const share = boxesApart(a, b) < 0 ? commonShare(a, b) : 0;
      if (share > 0.005 && share < 0.02) continue;
      if (Math.abs(gap - 0.3) < DOUBT || Math.abs(gap - most) < DOUBT) continue;
      if (gap < 0.3 && Math.abs(shared - 1) < 2 * DOUBT) continue;
      let expected: 'overlaps' | 'beside' | 'across' | 'none' = 'none';
      if (share > 0.01) expected = 'overlaps';
      else if (gap < 0.3) expected = shared >= 1 ? 'beside' : 'none';
      else if (gap < most) {
        const others = outlines.filter((p, i) => i !== row && i !== other && boxesApart(p, a) <= most);
        const blocked = blockedShare(a, b, gap, others);
        // Some of the shortest lines run through a parcel and some do not, or one grazes it.
        if (blocked > 0.05 && blocked < 0.95) continue;
        expected = blocked > 0.5 ? 'none' : 'across';
      }
      compared++;
      const said =
        width === null ? 'none' : width === OVERLAPS ? 'overlaps' : width === 0 ? 'beside' : ('across' as const);
      const isFar = said === 'across' && Math.abs(width! / 100 - gap) > DOUBT;
      if (said !== expected || isFar)
        differences.push(
          `${row}-${other}: ${said} ${width}, walked ${expected} ${gap.toFixed(2)} ${shared.toFixed(2)}`,
        );
    }
  }
  return { compared, differences };
}
