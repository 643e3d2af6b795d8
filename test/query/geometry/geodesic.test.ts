import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../../datasets/geometry.ts';
import { boxLowerBound, distance, LEAST_RADIUS, radiiAt, turn } from '../../../query/geometry/geodesic.ts';
import { metresBetween, metresToSegment } from '../../oracle/geodesic.ts';

const lng = fc.double({ min: -180, max: 180, noNaN: true });
const lat = fc.double({ min: -85, max: 85, noNaN: true });

describe('distance', () => {
  test('one degree of the equator and one of the meridian there', () => {
    // Torge & Müller, Geodesy, table 4.1 (WGS84): 111,319.491 m and 110,574.389 m.
    expect(distance(0, 0, 1, 0)).toBeCloseTo(111319.491, 3);
    expect(distance(0, 0, 0, 1)).toBeCloseTo(110574.389, 3);
  });

  test('the meridian 180 is the meridian -180', () => {
    expect(distance(180, 52, -180, 52)).toBe(0);
    expect(distance(179.5, 52, -179.5, 52)).toBeCloseTo(metresBetween(0, 52, 1, 52), 6);
  });
});

describe('radiiAt', () => {
  test('at the equator and the pole', () => {
    expect(radiiAt(0)).toEqual({ M: LEAST_RADIUS, N: 6378137 });
    expect(LEAST_RADIUS).toBeCloseTo(6335439.327, 3);
    // Both are a²/b at the pole.
    expect(radiiAt(90).M).toBeCloseTo(6399593.626, 3);
    expect(radiiAt(90).N).toBeCloseTo(6399593.626, 3);
  });
});

describe('boxLowerBound', () => {
  const box = fc
    .tuple(lng, lat, lng, lat)
    .map(([a, b, c, d]): Box => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);

  test('never exceeds the distance to any place of the box', () => {
    const place = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(lng, lat, box, place, (x, y, [west, south, east, north], [u, v]) => {
        const bound = boxLowerBound(x, y, [west, south, east, north]);
        const bx = west + u * (east - west);
        const by = south + v * (north - south);
        expect(bound).toBeLessThanOrEqual(metresBetween(x, y, bx, by));
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('comes within one part in eighty of the distance', () => {
    fc.assert(
      fc.property(lng, lat, fc.tuple(lng, lat), (x, y, [bx, by]) => {
        // 6335.4 against at most 6399.6 km; a small box stands for its middle.
        const bound = boxLowerBound(x, y, [bx, by, Math.min(180, bx + 1e-9), by + 1e-9]);
        expect(bound).toBeGreaterThanOrEqual(metresBetween(x, y, bx, by) * (6335.4 / 6400) - 0.001);
      }),
      { seed: 2, numRuns: 2000 },
    );
  });

  test.each([
    ['west of the box', -70, 44.5, [-69, 44, -68, 45]],
    ['east of the box', -60, 44.9, [-69, 44, -68, 45]],
    ['across the antimeridian', -179.5, 52, [179, 51, 180, 53]],
    ['72 north, where the upright edge is nearest above the point', -170, 72, [-150, 60, -140, 80]],
  ] as [string, number, number, Box][])('is near the distance to the nearest edge: %s', (_, x, y, [w, s, e, n]) => {
    const sides = [
      [
        [w, s],
        [w, n],
      ],
      [
        [e, s],
        [e, n],
      ],
      [
        [w, s],
        [e, s],
      ],
      [
        [w, n],
        [e, n],
      ],
    ];
    const least = Math.min(...sides.map(([from, to]) => metresToSegment(x, y, from!, to!, 200)));
    const bound = boxLowerBound(x, y, [w, s, e, n]);
    expect(bound).toBeLessThanOrEqual(least);
    expect(bound).toBeGreaterThan(least * 0.985);
  });

  test('is 0 inside, on the edge, and on either side of the antimeridian', () => {
    expect(boxLowerBound(-68.5, 44.5, [-69, 44, -68, 45])).toBe(0);
    expect(boxLowerBound(-69, 45, [-69, 44, -68, 45])).toBe(0);
    expect(boxLowerBound(180, 52, [-180, 51, -179, 53])).toBe(0);
    expect(boxLowerBound(-180, 52, [179, 51, 180, 53])).toBe(0);
  });
});

test('turn brings a difference of longitudes into half a turn', () => {
  expect([turn(359), turn(-181), turn(180), turn(-180), turn(0), turn(540.5)]).toEqual([-1, 179, 180, -180, 0, -179.5]);
});
