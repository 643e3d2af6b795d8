import { expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { sharedEdges } from '../../../query/geometry/shared-edges.ts';

type Ring = readonly (readonly [number, number])[];

/** A polygon of rings that are not closed yet; `backward` turns all of them round. */
function polygon(rings: readonly Ring[], backward = false): Geometry {
  const closed = rings.map(ring => [...ring, ring[0]!]).map(ring => (backward ? ring.reverse() : ring));
  const ends = closed.map((_, i) => closed.slice(0, i + 1).reduce((sum, ring) => sum + ring.length, 0));
  return {
    type: 'Polygon',
    xy: Float64Array.from(closed.flat(2)),
    ends: Uint32Array.from(ends),
    parts: Uint32Array.of(rings.length),
  };
}

const WEST: Ring = [
  [0, 0],
  [1, 0],
  [1.2, 0.5],
  [1, 1],
  [0, 1],
];
const EAST: Ring = [
  [1, 0],
  [2, 0],
  [2, 1],
  [1, 1],
  [1.2, 0.5],
];
const WELL: Ring = [
  [0.2, 0.2],
  [0.2, 0.4],
  [0.4, 0.4],
];

/** Shared edges as texts of both ends, smaller first. */
function shared(of: Geometry, beside: Geometry): string[] {
  const flags = sharedEdges(of, beside);
  return [...(flags ?? [])]
    .flatMap((flag, v) => (flag ? [[of.xy.slice(2 * v, 2 * v + 2), of.xy.slice(2 * v + 2, 2 * v + 4)]] : []))
    .map(both => both.map(String).sort().join(' '))
    .sort();
}

it.each([
  [false, false],
  [true, false],
  [false, true],
  [true, true],
])('edges of two neighbours are shared whichever way their rings run: %s %s', (a, b) => {
  const both = ['1,0 1.2,0.5', '1,1 1.2,0.5'];
  expect(shared(polygon([WEST], a), polygon([EAST], b))).toEqual(both);
  expect(shared(polygon([EAST], b), polygon([WEST], a))).toEqual(both);
});

it.each([false, true])('a hole is shared with what fills it, not with one that overlaps: backward %s', backward => {
  const around = polygon([WEST, WELL], backward);
  expect(shared(around, polygon([WELL]))).toHaveLength(3);
  expect(shared(polygon([WELL]), around)).toHaveLength(3);
  expect(sharedEdges(polygon([WEST]), polygon([WEST], backward))).toBeNull();
  expect(sharedEdges(around, polygon([WEST, WELL]))).toBeNull();
});

it('edges that only touch, or cover one another in part, are not shared', () => {
  const half = polygon([
    [
      [1, 0],
      [1.1, 0.25],
      [2, 0],
    ],
  ]);
  expect(sharedEdges(polygon([WEST]), half)).toBeNull();
  expect(sharedEdges(polygon([WEST]), polygon([EAST.map(([x, y]) => [x + 5, y] as const)]))).toBeNull();
});
