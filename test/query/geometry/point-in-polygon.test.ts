import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { contains } from '../../../query/geometry/point-in-polygon.ts';
import { EDGES } from '../../oracle/edges.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import * as oracle from '../../oracle/geometry.ts';
import { starOf } from '../star.ts';

describe('contains', () => {
  test.each(EDGES)('$name', ({ geometry, lng, lat, inside }) => {
    expect(contains(geometry, lng, lat)).toBe(inside);
    expect(oracle.contains(geometry, lng, lat)).toBe(inside);
  });

  test('agrees with GEOS on random polygons with holes and parts', () => {
    let inside = 0;
    let outside = 0;
    const cases = fc.tuple(fc.integer(), fc.integer({ min: 3, max: 120 }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(cases, ([seed, corners, at]) => {
        const { geometry, random } = starOf(seed, corners, -68 + at, 44 + at);
        if (!oracle.isValid(geometry)) return;
        for (let i = 0; i < 8; i++) {
          const lng = -68 + at + (random() - 0.5) * 0.06;
          const lat = 44 + at + (random() - 0.5) * 0.06;
          const expected = oracle.contains(geometry, lng, lat);
          if (expected) inside++;
          else outside++;
          expect(contains(geometry, lng, lat)).toBe(expected);
        }
      }),
      { seed: 20261120, numRuns: 600 },
    );
    expect(Math.min(inside, outside)).toBeGreaterThan(500);
  });

  test('agrees with GEOS on a polygon of thousands of vertices, about its vertices and on them', () => {
    const { geometry, random } = starOf(4, 4000, -68, 44);
    expect(oracle.isValid(geometry)).toBe(true);
    for (let i = 0; i < 300; i++) {
      const v = Math.floor((random() * geometry.xy.length) / 2);
      const [x, y] = [geometry.xy[2 * v]!, geometry.xy[2 * v + 1]!];
      expect(contains(geometry, x, y)).toBe(true);
      const [lng, lat] = [x + (random() - 0.5) * 0.004, y + (random() - 0.5) * 0.004];
      expect(contains(geometry, lng, lat)).toBe(oracle.contains(geometry, lng, lat));
    }
  });

  test('agrees with GEOS on a coarse grid, where points fall on edges and vertices', () => {
    let boundary = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 3, maxLength: 8 }), corners => {
        const polygon = fromGeoJSON({ type: 'Polygon', coordinates: [[...corners, corners[0]!]] });
        if (!oracle.isValid(polygon)) return;
        for (let x = -1; x <= 7; x++)
          for (let y = -1; y <= 7; y++) {
            const expected = oracle.contains(polygon, x, y);
            expect(contains(polygon, x, y), `${x},${y} in ${JSON.stringify(corners)}`).toBe(expected);
            if (expected && oracle.metresToEdge(polygon, x, y, 2) < 1) boundary++;
          }
      }),
      { seed: 7, numRuns: 300 },
    );
    expect(boundary).toBeGreaterThan(100);
  });

  test('the direction of rings does not matter', () => {
    for (const { geometry, lng, lat, inside } of EDGES.filter(e => e.geometry.type === 'Polygon'))
      expect(contains(reversed(geometry), lng, lat)).toBe(inside);
  });

  test('points and lines contain nothing, not even themselves', () => {
    expect(contains(fromGeoJSON({ type: 'Point', coordinates: [1, 2] }), 1, 2)).toBe(false);
    const line = fromGeoJSON({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [2, 2],
      ],
    });
    expect(contains(line, 1, 1)).toBe(false);
  });
});

/** A polygon with every ring run backwards. */
function reversed(geometry: Geometry): Geometry {
  const xy = geometry.xy.slice();
  let start = 0;
  for (const end of geometry.ends) {
    for (let v = start; v < end; v++) {
      xy[2 * v] = geometry.xy[2 * (start + end - 1 - v)]!;
      xy[2 * v + 1] = geometry.xy[2 * (start + end - 1 - v) + 1]!;
    }
    start = end;
  }
  return { ...geometry, xy };
}
