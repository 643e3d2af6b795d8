import polylabel from 'polylabel';
import type { AreaGeometry } from '../map/scene.ts';
import type { FileArea, Position } from './ground.ts';
import { DECIMALS, rounded } from './points.ts';

/** A ring without positions that are the same once they are rounded, closed. */
function closed(ring: readonly Position[]): Position[] {
  const all = ring.map(([lng, lat]): Position => [rounded(lng, DECIMALS), rounded(lat, DECIMALS)]);
  const kept = all.filter(([lng, lat], i) => i === 0 || lng !== all[i - 1]![0] || lat !== all[i - 1]![1]);
  const [first, last] = [kept[0]!, kept.at(-1)!];
  return first[0] === last[0] && first[1] === last[1] ? kept : [...kept, first];
}

/** Areas of a file as one. */
export function areaOfAll(areas: readonly FileArea[]): AreaGeometry {
  const polygons = areas.map(({ rings }) => rings.map(closed).filter(ring => ring.length > 3)).filter(([ring]) => ring);
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/** A point well inside of an area. */
export function insideOf({ rings }: FileArea): Position {
  const [lng, lat] = polylabel(rings, 1e-6);
  return [lng!, lat!];
}
