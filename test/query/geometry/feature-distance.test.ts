import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { boundaryDistance, distanceTo } from '../../../query/geometry/feature-distance.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { EDGES } from '../../oracle/edges.ts';
import { pointAt } from '../../oracle/geodesic.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import * as oracle from '../../oracle/geometry.ts';
import { randomOf, starOf } from '../star.ts';

const LONG = process.env.PLAT_TEST === 'long';

/** What docs/operators.md allows: 0.1 m or one part in a million; the oracle itself is good to a tenth of that. */
const near = (metres: number, expected: number, what = '') =>
  expect(Math.abs(metres - expected), `${what}: ${metres} against ${expected}`).toBeLessThanOrEqual(
    Math.max(0.1, 1e-6 * expected),
  );
const line = (coordinates: number[][]): Geometry => fromGeoJSON({ type: 'LineString', coordinates });

/** A place about so many metres away, in any direction, its longitude in [-180, 180]. */
function away(lng: number, lat: number, metres: number, random: () => number): [number, number] {
  const [x, y] = pointAt(lng, lat, 360 * random(), metres);
  return [x > 180 ? x - 360 : x < -180 ? x + 360 : x, y];
}

describe('distanceTo', () => {
  test.each(EDGES)('$name', ({ geometry, lng, lat, inside }) => {
    near(distanceTo(geometry, lng, lat), inside ? 0 : oracle.metresToEdge(geometry, lng, lat, 2000));
  });

  test.each([
    ['Bangor', -68.77, 44.8],
    ['Utqiagvik', -156.8, 72],
    ['the Aleutian rectangle', 175, 52.5],
    ['the equator', -60, 0],
    ['the Keys', -81.5, 24.6],
  ])('agrees with the oracle about %s, from a metre to 45 km', (_, lng, lat) => {
    const random = randomOf(lng * 1000);
    for (let i = 0; i < (LONG ? 60 : 20); i++) {
      const { geometry } = starOf(i + 1, 4 + (i % 40), lng, lat, 0.002 * 10 ** random());
      const [x, y] = away(lng, lat, 45_000 * random() ** 4, random);
      const expected = oracle.metresTo(geometry, x, y);
      near(distanceTo(geometry, x, y), expected);
      near(boundaryDistance(geometry, x, y), oracle.metresToEdge(geometry, x, y));
      near(distanceTo(geometry, x, y, expected + 1), expected, 'with a limit just beyond');
      if (expected > 1) expect(distanceTo(geometry, x, y, expected - 1)).toBe(Infinity);
    }
  });

  test('agrees with the oracle on lines at any distance, along and across the antimeridian', () => {
    const cases = fc.tuple(
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.constantFrom(-180, -150, -68, 0, 172, 179.99, 180),
      fc.double({ min: 0, max: 6.5, noNaN: true }),
      fc.double({ min: -4, max: 1.2, noNaN: true }),
    );
    fc.assert(
      fc.property(cases, ([seed, lat, lng, power, span]) => {
        const random = randomOf(seed);
        const coordinates = [[lng, lat]];
        for (let i = 0; i < 5; i++) {
          const [x, y] = coordinates.at(-1)!;
          coordinates.push([
            clamp(x! + 10 ** span * (random() - 0.5), -180, 180),
            clamp(y! + 10 ** span * (random() - 0.5), -85, 85),
          ]);
        }
        const [x, y] = away(lng, lat, 10 ** power, random);
        const expected = oracle.metresToEdge(line(coordinates), x, y, 60);
        near(distanceTo(line(coordinates), x, y), expected, JSON.stringify([coordinates, x, y]));
      }),
      { seed: 20261120, numRuns: LONG ? 1500 : 500 },
    );
  });

  test('segments of hundreds and thousands of kilometres, from near and far', () => {
    const cases = fc.tuple(
      fc.tuple(fc.double({ min: -180, max: -60, noNaN: true }), fc.double({ min: -60, max: 80, noNaN: true })),
      fc.tuple(fc.double({ min: -180, max: -60, noNaN: true }), fc.double({ min: -60, max: 80, noNaN: true })),
      fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -60, max: 80, noNaN: true })),
    );
    fc.assert(
      fc.property(cases, ([from, to, [x, y]]) => {
        const segment = line([from, to]);
        near(distanceTo(segment, x, y), oracle.metresToEdge(segment, x, y, 400), JSON.stringify([from, to, x, y]));
      }),
      { seed: 3, numRuns: LONG ? 400 : 150 },
    );
  });

  test('places on a segment are at no distance', () => {
    const random = randomOf(5);
    for (let i = 0; i < 200; i++) {
      const from = [-180 + 360 * random(), -80 + 160 * random()];
      const to = [clamp(from[0]! + random() - 0.5, -180, 180), from[1]! + random() - 0.5];
      const t = random();
      const x = from[0]! + t * (to[0]! - from[0]!);
      const y = from[1]! + t * (to[1]! - from[1]!);
      expect(distanceTo(line([from, to]), x, y)).toBeLessThan(1e-5);
      expect(distanceTo(line([from, to]), to[0]!, to[1]!)).toBe(0);
    }
  });

  test('two polygons that share the nearest edge are equally far, whichever way it runs', () => {
    const random = randomOf(11);
    for (let i = 0; i < 300; i++) {
      const [a, b] = [
        [-68 + random(), 44 + random()],
        [-68 + random(), 44 + random()],
      ];
      const [x, y] = [-68 + random(), 44 + random()];
      expect(Math.abs(distanceTo(line([a, b]), x, y) - distanceTo(line([b, a]), x, y))).toBeLessThan(1e-7);
    }
  });

  test('a long line of many vertices, whose chains are skipped', () => {
    const random = randomOf(9);
    const coordinates: number[][] = [];
    for (let i = 0; i < 1500; i++) coordinates.push([-70 + i * 0.002, 44 + Math.sin(i / 40) + 0.002 * random()]);
    for (let i = 0; i < 10; i++) {
      const [x, y] = away(-68.5, 44, 400_000 * random() ** 2, random);
      near(distanceTo(line(coordinates), x, y), oracle.metresToEdge(line(coordinates), x, y, 4));
    }
  });

  test('across ±180 the short way, from a point on either side and on the meridian itself', () => {
    const geometry = fromGeoJSON({
      type: 'Polygon',
      coordinates: [
        [
          [179, 51],
          [179.9, 51],
          [179.9, 53],
          [179, 53],
          [179, 51],
        ],
      ],
    });
    for (const x of [-179.9, -180, 180, 179.95]) near(distanceTo(geometry, x, 52), metresTo(x));
    function metresTo(x: number) {
      return oracle.metresToEdge(geometry, x, 52, 2000);
    }
  });

  test('limits: what is exactly as far is found, a hair farther is not', () => {
    const point = fromGeoJSON({ type: 'Point', coordinates: [-68, 44] });
    const metres = distance(-68.1, 44, -68, 44);
    expect(distanceTo(point, -68.1, 44, metres)).toBe(metres);
    expect(distanceTo(point, -68.1, 44, metres - 1e-6)).toBe(Infinity);
  });

  test('nothing is near a geometry without vertices', () => {
    const empty = {
      type: 'LineString',
      xy: new Float64Array(),
      ends: Uint32Array.of(0),
      parts: new Uint32Array(),
    } as const;
    expect(distanceTo(empty, 0, 0)).toBe(Infinity);
  });
});

describe('boundaryDistance', () => {
  test('inside a polygon, inside its hole, and on its edge', () => {
    const at = (name: string) => EDGES.find(e => e.name === name)!;
    for (const name of ['inside', 'in a hole', 'outside', 'on an island in a hole']) {
      const { geometry, lng, lat } = at(name);
      const expected = oracle.metresToEdge(geometry, lng, lat, 500);
      expect(expected).toBeGreaterThan(1000);
      near(boundaryDistance(geometry, lng, lat), expected);
      expect(boundaryDistance(geometry, lng, lat, 1000)).toBe(Infinity);
    }
    const { geometry, lng, lat } = at('on an upright edge');
    expect(boundaryDistance(geometry, lng, lat)).toBeLessThan(1e-6);
  });

  test('the cut at ±180 is no boundary of an area on both sides, but is one of an area on one', () => {
    const { geometry } = EDGES.find(e => e.name === 'on 180 of a part that ends there')!;
    // The nearest true edge is the one a degree east, at -179.
    near(
      boundaryDistance(geometry, 180, 52),
      oracle.metresToEdge(
        line([
          [-179, 51],
          [-179, 53],
        ]),
        180,
        52,
        500,
      ),
    );
    const half = fromGeoJSON({
      type: 'Polygon',
      coordinates: [
        [
          [179, 51],
          [180, 51],
          [180, 53],
          [179, 53],
          [179, 51],
        ],
      ],
    });
    expect(boundaryDistance(half, 180, 52)).toBeLessThan(1e-6);
  });
});

function clamp(x: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, x));
}
