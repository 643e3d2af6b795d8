import type { Position } from '../format/feature.ts';
import { EXTENT, metresBetween, toFrame, vertex } from '../frame.ts';
import { Random } from '../random.ts';
import type { Terrain } from './terrain.ts';

/** A reach of a stream of at most 900 m between two junctions, drawn downhill. */
export interface Reach {
  readonly id: number;
  readonly name: string | null;
  /** Strahler order. */
  readonly order: number;
  readonly line: readonly Position[];
  /** Heights of the upper and lower end in metres. */
  readonly from: number;
  readonly to: number;
  readonly lengthKm: number;
  /** Mean annual flow in cubic feet per second, from the stream length above. */
  readonly flow: number;
  readonly perennial: boolean;
}

/** A pond: where a stream ends in a hollow, or dug. */
export interface Pond {
  readonly id: number;
  readonly name: string;
  readonly centre: Position;
  readonly radius: number;
  readonly level: number;
}

interface Course {
  readonly line: Position[];
  /** Course and vertex it flows into; null at the sea or a hollow. */
  into: { readonly course: number; readonly vertex: number } | null;
  hollow: boolean;
}

const STEP = 45;
/** A pond in each county that every seed has, whether or not its streams end in hollows. */
const DUG_PONDS: readonly Position[] = [vertex(4200, 6300), vertex(-5600, 6800)];
/** Vertices of the longest reach: about 900 m. */
const REACH = 20;
const NAMES = ['Alder', 'Beech', 'Cedar', 'Dolly', 'Egg Rock', 'Fern', 'Gull', 'Heath', 'Iron', 'Juniper', 'Kelp'];

/** Walks downhill from a spring until the sea, a hollow or an earlier course. */
function follow(terrain: Terrain, spring: Position, near: (p: Position) => Course['into']): Course {
  const line: Position[] = [spring];
  let at = toFrame(spring);
  for (let step = 0; step < 600; step++) {
    const fall = terrain.descent(at);
    const steep = Math.hypot(...fall);
    if (steep < 1e-5) return { line, into: null, hollow: true };
    const next = vertex(at[0] + (fall[0] / steep) * STEP, at[1] + (fall[1] / steep) * STEP);
    const [along, inland] = toFrame(next);
    if (along <= EXTENT.west || along >= EXTENT.east || inland >= EXTENT.inland)
      return { line, into: null, hollow: false };
    if (terrain.isSea(...next)) {
      line.push(vertex(along, terrain.coast(along)));
      return { line, into: null, hollow: false };
    }
    if (terrain.elevation(...next) >= terrain.elevation(...line.at(-1)!)) return { line, into: null, hollow: true };
    const into = near(next);
    line.push(next);
    if (into) return { line, into, hollow: false };
    at = [along, inland];
  }
  return { line, into: null, hollow: false };
}

/** Streams that follow the descent of the terrain, cut at their junctions, and the ponds. */
export function traceStreams(terrain: Terrain): { reaches: Reach[]; ponds: Pond[] } {
  const random = new Random(terrain.seed, 'streams');
  const courses: Course[] = [];
  const cells = new Map<string, { course: number; vertex: number; at: Position }[]>();
  const cellOf = ([lng, lat]: Position) => [Math.floor(lng * 1000), Math.floor(lat * 1400)] as const;
  const near = (p: Position): Course['into'] => {
    const [i, j] = cellOf(p);
    for (let di = -1; di <= 1; di++)
      for (let dj = -1; dj <= 1; dj++)
        for (const other of cells.get(`${i + di},${j + dj}`) ?? [])
          if (other.vertex > 0 && metresBetween(other.at, p) < 50) return other;
    return null;
  };
  for (let i = 0; i < 10; i++)
    for (let j = 0; j < 4; j++) {
      const along = EXTENT.west + 2000 * (i + 0.5 + 0.35 * random.between(-1, 1));
      const spring = vertex(along, 2600 + 2000 * (j + 0.5 + 0.35 * random.between(-1, 1)));
      if (along < EXTENT.west + 100 || along > EXTENT.east - 100 || near(spring)) continue;
      const course = follow(terrain, spring, near);
      if (course.line.length < 4) continue;
      if (course.into) course.line.push(courses[course.into.course]!.line[course.into.vertex]!);
      for (const [vertex, at] of course.line.entries()) {
        const key = cellOf(at).join();
        cells.set(key, [...(cells.get(key) ?? []), { course: courses.length, vertex, at }]);
      }
      courses.push(course);
    }
  return { reaches: cut(terrain, courses), ponds: pool(terrain, courses) };
}

/** Cuts courses at their junctions and numbers the reaches by Strahler. */
function cut(terrain: Terrain, courses: readonly Course[]): Reach[] {
  const inflows = courses.map(() => new Map<number, number[]>());
  for (const [i, { into }] of courses.entries())
    if (into) {
      const at = inflows[into.course]!;
      at.set(into.vertex, [...(at.get(into.vertex) ?? []), i]);
    }
  const reaches: Reach[] = [];
  const walk = (index: number): { order: number; flow: number } => {
    const { line } = courses[index]!;
    const last = line.length - 1;
    const name = index % 3 === 2 ? null : `${NAMES[index % NAMES.length]} ${index % 2 ? 'Stream' : 'Brook'}`;
    let order = 1;
    let flow = 0;
    let start = 0;
    // Long courses are cut between junctions too, so that the height at a reach's lower end is near its water.
    const cuts = new Set([...inflows[index]!.keys(), last]);
    for (let vertex = REACH; vertex < last; vertex += REACH) cuts.add(vertex);
    for (const vertex of [...cuts].sort((a, b) => a - b)) {
      if (vertex > start) {
        const part = line.slice(start, vertex + 1);
        const km = part.reduce((sum, p, k) => (k ? sum + metresBetween(p, part[k - 1]!) / 1000 : 0), 0);
        flow += km * 0.9;
        const heights = [part[0]!, part.at(-1)!].map(p => terrain.elevation(...p)) as [number, number];
        reaches.push({
          id: 55_000_000_000_000 + reaches.length + 1,
          name,
          order,
          line: part,
          from: heights[0],
          to: heights[1],
          lengthKm: Math.round(km * 1000) / 1000,
          flow: Math.round(flow * 1000) / 1000,
          perennial: order > 1 || index % 2 === 0,
        });
        start = vertex;
      }
      for (const side of inflows[index]!.get(vertex) ?? []) {
        const joined = walk(side);
        order = joined.order === order ? order + 1 : Math.max(order, joined.order);
        flow += joined.flow;
      }
    }
    return { order, flow };
  };
  for (const [i, course] of courses.entries()) if (!course.into) walk(i);
  return reaches;
}

function pool(terrain: Terrain, courses: readonly Course[]): Pond[] {
  const hollows = courses.filter(course => course.hollow).map(course => course.line.at(-1)!);
  return [...DUG_PONDS, ...hollows].map((centre, i) => ({
    id: 55_000_000_100_000 + i,
    name: `${NAMES[(i * 5 + 3) % NAMES.length]} Pond`,
    centre,
    radius: 70 + ((i * 37) % 90),
    level: Math.round((terrain.elevation(...centre) + 0.5) * 10) / 10,
  }));
}
