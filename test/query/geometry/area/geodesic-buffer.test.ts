import geographiclib from 'geographiclib-geodesic';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { geodesicBuffer } from '../../../../query/geometry/area/geodesic-buffer.ts';
import { loadGeos, polygonsToGeometry, ringsOf } from '../../../../query/geometry/geos.ts';

const { Geodesic } = geographiclib;
const WGS84 = Geodesic.WGS84;
const geos = await loadGeos();
const step = () => undefined;
const buffer = (shape: Geometry, metres: number) => geodesicBuffer(shape, metres, geos, step);

const point = (lng: number, lat: number): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(lng, lat),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
});
const line = (...xy: number[]): Geometry => ({
  type: 'LineString',
  xy: Float64Array.from(xy),
  ends: Uint32Array.of(xy.length / 2),
  parts: new Uint32Array(0),
});

/** Square metres of a polygon by the library of geodesics, whose edges are geodesics. */
function squareMetres(geometry: Geometry): number {
  let sum = 0;
  for (const rings of ringsOf(geometry))
    for (const [i, ring] of rings.entries()) {
      const polygon = WGS84.Polygon(false);
      for (let v = 0; v < ring.length - 2; v += 2) polygon.AddPoint(ring[v + 1]!, ring[v]!);
      sum += (i === 0 ? 1 : -1) * Math.abs(polygon.Compute(false, true).area!);
    }
  return sum;
}

const metresBetween = (a: readonly number[], b: readonly number[]) => WGS84.Inverse(a[1]!, a[0]!, b[1]!, b[0]!).s12!;

/** Places on the edges of a shape, some metres apart: straight in longitude and latitude. */
function places({ xy, ends }: Geometry, pieces: number): number[][] {
  const out: number[][] = [];
  let start = 0;
  for (const end of ends) {
    for (let v = start + 1; v < end; v++)
      for (let i = 0; i <= pieces; i++) {
        const share = i / pieces;
        out.push([0, 1].map(k => xy[2 * v - 2 + k]! + share * (xy[2 * v + k]! - xy[2 * v - 2 + k]!)));
      }
    start = end;
  }
  return out;
}

describe('about a point', () => {
  it.each([
    [-68.77, 44.8, 1],
    [-68.77, 44.8, 1_609.344],
    [-150, 71.3, 100_000],
    [-66, 18, 100_000],
  ])('at %f, %f lies what is within %f m', async (lng, lat, metres) => {
    const area = (await buffer(point(lng, lat), metres))!;
    const sums = ringsOf(area)[0]![0]!;
    for (let v = 0; v < sums.length; v += 2)
      expect(Math.abs(metresBetween([lng, lat], [sums[v]!, sums[v + 1]!]) / metres - 1)).toBeLessThan(1e-3);
    // Ten times as many vertices, by the direct solution.
    const fine = WGS84.Polygon(false);
    for (let i = 0; i < 3_600; i++) {
      const { lat2, lon2 } = WGS84.Direct(lat, lng, i / 10, metres);
      fine.AddPoint(lat2!, lon2!);
    }
    expect(Math.abs(squareMetres(area) / Math.abs(fine.Compute(false, true).area!) - 1)).toBeLessThan(1e-3);
    expect(geos.invalidReason(area)).toBeNull();
  });

  it('lies on both sides of 180°', async () => {
    const area = (await buffer(point(179.95, 52), 10_000))!;
    expect(area.type).toBe('MultiPolygon');
    expect([...area.xy].filter((_, i) => i % 2 === 0).every(lng => Math.abs(lng) <= 180)).toBe(true);
    expect(Math.abs(squareMetres(area) / (Math.PI * 1e8) - 1)).toBeLessThan(1e-3);
  });
});

describe('about lines and polygons', () => {
  // A hollow a hundredth of the distance deep, which GEOS would fill; a long edge along a parallel; a lot with a corner cut out.
  const SHAPES: readonly (readonly [string, Geometry, number])[] = [
    ['a bend', line(-69, 45, -68.98, 44.9996, -68.96, 45), 5_000],
    ['a parallel', line(-110, 48, -108, 48), 1_000],
    ['a road', line(-69, 45, -68.99, 45.004, -68.985, 45.001, -68.97, 45.009), 30],
    [
      'a lot',
      polygonsToGeometry([
        [Float64Array.of(-69, 45, -68.99, 45, -68.99, 45.005, -68.995, 45.005, -68.995, 45.01, -69, 45.01, -69, 45)],
      ]),
      200,
    ],
  ];

  it.each(SHAPES)('%s: vertices lie at the distance', async (_, shape, metres) => {
    const area = (await buffer(shape, metres))!;
    expect(geos.invalidReason(area)).toBeNull();
    const near = places(shape, shape.xy.length === 4 ? 4_000 : 300);
    const outline = ringsOf(area)
      .flat()
      .flatMap(ring => Array.from({ length: ring.length / 2 }, (_, v) => [ring[2 * v]!, ring[2 * v + 1]!]));
    for (const vertex of outline.filter((_, i) => i % 13 === 0)) {
      let least = Number.POSITIVE_INFINITY;
      for (const place of near) {
        // Cheap bounds first: a degree is less than 112 km, of longitude at 48° more than 70 km.
        if (Math.abs(place[1]! - vertex[1]!) * 111_000 > least) continue;
        least = Math.min(least, metresBetween(vertex, place));
      }
      expect(Math.abs(least / metres - 1)).toBeLessThan(1e-3);
    }
  });

  it('a short edge: the area is that of two half circles and a rectangle', async () => {
    const [length, metres] = [2_000, 500];
    const { lat2, lon2 } = WGS84.Direct(45, -69, 30, length);
    const area = (await buffer(line(-69, 45, lon2!, lat2!), metres))!;
    expect(Math.abs(squareMetres(area) / (Math.PI * metres ** 2 + 2 * length * metres) - 1)).toBeLessThan(1e-3);
  });

  it('is nothing where the shape reaches too far, or has too many edges', async () => {
    expect(await buffer(line(-110, 40, -90, 40), 1_000)).toBeNull();
    const zigzag = Array.from({ length: 2_002 }, (_, i) => [-69 + i * 1e-5, 45 + (i % 2) * 1e-4]).flat();
    expect(await buffer(line(...zigzag), 10)).toBeNull();
  });
});
