import geographiclib from 'geographiclib-geodesic';
import type { Polygonal } from './geojson.ts';

const WGS84 = geographiclib.Geodesic.WGS84;

/** Karney's geodesic distance in metres between two lng,lat points. */
export function metresBetween(lng1: number, lat1: number, lng2: number, lat2: number): number {
  return WGS84.Inverse(lat1, lng1, lat2, lng2).s12!;
}

/** The point reached from a lng,lat point after so many metres in a direction (degrees clockwise from north). */
export function pointAt(lng: number, lat: number, azimuth: number, metres: number): [number, number] {
  const end = WGS84.Direct(lat, lng, azimuth, metres);
  return [end.lon2!, end.lat2!];
}

/** Karney's geodesic area in square metres: shells less holes. */
export function squareMetres(shape: Polygonal): number {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  let total = 0;
  for (const rings of polygons)
    rings.forEach((ring, i) => {
      const polygon = WGS84.Polygon(false);
      for (const [lng, lat] of ring) polygon.AddPoint(lat!, lng!);
      const area = Math.abs(polygon.Compute(false, true).area!);
      total += i === 0 ? area : -area;
    });
  return total;
}

/**
 * Metres from a point to the nearest place of a segment straight in lng,lat: the best of many equally spaced places,
 * then golden-section search between its neighbours.
 * @param spots places to try: more for longer segments.
 */
export function metresToSegment(
  lng: number,
  lat: number,
  [x1, y1]: readonly number[],
  [x2, y2]: readonly number[],
  spots: number,
): number {
  const at = (t: number) => metresBetween(lng, lat, x1! + t * (x2! - x1!), y1! + t * (y2! - y1!));
  let best = 0;
  let least = Infinity;
  for (let i = 0; i <= spots; i++) {
    const metres = at(i / spots);
    if (metres < least) [best, least] = [i, metres];
  }
  least = Math.min(least, at(1));
  let lo = Math.max(0, best - 1) / spots;
  let hi = Math.min(spots, best + 1) / spots;
  const golden = (Math.sqrt(5) - 1) / 2;
  let a = hi - golden * (hi - lo);
  let b = lo + golden * (hi - lo);
  let [atA, atB] = [at(a), at(b)];
  for (let step = 0; step < 40; step++) {
    if (atA < atB) {
      [hi, b, atB] = [b, a, atA];
      a = hi - golden * (hi - lo);
      atA = at(a);
    } else {
      [lo, a, atA] = [a, b, atB];
      b = lo + golden * (hi - lo);
      atB = at(b);
    }
  }
  // The far end is written x2, not x1 + (x2 - x1), which rounding may move.
  return Math.min(least, at((lo + hi) / 2), metresBetween(lng, lat, x2!, y2!));
}
