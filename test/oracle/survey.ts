import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import { containing, type Feature } from './features.ts';
import { metresBetween, metresToSegment } from './geodesic.ts';
import { contains } from './geometry.ts';

/** A published row as the oracle keeps it. */
export interface Surveyed<T> extends Feature {
  readonly box: Box;
  readonly value: T;
}

/** A row with its geodesic metres to a point. */
export interface Measured<T> {
  readonly feature: Surveyed<T>;
  readonly metres: number;
}

/** Planar metres are taken to be within this share of geodesic ones, and to this many metres, up to 50 km. */
const SLACK = 0.02;
const SLACK_M = 0.5;

/** Metres east and north of a lng,lat, on a plane that touches the WGS84 ellipsoid there. */
function planeAt(lng: number, lat: number): (x: number, y: number) => [number, number] {
  const e2 = 0.00669437999014;
  const sin = Math.sin((lat * Math.PI) / 180);
  const w = Math.sqrt(1 - e2 * sin * sin);
  const east = ((6378137 / w) * Math.cos((lat * Math.PI) / 180) * Math.PI) / 180;
  const north = (((6378137 * (1 - e2)) / w ** 3) * Math.PI) / 180;
  return (x, y) => [(x - lng) * east, (y - lat) * north];
}

/** Planar metres from the origin to the segment from a to b. */
function planarTo([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
  return Math.hypot(ax + t * dx, ay + t * dy);
}

/** Each segment of lines and rings, and each point as a segment of no length. */
function* segments({ type, xy, ends }: Geometry): Generator<readonly [number, number, number, number]> {
  if (type === 'Point' || type === 'MultiPoint') {
    for (let i = 0; i < xy.length; i += 2) yield [xy[i]!, xy[i + 1]!, xy[i]!, xy[i + 1]!];
    return;
  }
  let start = 0;
  for (const end of ends) {
    for (let i = start; i + 1 < end; i++) yield [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
    start = end;
  }
}

/**
 * Metres from a point to the nearest edge of a geometry: all segments on a plane, then those that can be nearest by
 * Karney's geodesics. Up to about 50 km for lines and polygons; any distance for points.
 */
export function edgeMetres(geometry: Geometry, lng: number, lat: number): number {
  const plane = planeAt(lng, lat);
  const all = [...segments(geometry)].map(s => ({ s, metres: planarTo(plane(s[0], s[1]), plane(s[2], s[3])) }));
  const reach = all.reduce((least, a) => Math.min(least, a.metres), Infinity) * (1 + SLACK) + SLACK_M;
  let least = Infinity;
  for (const { s, metres } of all)
    if (metres <= reach) least = Math.min(least, metresToSegment(lng, lat, [s[0], s[1]], [s[2], s[3]], 4));
  return least;
}

/** One published layer, searched by brute force behind boxes. */
export class Survey<T> {
  readonly features: readonly Surveyed<T>[];

  constructor(rows: Iterable<{ readonly key?: string; readonly geometry: Geometry; readonly value: T }>) {
    this.features = [...rows].map(({ key = '', geometry, value }) => ({ key, geometry, value, box: boxOf(geometry) }));
  }

  /** A part of the layer. */
  where(test: (value: T) => boolean): Survey<T> {
    return new Survey(this.features.filter(f => test(f.value)));
  }

  /** All polygons that hold the point, boundary included: smallest geodesic area first, then smaller key (GEOS). */
  at(lng: number, lat: number): Surveyed<T>[] {
    return containing(
      this.features.filter(({ box: [w, s, e, n] }) => lng >= w && lng <= e && lat >= s && lat <= n),
      lng,
      lat,
    );
  }

  /** The features that are nearest to within `slack` metres, nearest first; 0 in or on a polygon. */
  nearest(lng: number, lat: number, slack = 0): Measured<T>[] {
    const plane = planeAt(lng, lat);
    // A box is crossed by its feature somewhere: nearer than its nearest corner no feature can be.
    const least = ({ box: [w, s, e, n] }: Surveyed<T>) =>
      Math.hypot(...plane(Math.min(Math.max(lng, w), e), Math.min(Math.max(lat, s), n)));
    const byBox = this.features.map(feature => ({ feature, least: least(feature) })).sort((a, b) => a.least - b.least);
    const found: Measured<T>[] = [];
    let best = Infinity;
    for (const { feature, least } of byBox) {
      if (least > (best + slack) * (1 + SLACK) + SLACK_M) break;
      const metres = contains(feature.geometry, lng, lat) ? 0 : edgeMetres(feature.geometry, lng, lat);
      best = Math.min(best, metres);
      found.push({ feature, metres });
    }
    return found.filter(f => f.metres <= best + slack).sort((a, b) => a.metres - b.metres);
  }
}

/** Points, measured one by one along geodesics; a sphere rules out those that are farther by more than a hundredth. */
export function nearestPoints<T>(survey: Survey<T>, lng: number, lat: number, slack = 0): Measured<T>[] {
  const radians = Math.PI / 180;
  const rough = survey.features.map(feature => {
    const [x, y] = feature.geometry.xy as unknown as [number, number];
    const a =
      Math.sin(((y - lat) * radians) / 2) ** 2 +
      Math.cos(lat * radians) * Math.cos(y * radians) * Math.sin(((x - lng) * radians) / 2) ** 2;
    return { feature, x, y, metres: 2 * 6371000 * Math.asin(Math.sqrt(a)) };
  });
  const reach = (rough.reduce((m, r) => Math.min(m, r.metres), Infinity) + slack) * 1.02 + 1;
  const measured = rough
    .filter(r => r.metres <= reach)
    .map(({ feature, x, y }) => ({ feature, metres: metresBetween(lng, lat, x, y) }))
    .sort((a, b) => a.metres - b.metres);
  return measured.filter(m => m.metres <= measured[0]!.metres + slack);
}
