import { describe, expect, it } from 'vitest';
import { boxOf } from '../../../../datasets/geometry.ts';
import { clipToBox } from '../../../../query/geometry/area/clip-to-box.ts';
import { PolygonOverlap, straightArea } from '../../../../query/geometry/polygon-overlap.ts';
import { isValid } from '../../../oracle/geometry.ts';
import { cutOut } from '../../../oracle/ground.ts';
import { rectangle } from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';

const stars = (seed: number, count: number) => {
  const random = randomOf(seed);
  return Array.from(
    { length: count },
    () =>
      starOf(Math.floor(random() * 1e6), 7, 10 + 0.04 * random(), 45 + 0.04 * random(), 0.01 + 0.02 * random())
        .geometry,
  ).filter(isValid);
};

describe('ground told apart', () => {
  it('agrees with GEOS on which polygon counts where, and adds up to the mask', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const mask = stars(seed, 3)[0]!;
      const polygons = stars(seed + 100, 8);
      const overlay = new PolygonOverlap(mask, boxOf(mask));
      for (const polygon of polygons) overlay.add(polygon);
      const ground = overlay.ground(polygons.map((_, i) => i));
      const want = cutOut(mask, polygons);
      const whole = straightArea(mask);
      for (const [i, area] of [...ground.areas, ground.none].entries())
        expect(Math.abs(area - want[i]!) / whole).toBeLessThan(1e-7);
      expect(ground.areas.reduce((sum, area) => sum + area, ground.none) / whole).toBeCloseTo(1, 9);
    }
  });

  it('beyond the bounds is outside: each group of them must hold the ground', () => {
    const mask = rectangle([0, 0, 1, 1]);
    const overlay = new PolygonOverlap(mask, boxOf(mask));
    for (const box of [
      [-1, -1, 0.5, 2],
      [-1, -1, 2, 0.5],
      [0.25, -1, 2, 2],
    ] as const)
      overlay.add(rectangle([...box]));
    const whole = straightArea(mask);
    const { areas, none, outside } = overlay.ground([-1, -2, 0], 2);
    expect(areas[0]! / whole).toBeCloseTo(0.125, 4);
    expect(none / whole).toBeCloseTo(0.125, 4);
    expect(outside / whole).toBeCloseTo(0.75, 4);
  });

  it('the tiles of a mask are the mask', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const [mask] = stars(seed, 3);
      const polygons = stars(seed + 50, 4);
      const measure = (of: typeof mask) => {
        const overlay = new PolygonOverlap(of!, boxOf(of!));
        for (const polygon of polygons) overlay.add(polygon);
        return overlay.measure();
      };
      const [west, south, east, north] = boxOf(mask!);
      const [x, y] = [west + 0.37 * (east - west), south + 0.61 * (north - south)];
      let sum = 0;
      for (const tile of [
        [west, south, x, y],
        [x, south, east, y],
        [west, y, x, north],
        [x, y, east, north],
      ] as const) {
        const part = clipToBox(mask!, [...tile]);
        if (part) sum += measure(part);
      }
      expect(Math.abs(sum - measure(mask)) / straightArea(mask!)).toBeLessThan(1e-9);
    }
    expect(clipToBox(rectangle([0, 0, 1, 1]), [2, 2, 3, 3])).toBeNull();
  });
});
