import { Interrupted } from '../release/fault.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { PointTree } from './point-tree.ts';

/** A judged question for sums about each point, plain data. */
export interface AccumulationRequest {
  /** Degrees, pairs; NaN where a row has no place. */
  readonly lngLat: Float64Array;
  /** Values of the points; NaN where one has none. */
  readonly values: Float64Array;
  /** Geodesic metres. */
  readonly metres: number;
  /** Circles that are answered at most. */
  readonly limit: number;
}

/** The circles with the largest sums, the largest first, equal ones in the order of the points. */
export interface Accumulation {
  /** The number of the point that each circle is about. */
  readonly rows: Uint32Array;
  readonly sums: Float64Array;
  /** How many points with a value each circle has. */
  readonly points: Uint32Array;
}

/** Points between two pauses: a millisecond and more. */
const STEP = 64;

/** Sums about each point. @throws Interrupted when nobody waits any more. */
export async function accumulate(
  { lngLat, values, metres, limit }: AccumulationRequest,
  { stopped, pause }: Pick<SearchEnvironment, 'stopped' | 'pause'>,
): Promise<Accumulation> {
  const tree = new PointTree(lngLat, values);
  const sums = new Float64Array(values.length);
  const points = new Uint32Array(values.length);
  for (let point = 0; point < values.length; point++) {
    if (point % STEP === 0) {
      if (stopped()) throw new Interrupted('nobody waits for the answer');
      await pause?.();
    }
    const circle = tree.within(point, metres);
    sums[point] = circle.sum;
    points[point] = circle.points;
  }
  const order = Uint32Array.from(sums, (_, row) => row).sort((a, b) => sums[b]! - sums[a]! || a - b);
  const rows = order.slice(0, limit);
  return {
    rows,
    sums: Float64Array.from(rows, row => sums[row]!),
    points: Uint32Array.from(rows, row => points[row]!),
  };
}
