import geographiclib from 'geographiclib-geodesic';
import { describe, expect, it } from 'vitest';
import { ShortGeodesic } from '../../../query/geometry/short-geodesic.ts';
import { randomOf } from '../star.ts';

const { Geodesic } = geographiclib;
const short = new ShortGeodesic();

/** Karney's solution: metres and the direction of arrival. */
function karney(lng1: number, lat1: number, lng2: number, lat2: number) {
  const { s12, azi2 } = Geodesic.WGS84.Inverse(lat1, lng1, lat2, lng2, Geodesic.DISTANCE | Geodesic.AZIMUTH);
  const azimuth = (azi2! * Math.PI) / 180;
  return { metres: s12!, east: Math.sin(azimuth), north: Math.cos(azimuth) };
}

describe('short geodesics', () => {
  const bands: [string, number, number][] = [
    ['at the equator', -0.01, 0.01],
    ['between the tropics', -30, 30],
    ['in mid-latitudes', 40, 50],
    ['near the poles', 70, 83.9],
  ];
  it.each(bands)('agree with the general solution %s', (_, south, north) => {
    const random = randomOf(5);
    for (const span of [1e-7, 1e-5, 1e-3, 0.02, 0.3, 1])
      for (let i = 0; i < 500; i++) {
        const [lng, lat] = [random() * 360 - 180, south + random() * (north - south)];
        // Due east and due north among them.
        const lat2 = lat + (i % 7 === 0 ? 0 : (random() * 2 - 1) * span);
        const lng2 = lng + (i % 5 === 0 ? 0 : (random() * 2 - 1) * span);
        expect(short.solve(lng, lat, lng2, lat2)).toBe(true);
        const expected = karney(lng, lat, lng2, lat2);
        expect(Math.abs(short.metres - expected.metres)).toBeLessThan(2e-7);
        if (expected.metres < 0.1) continue;
        expect(Math.hypot(short.east - expected.east, short.north - expected.north)).toBeLessThan(1e-6);
      }
  });

  it('cross the antimeridian and end where they begin', () => {
    expect(short.solve(179.8, 52, -179.9, 52.1)).toBe(true);
    expect(short.metres).toBeCloseTo(karney(179.8, 52, -179.9, 52.1).metres, 6);
    expect(short.solve(10, 45, 10, 45)).toBe(true);
    expect(short.metres).toBe(0);
    expect(short.solve(180, 45, -180, 45)).toBe(true);
    expect(short.metres).toBeLessThan(1e-8);
  });

  it('leave long lines, the poles and what is no number to the general solution', () => {
    for (const [lng1, lat1, lng2, lat2] of [
      [0, 0, 1.01, 0],
      [0, 0, 0, -1.01],
      [0, 89, 0.1, 89],
      [0, 0, Number.NaN, 0],
      [0, 0, 0, Number.NaN],
      [0, 0, Number.POSITIVE_INFINITY, 0],
    ] as const)
      expect(short.solve(lng1, lat1, lng2, lat2)).toBe(false);
  });
});
