import type { Geometry } from '../../datasets/geometry.ts';
import { fromGeoJSON } from '../oracle/geojson.ts';

/** Marsaglia's xorshift: the same numbers from 0 to 1 for the same seed, on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * A star-shaped multipolygon about lng,lat, some 2 km across: a shell of `corners` vertices with a hole, and an island
 * in the hole. Mostly valid; callers leave out what is not.
 */
export function starOf(seed: number, corners: number, lng: number, lat: number, size = 0.02) {
  const random = randomOf(seed * 2654435761 + corners);
  const ring = (least: number, most: number, count: number) => {
    const out: number[][] = [];
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * (i + 0.8 * random())) / count;
      const radius = size * (least + (most - least) * random());
      out.push([lng + radius * Math.cos(angle), lat + radius * Math.sin(angle)]);
    }
    return [...out, out[0]!];
  };
  const shell = ring(0.7, 1, corners + 6);
  const geometry: Geometry = fromGeoJSON({
    type: 'MultiPolygon',
    coordinates: [[shell, ring(0.3, 0.45, corners + 6)], [ring(0.05, 0.2, corners)]],
  });
  return { geometry, random };
}
