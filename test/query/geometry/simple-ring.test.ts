import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { AreaGrid } from '../../../query/geometry/area-grid.ts';
import { isSimpleRing } from '../../../query/geometry/simple-ring.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { isValid } from '../../oracle/geometry.ts';
import { randomOf, starOf } from '../star.ts';

type Position = readonly [number, number];

const closed = (open: readonly Position[]): Geometry =>
  fromGeoJSON({ type: 'Polygon', coordinates: [[...open, open[0]!].map(at => [...at])] });
const isSimple = (area: Geometry) => isSimpleRing(new AreaGrid(area));
const hasRepeated = (open: readonly Position[]) =>
  open.some(([x, y], i) => {
    const [nextX, nextY] = open[(i + 1) % open.length]!;
    return x === nextX && y === nextY;
  });

/** A ring about a point, radii between two bounds. */
function round(random: () => number, corners: number, least: number): Position[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.9 * random())) / corners;
    const radius = 0.3 * (least + (1 - least) * random());
    return [-70 + radius * Math.cos(angle), 44 + radius * Math.sin(angle)];
  });
}

describe('a ring is simple exactly where GEOS finds it valid', () => {
  it.each([3, 4, 7, 40, 400, 3000])('round ones of %i corners, and those with two corners exchanged', corners => {
    const random = randomOf(corners);
    let [simple, crossed] = [0, 0];
    for (let i = 0; i < 40; i++) {
      const ring = round(random, corners, i % 2 ? 0.95 : 0.3);
      if (i % 4 > 1) {
        const at = Math.floor(random() * corners);
        const by = (at + 1 + Math.floor(random() * Math.min(5, corners - 1))) % corners;
        [ring[at], ring[by]] = [ring[by]!, ring[at]!];
      }
      const area = closed(ring);
      const valid = isValid(area);
      expect(isSimple(area)).toBe(valid);
      if (valid) simple++;
      else crossed++;
    }
    expect(simple).toBeGreaterThan(10);
    if (corners > 3) expect(crossed).toBeGreaterThan(2);
  });

  it('those whose corners touch edges, corners and each other, on a lattice', () => {
    const counts = { simple: 0, not: 0 };
    const corner = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 9 }), fc.constantFrom(1, 0.1, 1 / 3), (ring, step) => {
        const open = ring.map(([x, y]): Position => [-70 + x * step, 44 + y * step]);
        const area = closed(open);
        const simple = isSimple(area);
        counts[simple ? 'simple' : 'not']++;
        // A corner that is given twice is nothing to GEOS.
        if (hasRepeated(open)) expect(simple).toBe(false);
        else expect(simple).toBe(isValid(area));
      }),
      { numRuns: 6000, seed: 4 },
    );
    expect(Math.min(counts.simple, counts.not)).toBeGreaterThan(500);
  });

  it.each<[string, Position[]]>([
    [
      'runs back along an edge',
      [
        [0, 0],
        [4, 0],
        [2, 0],
        [2, 3],
      ],
    ],
    [
      'comes back to a corner',
      [
        [0, 0],
        [2, 2],
        [4, 0],
        [4, 4],
        [2, 2],
        [0, 4],
      ],
    ],
    [
      'touches an edge with a corner',
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 0],
        [0, 4],
      ],
    ],
    [
      'has no inside',
      [
        [0, 0],
        [4, 0],
        [2, 0],
      ],
    ],
    [
      'turns round itself',
      [
        [0, 0],
        [6, 0],
        [6, 6],
        [1, 6],
        [1, 2],
        [4, 2],
        [4, 4],
        [2, 4],
        [2, -1],
        [0, -1],
      ],
    ],
  ])('one that %s is not', (_, open) => {
    expect(isValid(closed(open))).toBe(false);
    expect(isSimple(closed(open))).toBe(false);
  });

  it.each<[string, Position[]]>([
    [
      'winds like a spiral',
      [
        [0, 0],
        [6, 0],
        [6, 6],
        [1, 6],
        [1, 2],
        [4, 2],
        [4, 4],
        [3, 4],
        [3, 3],
        [2, 3],
        [2, 5],
        [5, 5],
        [5, 1],
        [0, 1],
      ],
    ],
    [
      'goes straight on through corners',
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [4, 0],
        [4, 4],
      ],
    ],
    [
      'is a sliver',
      [
        [0, 0],
        [4, 1e-15],
        [8, 0],
        [4, 2e-15],
      ],
    ],
  ])('one that %s is', (_, open) => {
    expect(isValid(closed(open))).toBe(true);
    expect(isSimple(closed(open))).toBe(true);
  });

  it('one whose edges nearly all lie in one cell is left to GEOS', () => {
    const teeth = Array.from({ length: 2500 }, (_, i): Position[] => [
      [i * 1e-9, 1e-6],
      [(i + 5.5) * 1e-9, 2e-6],
    ]);
    const comb = closed([[-60, 0], [60, 0], ...teeth.flat().reverse()]);
    expect(isValid(comb)).toBe(true);
    expect(isSimple(comb)).toBe(false);
  });

  it('several rings are left to GEOS', () => {
    expect(isSimple(starOf(1, 12, -70, 43).geometry)).toBe(false);
  });
});
