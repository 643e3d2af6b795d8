import { type Position, type Ring, round7 } from '../format/feature.ts';
import { METRES, metresBetween } from '../frame.ts';
import { Random } from '../random.ts';
import type { Lot } from './lot.ts';

/** Whether a place lies at least `metres` inside every side of a convex quadrilateral, counter-clockwise in metres. */
function inside(corners: readonly Position[], [x, y]: Position, metres: number): boolean {
  return corners.every(([x0, y0], i) => {
    const [x1, y1] = corners[(i + 1) % 4]!;
    const across = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
    return across >= metres * Math.hypot(x1 - x0, y1 - y0);
  });
}

/**
 * A rectangle of a lot, square to its street front; null where it would come within a metre of the lot's other sides.
 * @param s share of the front to the left of its middle
 * @param yard metres between the front and it
 */
function rectangle(site: readonly Position[], s: number, yard: number, wide: number, deep: number): Ring | null {
  const [origin] = site as [Position];
  const metres = site.map(([lng, lat]): Position => [(lng - origin[0]) * METRES[0], (lat - origin[1]) * METRES[1]]);
  const [x, y] = metres[1]!;
  const front = Math.hypot(x, y);
  const [east, north] = [x / front, y / front];
  const point = (along: number, back: number): Position => [along * east - back * north, along * north + back * east];
  // Lots are seldom square: the middle of a house keeps its share between their sides all the way back.
  const t = (yard + deep / 2) / metresBetween(site[0]!, site[3]!);
  const [, b, c, d] = metres as [Position, Position, Position, Position];
  const core = ([0, 1] as const).map(k => s * (1 - t) * b[k] + s * t * c[k] + (1 - s) * t * d[k]) as [number, number];
  const left = core[0] * east + core[1] * north - wide / 2;
  const corners = [
    point(left, yard),
    point(left + wide, yard),
    point(left + wide, yard + deep),
    point(left, yard + deep),
  ];
  if (!corners.every(corner => inside(metres, corner, Math.min(1, front / 12)))) return null;
  const ring = corners.map(
    ([e, n]): Position => [round7(origin[0] + e / METRES[0]), round7(origin[1] + n / METRES[1])],
  );
  return [...ring, ring[0]!];
}

const mix = (a: number, b: number, share: number) => a + (b - a) * share;

/** The first rectangle of ever smaller ones that fits; on a lot too bent for all of them, one as bent as it. */
function fitted(site: readonly Position[], s: number, yard: number, wide: number, deep: number): Ring {
  for (let size = 1; size > 0.05; size *= 0.7)
    for (const share of [s, 0.5]) {
      const ring = rectangle(site, share, yard * Math.sqrt(size), wide * size, deep * size);
      if (ring) return ring;
    }
  const bent = (u: number, v: number): Position =>
    ([0, 1] as const).map(k => {
      const [near, far] = [mix(site[0]![k], site[1]![k], u), mix(site[3]![k], site[2]![k], u)];
      return round7(mix(near, far, v));
    }) as [number, number];
  const first = bent(0.4, 0.2);
  return [first, bent(0.6, 0.2), bent(0.6, 0.4), bent(0.4, 0.4), first];
}

/** The house of a lot, which stands a yard behind its street, and where there is one a barn behind it. */
export interface Footprints {
  readonly house: Ring;
  readonly barn: Ring | null;
}

/** Footprints on a lot, the same for every record that is stacked on it; null where none can stand. */
export function footprintsOf(seed: number, column: number, row: number, lot: Lot, use: unknown): Footprints | null {
  const { site, front } = lot;
  if (!site) return null;
  const random = new Random(seed, column, row, front.cell, front.north ? 62 : 61);
  const [width, depth] = [metresBetween(site[0]!, site[1]!), metresBetween(site[0]!, site[3]!)];
  // Farmhouses stand farther back than houses of the town.
  const yard = Math.min(0.25 * depth, random.between(5, 9) + Math.max(0, Math.min(40, 0.08 * (depth - 60))));
  const large = lot.units > 1 ? 34 : use === '300' || use === '400' ? 24 : 15;
  const wide = Math.min(0.75 * width, random.between(9, large));
  const deep = Math.min(0.4 * depth, random.between(8, 13));
  const room = Math.max(0, 0.42 - wide / width / 2);
  const s = 0.5 + random.between(-1, 1) * room;
  const house = fitted(site, s, yard, wide, deep);
  const behind = yard + deep + Math.min(14, 0.15 * depth);
  const [broad, long] = [Math.min(0.5 * wide, 8), Math.min(0.5 * deep, 7)];
  const barn = random.chance(0.2) && behind + long < 0.95 * depth ? rectangle(site, s, behind, broad, long) : null;
  return { house, barn };
}
