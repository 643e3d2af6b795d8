import { describe, expect, it } from 'vitest';
import { discPolygon } from '../../../../query/geometry/disc/disc.ts';
import { metresBetween } from '../../../oracle/geodesic.ts';

describe('the polygon of a disc', () => {
  it('has every vertex at one distance from the centre, at any latitude and however long that is', () => {
    for (const metres of [100, 500, 1999, 4990, 5010, 50_000])
      for (let lat = -80; lat <= 80; lat += 16) {
        const { xy } = discPolygon(-70, lat, metres);
        const radii = Array.from({ length: xy.length / 2 }, (_, i) =>
          metresBetween(-70, lat, xy[2 * i]!, xy[2 * i + 1]!),
        );
        expect(Math.max(...radii) - Math.min(...radii)).toBeLessThan(1e-6 + metres * 1e-11);
        expect(radii[0]! / metres).toBeGreaterThan(1);
        expect(radii[0]! / metres).toBeLessThan(1.0001);
      }
  });
});
