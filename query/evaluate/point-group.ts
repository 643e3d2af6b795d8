import type { Box } from '../../datasets/geometry.ts';
import { radiiAt } from '../geometry/geodesic.ts';
import type { Point } from './answer.ts';
import type { Batch } from './context.ts';

const DEGREE = Math.PI / 180;

/**
 * An upper bound of the metres from the middle of a lng,lat box to any place in it: the straight line to a corner is
 * no shorter.
 */
export function spreadOf([west, south, east, north]: Box): number {
  // M is most at the pole's end of the box, N·cos(lat) at the equator's.
  const equator = south < 0 && north > 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  const x = ((east - west) / 2) * radiiAt(equator).N * Math.cos(equator * DEGREE) * DEGREE;
  const y = ((north - south) / 2) * radiiAt(Math.max(Math.abs(south), Math.abs(north))).M * DEGREE;
  return Math.hypot(x, y) * (1 + 1e-9) + 1e-6;
}

/** The lng,lat box of some points that follow one another. @param end behind the last. */
export function boxAround(points: readonly Point[], start: number, end: number): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = start; i < end; i++) {
    const { lng, lat } = points[i]!;
    if (lng < west) west = lng;
    if (lng > east) east = lng;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [west, south, east, north];
}

/** A run of points that follow one another, with the middle of their box and how far they may lie from it. */
export class PointGroup {
  readonly #points: readonly Point[];
  /** Places of the first point and of the one after the last. */
  readonly start: number;
  readonly end: number;
  /** The middle of the points' box: degrees. */
  readonly lng: number;
  readonly lat: number;
  /** Metres that no point is farther from the middle than. */
  readonly spread: number;
  #halves: readonly [PointGroup, PointGroup] | null = null;

  constructor(points: readonly Point[], start = 0, end = points.length) {
    this.#points = points;
    [this.start, this.end] = [start, end];
    const box = boxAround(points, start, end);
    [this.lng, this.lat] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    this.spread = spreadOf(box);
  }

  /** All points of a batch, made once. */
  static of(batch: Batch): Promise<PointGroup> {
    return batch.memo('group', async () => new PointGroup(batch.contexts.map(ctx => ctx.point)));
  }

  get size(): number {
    return this.end - this.start;
  }

  /** The first and the second half of the points, made once; of one point there are none. */
  halves(): readonly [PointGroup, PointGroup] {
    if (this.size < 2) throw new RangeError('A group of one point has no halves');
    if (!this.#halves) {
      const mid = (this.start + this.end) >> 1;
      this.#halves = [new PointGroup(this.#points, this.start, mid), new PointGroup(this.#points, mid, this.end)];
    }
    return this.#halves;
  }
}

/** A place and how far in metres the points about it may lie from it. */
export interface About {
  readonly lng: number;
  readonly lat: number;
  readonly spread: number;
}
