import type { Geometry } from '../../datasets/geometry.ts';
import { area, contains, metresTo } from './geometry.ts';

/** A feature as the brute force sees it. */
export interface Feature {
  readonly key: string;
  readonly geometry: Geometry;
}

const byKey = (a: Feature, b: Feature) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** All polygons that hold the point, smallest area first, then smaller key. */
export function containing<F extends Feature>(features: readonly F[], lng: number, lat: number): F[] {
  return features
    .filter(f => contains(f.geometry, lng, lat))
    .sort((a, b) => area(a.geometry) - area(b.geometry) || byKey(a, b));
}

/** Every feature with its distance in metres, nearest first; those within 1e-6 m of the nearest go by key. */
export function byDistance<F extends Feature>(
  features: readonly F[],
  lng: number,
  lat: number,
  spots = 24,
): { feature: F; metres: number }[] {
  const all = features.map(feature => ({ feature, metres: metresTo(feature.geometry, lng, lat, spots) }));
  const least = Math.min(...all.map(f => f.metres));
  const ties = all.filter(f => f.metres - least < 1e-6).sort((a, b) => byKey(a.feature, b.feature));
  const rest = all.filter(f => f.metres - least >= 1e-6).sort((a, b) => a.metres - b.metres);
  return [...ties, ...rest];
}

/** The nearest feature within a limit in metres, or null. */
export function nearest<F extends Feature>(
  features: readonly F[],
  lng: number,
  lat: number,
  maxMetres: number,
): { feature: F; metres: number } | null {
  const [first] = features.length ? byDistance(features, lng, lat) : [];
  return first && first.metres <= maxMetres ? first : null;
}
