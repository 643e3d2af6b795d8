import type { Geometry } from '../../../datasets/geometry.ts';
import { type GeosPolygons, polygonsToGeometry, ringsOf } from '../../../query/geometry/geos.ts';
import { tangleOf } from './tangle.ts';

const NONE = new Uint32Array(0);

const isOnEarth = ({ xy }: Geometry): boolean => {
  for (let i = 0; i < xy.length; i += 2) if (!(Math.abs(xy[i]!) <= 180 && Math.abs(xy[i + 1]!) <= 90)) return false;
  return xy.length > 0;
};

/** Rings without an open end and of at least four points; others cover nothing. */
function closed(geometry: Geometry): Geometry | null {
  const polygons = ringsOf(geometry)
    .map(rings =>
      rings.map(ring => {
        const [x, y] = [ring[0]!, ring[1]!];
        const end = ring.length - 2;
        if (ring[end] === x && ring[end + 1] === y) return ring;
        const whole = new Float64Array(ring.length + 2);
        whole.set(ring);
        whole.set([x, y], ring.length);
        return whole;
      }),
    )
    .filter(([shell]) => shell && shell.length >= 8)
    .map(rings => rings.filter(ring => ring.length >= 8));
  return polygons.length ? polygonsToGeometry(polygons) : null;
}

/** All that may be meant by polygons that contradict themselves: what any of both fill rules covers. */
function covered(geometry: Geometry, geos: GeosPolygons): Geometry | null {
  const rings = closed(geometry);
  if (!rings) return null;
  const structure = geos.makeValid(rings, 'structure');
  // What a single ring goes around an odd number of times, it goes around.
  if (rings.ends.length === 1) return structure;
  const readings = [geos.makeValid(rings, 'linework'), structure].filter(one => one !== null);
  return readings.length ? geos.union(readings) : null;
}

/**
 * The ground that a rejected row may concern, lng,lat WGS84: a sound geometry as it is, of polygons all that either
 * reading of their rings covers, of those too tangled to tell their convex hull, and of those without any area the places that they name.
 * @returns null where nobody can tell: no geometry, or coordinates that are not on earth.
 */
export function rejectedGround(geometry: Geometry | null, geos: GeosPolygons): Geometry | null {
  if (!geometry || !isOnEarth(geometry)) return null;
  if (!geometry.parts.length) return geometry;
  if (tangleOf(geometry) !== null) return geos.convexHull(geometry);
  if (geos.invalidReason(geometry) === null) return geometry;
  const { xy } = geometry;
  return covered(geometry, geos) ?? { type: 'MultiPoint', xy, ends: Uint32Array.of(xy.length / 2), parts: NONE };
}
