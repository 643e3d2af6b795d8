import { describe, expect, it } from 'vitest';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { discPolygon } from '../../../query/geometry/disc/disc.ts';
import { PolygonOverlap, straightArea } from '../../../query/geometry/polygon-overlap.ts';
import { pointAt, squareMetres } from '../../oracle/geodesic.ts';
import { fromGeoJSON, toGeoJSON } from '../../oracle/geojson.ts';
import { isValid } from '../../oracle/geometry.ts';
import { coveredShare, disc } from '../../oracle/overlap.ts';
import { rectangle } from '../release-fixture.ts';
import { randomOf, starOf } from '../star.ts';

const measure = (mask: Geometry, polygons: readonly Geometry[]) => {
  const overlay = new PolygonOverlap(mask, boxOf(mask));
  for (const polygon of polygons) overlay.add(polygon);
  return overlay.measure();
};
const share = (mask: Geometry, polygons: readonly Geometry[]) => measure(mask, polygons) / straightArea(mask);

describe('Overlay', () => {
  it('measures what Karney measures', () => {
    for (const lat of [0, 25, 45, 72, -60]) {
      const mask = discPolygon(-100, lat, 500);
      // A spherical cap's worth of curvature is 5e-10 of the area at this radius.
      expect(straightArea(mask) / (Math.PI * 500 * 500)).toBeCloseTo(1, 7);
      expect(straightArea(mask) / squareMetres(toGeoJSON(mask) as GeoJSON.Polygon)).toBeCloseTo(1, 8);
      expect(measure(mask, [rectangle([-101, lat - 1, -99, lat + 1])]) / straightArea(mask)).toBeCloseTo(1, 12);
    }
    for (let seed = 1; seed < 20; seed++) {
      const { geometry } = starOf(seed, 15, -68.7, 44.8, 0.01);
      if (isValid(geometry))
        expect(measure(rectangle([-69, 44, -68, 45]), [geometry]) / straightArea(geometry)).toBeCloseTo(1, 11);
    }
  });

  it('counts a place once however many polygons cover it, and holes not at all', () => {
    const mask = rectangle([0, 0, 0.01, 0.01]);
    const half = rectangle([-1, -1, 0.005, 1]);
    expect(share(mask, [half])).toBeCloseTo(0.5, 9);
    expect(share(mask, [half, half, rectangle([0, 0, 0.005, 0.01])])).toBeCloseTo(0.5, 9);
    expect(share(mask, [rectangle([-1, -1, 1, 1], [0.002, 0.002, 0.008, 0.008])])).toBeCloseTo(1 - 0.36, 9);
    expect(share(mask, [rectangle([-1, -1, 1, 1], [0.002, 0.002, 0.008, 0.008]), half])).toBeCloseTo(1 - 0.18, 9);
    expect(share(rectangle([0, 0, 0.01, 0.01], [0.002, 0.002, 0.008, 0.008]), [half])).toBeCloseTo(0.5, 9);
    expect(share(mask, [rectangle([-1, -1, 1, 1])])).toBe(1);
    expect(share(mask, [rectangle([0.02, 0, 0.03, 0.01]), rectangle([-0.02, 0, -0.01, 0.01])])).toBe(0);
  });

  it('agrees with GEOS on stars that overlap in a disc', () => {
    let checked = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed * 7919);
      const lat = [0.01, 44.8, 72, -33][seed % 4]!;
      const polygons: Geometry[] = [];
      for (let i = 0; i < 1 + (seed % 9); i++) {
        const { geometry } = starOf(
          seed * 100 + i,
          5 + Math.floor(random() * 40),
          -68.7 + 0.02 * (random() - 0.5),
          lat + 0.01 * (random() - 0.5),
          0.001 + 0.008 * random(),
        );
        if (isValid(geometry)) polygons.push(geometry);
      }
      const metres = 100 + 900 * random();
      const expected = coveredShare(disc(-68.7, lat, metres), polygons);
      expect(Math.abs(share(discPolygon(-68.7, lat, metres), polygons) - expected), `seed ${seed}`).toBeLessThan(1e-5);
      if (expected > 0.01 && expected < 0.99) checked++;
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('agrees with GEOS on stars in a star with a hole and an island, to one part in a million', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { geometry: mask, random } = starOf(seed, 12, -68.7, 44.8, 0.01);
      if (!isValid(mask)) continue;
      const polygons = Array.from({ length: 4 }, (_, i) =>
        starOf(seed * 31 + i, 20, -68.7 + 0.02 * (random() - 0.5), 44.8 + 0.02 * (random() - 0.5), 0.008),
      )
        .map(s => s.geometry)
        .filter(isValid);
      const expected = coveredShare(toGeoJSON(mask) as GeoJSON.MultiPolygon, polygons);
      expect(Math.abs(share(mask, polygons) - expected), `seed ${seed}`).toBeLessThan(1e-6);
    }
  });

  it('gets many crossings of long thin polygons in one slab right', () => {
    const strips: Geometry[] = [];
    for (let i = 0; i < 40; i++) {
      const [a, b] = [-0.02 + i * 0.001, 0.02 - i * 0.0007];
      strips.push(
        fromGeoJSON({
          type: 'Polygon',
          coordinates: [
            [
              [a, -0.02],
              [a + 0.0002, -0.02],
              [b + 0.0002, 0.02],
              [b, 0.02],
              [a, -0.02],
            ],
          ],
        }),
      );
    }
    const mask = rectangle([-0.01, -0.01, 0.01, 0.01]);
    const expected = coveredShare(toGeoJSON(mask) as GeoJSON.Polygon, strips);
    expect(share(mask, strips)).toBeCloseTo(expected, 6);
  });

  it('covers a disc across ±180 from both sides', () => {
    const mask = discPolygon(179.999, 52, 500);
    const west = rectangle([179, 51, 180, 53]);
    const east = rectangle([-180, 51, -179, 53]);
    expect(share(mask, [west, east])).toBeCloseTo(1, 12);
    expect(share(mask, [west]) + share(mask, [east])).toBeCloseTo(1, 12);
    expect(share(mask, [west])).toBeGreaterThan(0.5);
  });
});

describe('discPolygon', () => {
  it('keeps its rim within 2.6e-5 of the radius and its area within a billionth', () => {
    const { xy } = discPolygon(-150, 71, 500);
    for (let i = 0; i < 360; i++) {
      const [x, y] = pointAt(-150, 71, i, 500);
      expect(Math.hypot((xy[2 * i]! - x) * 36_400, (xy[2 * i + 1]! - y) * 111_500)).toBeLessThan(0.014);
    }
    expect(() => discPolygon(0, 89.999, 500)).toThrow(/pole/);
  });
});

it('an area of many edges side by side is measured alike whichever way its ring runs', () => {
  const teeth = 2000;
  const ring = Array.from({ length: teeth }, (_, i) => {
    const x = -69 + (i * 0.01) / teeth;
    return [
      [x, 44],
      [x, 44.005 + (i % 7) * 1e-4],
      [x + 0.004 / teeth, 44],
    ];
  }).flat();
  ring.push([-68.99, 44], [-68.99, 43.99], [-69, 43.99]);
  const polygon = (open: number[][]): Geometry => ({
    type: 'Polygon',
    xy: Float64Array.from([...open, open[0]!].flat()),
    ends: Uint32Array.of(open.length + 1),
    parts: Uint32Array.of(1),
  });
  const mask = rectangle([-69.01, 43.98, -68.98, 44.01]);
  const there = polygon(ring);
  expect(measure(mask, [there]) / straightArea(there)).toBeCloseTo(1, 9);
  expect(measure(mask, [polygon([...ring].reverse())]) / straightArea(there)).toBeCloseTo(1, 9);
});
