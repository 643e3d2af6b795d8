import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { interiorPoint, poleOf } from '../../../../query/geometry/area/interior-point.ts';
import { surfacePoint } from '../../../../query/geometry/area/surface-point.ts';
import { polygonsToGeometry } from '../../../../query/geometry/geos.ts';
import { contains } from '../../../../query/geometry/point-in-polygon.ts';

type Ring = readonly (readonly [number, number])[];
const polygon = (...rings: Ring[]): Geometry => polygonsToGeometry([rings.map(r => Float64Array.from(r.flat()))]);
const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

describe('the interior point', () => {
  it('of an ordinary polygon is its pole of inaccessibility', () => {
    const pole = poleOf(polygon(box(0, 0, 0.001, 0.001)));
    expect(pole).toMatchObject({ lng: 0.0005, lat: 0.0005, isPole: true });
    expect(pole!.metres).toBeCloseTo(55.6, 1);
  });

  it.each([
    ['around the earth', box(-179.9, 44.1, 179.9, 44.101)],
    ['of the whole earth', box(-180, -90, 180, 90)],
    ['10 km long and a tenth of a millimetre wide', box(-68.9, 44.1, -68.8, 44.1 + 1e-9)],
  ])('of a polygon %s is inside too, after a search of bounded length', (_, ring) => {
    const pole = poleOf(polygon(ring))!;
    expect(pole.isPole).toBe(false);
    expect(contains(polygon(ring), pole.lng, pole.lat)).toBe(true);
  });

  it('is none where the polygon is narrower than a micrometre', () => {
    expect(interiorPoint(polygon(box(-68.9, 44.1, -68.8, 44.1 + 7.2e-15)))).toBeNull();
  });

  it('is found in the largest of very many parts', () => {
    const parts = Array.from({ length: 130_000 }, (_, i) => [
      Float64Array.from(box(i * 1e-5, 0, i * 1e-5 + 5e-6, 5e-6).flat()),
    ]);
    parts[77] = [Float64Array.from(box(-1, 1, -0.99, 1.01).flat())];
    expect(interiorPoint(polygonsToGeometry(parts))![0]).toBeCloseTo(-0.995, 6);
  }, 30_000);

  // What `SELECT ST_AsText(ST_PointOnSurface(…))` of PostGIS 3.3 (GEOS 3.11) answers.
  it.each<[string, Ring[], [number, number]]>([
    ['a square', [box(0, 0, 4, 4)], [2, 2]],
    [
      'a U',
      [
        [
          [0, 0],
          [10, 0],
          [10, 10],
          [8, 10],
          [8, 2],
          [2, 2],
          [2, 10],
          [0, 10],
          [0, 0],
        ],
      ],
      [1, 6],
    ],
    ['a square with a hole', [box(0, 0, 10, 10), box(4, 3, 9, 7)], [2, 5]],
  ])('without a search is what PointOnSurface of GEOS gives: %s', (_, rings, expected) => {
    const { x, y, distance } = surfacePoint(rings)!;
    expect([x, y]).toEqual(expected);
    expect(distance).toBeGreaterThan(0);
  });
});
