import { describe, expect, test } from 'vitest';
import { geodesicArea } from '../../../../query/geometry/area/geodesic-area.ts';
import { radiiAt } from '../../../../query/geometry/geodesic.ts';
import { EDGES } from '../../../oracle/edges.ts';
import { fromGeoJSON } from '../../../oracle/geojson.ts';
import * as oracle from '../../../oracle/geometry.ts';
import { starOf } from '../../star.ts';

const ring = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...coordinates: number[][][]) => fromGeoJSON({ type: 'Polygon', coordinates });

describe('geodesicArea', () => {
  test('agrees with the oracle on holes and parts, with edges of kilometres and of metres', () => {
    for (const size of [0.1, 0.02, 0.004, 0.0005])
      for (let seed = 1; seed < 60; seed++) {
        const { geometry } = starOf(seed, seed, -150 + seed, 79 - 2.6 * seed, size);
        expect(geodesicArea(geometry)).toBeCloseTo(oracle.area(geometry), 3);
      }
  });

  test('of a few metres is the product of the radii of curvature there, which the oracle rounds to a square centimetre', () => {
    for (const lat of [-70, -33.25, 0, 44.5, 64.75]) {
      const side = 2 ** -16;
      const { M, N } = radiiAt(lat + side / 2);
      const radians = (side * Math.PI) / 180;
      const area = M * N * Math.cos(((lat + side / 2) * Math.PI) / 180) * radians ** 2;
      expect(geodesicArea(polygon(ring(-68, lat, -68 + side, lat + side))) / area).toBeCloseTo(1, 10);
    }
  });

  test('is that of the whole ellipsoid between two parallels and meridians', () => {
    // An octant is an eighth of the ellipsoid's 510,065,621.724 km² (GRS80 and WGS84 agree so far).
    const octant = polygon([
      [0, 0],
      [90, 0],
      [0, 90],
      [0, 0],
    ]);
    expect(geodesicArea(octant) * 8).toBeCloseTo(510_065_621_724_088, -3);
  });

  test('does not depend on the direction of rings, and points and lines have none', () => {
    for (const box of [ring(-180, 51, -179, 53), ring(-180, 51, -179.995, 51.003)]) {
      const forward = geodesicArea(polygon(box));
      expect(forward).toBeGreaterThan(1e5);
      expect(geodesicArea(polygon([...box].reverse()))).toBeCloseTo(forward, 3);
    }
    for (const { geometry } of EDGES.filter(e => e.geometry.parts.length === 0)) expect(geodesicArea(geometry)).toBe(0);
  });
});
