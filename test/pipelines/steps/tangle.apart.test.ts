import { beforeAll, expect, it, vi } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { polygonOfRings } from '../../../ingest/rings.ts';
import { rejectedGround } from '../../../pipelines/steps/rejected/ground.ts';
import { tangleOf } from '../../../pipelines/steps/rejected/tangle.ts';
import { judge } from '../../../pipelines/steps/validity.ts';
import { type GeosPolygons, loadGeos, polygonsToGeometry } from '../../../query/geometry/geos.ts';
import * as points from '../../../query/geometry/point-in-polygon.ts';
import { straightArea } from '../../../query/geometry/polygon-overlap.ts';

// Only counts.
vi.mock('../../../query/geometry/point-in-polygon.ts', async original => {
  const real = await original<typeof points>();
  return { ...real, placeInRing: vi.fn(real.placeInRing) };
});

let geos: GeosPolygons;
beforeAll(async () => {
  geos = await loadGeos();
});

type Vertex = readonly [x: number, y: number];
const polygon = (...rings: (readonly Vertex[])[]): Geometry =>
  polygonsToGeometry([rings.map(ring => Float64Array.from([...ring, ring[0]!].flat()))]);

/** Random vertices, one after another. */
function scribble(count: number): Vertex[] {
  let seed = 7;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, () => [next(), next()]);
}

/** A line that goes diagonally up and down beside itself, and back around all of it. */
function hatch(count: number): Vertex[] {
  const lines = Array.from({ length: count }, (_, i): Vertex => [i * 1e-4 + (i % 2 ? 0.5 : 0), i % 2]);
  return [...lines, [5, 1], [5, -1], [-1, -1], [-1, 0]];
}

const squareAt = (x: number, y: number, size: number): Vertex[] => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
];

it('outlines that cross themselves too often are set aside by name, with the ground that they may cover', () => {
  const geometry = polygon(scribble(160));
  const makeValid = vi.spyOn(geos, 'makeValid');
  expect(judge(geometry, 'polygon', geos)).toEqual({
    kind: 'rejected',
    reason: 'its outline crosses itself more than 2,000 times: draw it anew',
  });
  const ground = rejectedGround(geometry, geos)!;
  expect(makeValid).not.toHaveBeenCalled();
  expect(geos.invalidReason(ground)).toBeNull();
  makeValid.mockRestore();
  // Whatever the outline may mean lies between its vertices.
  const { xy } = geometry;
  for (let i = 0; i < xy.length; i += 2) expect(points.contains(ground, xy[i]!, xy[i + 1]!)).toBe(true);
  expect(tangleOf(polygon(scribble(70)))).toBeNull();
});

/** A spiral of turns, and a little beside it back to where it came from. */
function thereAndBack(turns: number): Vertex[] {
  const there = Array.from({ length: turns * 12 }, (_, i): Vertex => {
    const [angle, reach] = [(2 * Math.PI * i) / 12, i / (turns * 12)];
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  });
  return [...there, ...there.map(([x, y]): Vertex => [x + 0.5 / turns, y]).reverse()];
}

it('an outline with many crossings is not asked for a third reading where two contradict each other', () => {
  const geometry = polygon(thereAndBack(105));
  const makeValid = vi.spyOn(geos, 'makeValid');
  expect(judge(geometry, 'polygon', geos).kind).toBe('rejected');
  expect(rejectedGround(geometry, geos)).not.toBeNull();
  expect(makeValid.mock.calls.map(([, method]) => method)).toEqual(['structure', 'structure']);
  makeValid.mockClear();
  const bowTie = polygon([
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
  ]);
  expect(judge(bowTie, 'polygon', geos)).toMatchObject({ readings: { evenOdd: expect.any(Number) } });
  makeValid.mockRestore();
  // Nothing that any fill rule covers is missing from its ground.
  for (const outline of [polygon(scribble(40)), bowTie]) {
    const all = rejectedGround(outline, geos)!;
    const odd = geos.makeValid(outline, 'linework')!;
    expect(Math.abs(straightArea(geos.union([all, odd])!) / straightArea(all) - 1)).toBeLessThan(1e-9);
  }
});

const rings = (count: number) => Array.from({ length: count }, (_, i) => squareAt(i * 1e-6, i * 1e-6, 1 - 2e-6 * i));

it.each([
  ['edges that all lie side by side', 'edges lie side by side', () => polygon(hatch(10_200))],
  ['rings within each other by the thousand', 'rings lie within or beside each other', () => polygon(...rings(10_100))],
])('%s are set aside by name before GEOS is asked', (_, what, make) => {
  const asked = vi.spyOn(geos, 'invalidReason');
  const verdict = judge(make(), 'polygon', geos);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(verdict.kind === 'rejected' && verdict.reason).toContain(what);
});

it('size alone is no tangle: 20,000 holes, and a round of 50,000 vertices', () => {
  const holes = Array.from({ length: 20_000 }, (_, i) => squareAt(1 + (i % 200), 1 + Math.floor(i / 200), 0.5));
  const round = Array.from({ length: 50_000 }, (_, i): Vertex => [Math.cos(i * 1.2e-4), Math.sin(i * 1.2e-4)]);
  for (const geometry of [polygon(squareAt(0, 0, 300), ...holes), polygon(round), polygon(hatch(2000))])
    expect(tangleOf(geometry)).toBeNull();
});

it('spikes are taken out in one walk, however many, and what is left is the same', () => {
  const spikes = Array.from({ length: 20_000 }, (_, i): Vertex[] => {
    const x = i / 20_000;
    return [
      [x, 1],
      [x, 1.5],
      [x, 1],
    ];
  }).flat();
  const verdict = judge(polygon([...spikes, [1, 1], [1, 0], [0, 0]]), 'polygon', geos);
  if (verdict.kind !== 'repaired') throw new Error(verdict.kind);
  expect(verdict.reason).toContain('zero-area spikes removed');
  expect(geos.covers(verdict.geometry, polygon(squareAt(0, 0, 1)))).toBe(true);
  expect(geos.covers(polygon(squareAt(0, 0, 1)), verdict.geometry)).toBe(true);
});

it('loose rings are put together by where they lie, not by comparing all', () => {
  const count = 3000;
  const loose: Vertex[][] = [];
  for (let i = 0; i < count; i++) {
    const [x, y] = [1e6 + (i % 50) * 10, 2e6 + Math.floor(i / 50) * 10];
    // A shell, a hole in it the other way, and an island in the hole.
    loose.push(squareAt(x, y, 9), squareAt(x + 1, y + 1, 7).reverse(), squareAt(x + 2, y + 2, 5));
  }
  const rings = loose.map(ring => [...ring, ring[0]!]);
  const counted = vi.mocked(points.placeInRing);
  counted.mockClear();
  const { parts, ends } = polygonOfRings(
    Float64Array.from(rings.flat(2)),
    Uint32Array.from(rings, (_, i) => 5 * (i + 1)),
  );
  expect(counted.mock.calls.length).toBeLessThan(4 * rings.length);
  expect([parts.length, ends.length]).toEqual([2 * count, 3 * count]);
  const sizes = Array.from(parts, (end, i) => end - (i === 0 ? 0 : parts[i - 1]!));
  expect(sizes.filter(size => size === 2)).toHaveLength(count);
});
