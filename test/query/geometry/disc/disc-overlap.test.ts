import { describe, expect, it } from 'vitest';
import { boxOf } from '../../../../datasets/geometry.ts';
import { discPolygon } from '../../../../query/geometry/disc/disc.ts';
import { discOverlap } from '../../../../query/geometry/disc/disc-overlap.ts';
import { PolygonOverlap, straightArea } from '../../../../query/geometry/polygon-overlap.ts';
import { isValid } from '../../../oracle/geometry.ts';
import { rectangle } from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';

/** Where, lng, lat and metres of discs. */
const DISCS: [string, number, number, number][] = [
  ['in mid-latitudes', -68.77, 44.8, 500],
  ['in the far north', -156.7, 71.2, 2000],
  ['at the equator', 10, 0.001, 100],
  ['in the south', 20, -33, 5000],
];

/** The same by the sweep over both. */
function swept(polygon: Parameters<typeof discOverlap>[0], disc: ReturnType<typeof discPolygon>): number {
  const overlay = new PolygonOverlap(disc, boxOf(disc));
  overlay.add(polygon);
  return overlay.measure();
}

describe('what of a polygon lies in a disc', () => {
  it.each(DISCS)('is what the sweep measures %s', (_, lng, lat, radius) => {
    const disc = discPolygon(lng, lat, radius);
    const whole = straightArea(disc);
    const random = randomOf(3);
    const degrees = radius / 111_000;
    const stretch = 1 / Math.cos((lat * Math.PI) / 180);
    let cut = 0;
    for (let i = 0; i < 300; i++) {
      const azimuth = random() * 2 * Math.PI;
      const far = degrees * (0.3 + random());
      const size = degrees * (i % 3 === 0 ? 0.02 : i % 3 === 1 ? 0.3 : 2);
      const [x, y] = [lng + far * Math.sin(azimuth) * stretch, lat + far * Math.cos(azimuth)];
      const { geometry } = starOf(Math.floor(random() * 1e6), 4 + (i % 20), x, y, size);
      if (!isValid(geometry)) continue;
      const area = discOverlap(geometry, boxOf(geometry), disc);
      const expected = swept(geometry, disc);
      expect(Math.abs(area - expected), `star ${i}`).toBeLessThan(1e-8 * whole);
      if (expected > 0 && expected < 0.999 * straightArea(geometry)) cut++;
    }
    expect(cut).toBeGreaterThan(60);
  });

  it('leaves holes out and gives what holds it the whole disc', () => {
    const disc = discPolygon(10, 45, 300);
    const ring = rectangle([9.9, 44.9, 10.1, 45.1], [9.999, 44.9995, 10.001, 45.0005]);
    expect(discOverlap(ring, boxOf(ring), disc)).toBeCloseTo(swept(ring, disc), 3);
    const all = rectangle([9, 44, 11, 46]);
    expect(discOverlap(all, boxOf(all), disc)).toBeCloseTo(straightArea(disc), 3);
    const none = rectangle([10.1, 45.1, 10.2, 45.2]);
    expect(discOverlap(none, boxOf(none), disc)).toBe(0);
  });

  it('finds a polygon beyond the antimeridian', () => {
    const disc = discPolygon(179.999, 52, 500);
    const across = rectangle([-180, 51.99, -179.99, 52.01]);
    expect(discOverlap(across, boxOf(across), disc)).toBeCloseTo(swept(across, disc), 3);
    expect(discOverlap(across, boxOf(across), disc)).toBeGreaterThan(1000);
  });
});
