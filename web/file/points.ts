import type { AreaGeometry } from '../map/scene.ts';
import type { Position } from './ground.ts';

/** Points that one search takes: a square of five corners stands for each. */
export const MOST_POINTS = 2_000;
/** Half the side of such a square in degrees, five hundredths of a meter; squares of different points never meet. */
const HALF = 4e-7;
/** Decimals of a degree that a position keeps: a tenth of a meter. */
export const DECIMALS = 6;

/** A number with so many decimals. */
export const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals));

/** An area that the parcels under some points meet, and no others. */
export function areaOfPoints(points: readonly Position[]): AreaGeometry {
  const unlike = new Map(
    points.map(([lng, lat]): [string, Position] => {
      const position: Position = [rounded(lng, DECIMALS), rounded(lat, DECIMALS)];
      return [position.join(), position];
    }),
  );
  const squares = [...unlike.values()].map(([lng, lat]) => {
    const at = (x: number, y: number) => [rounded(lng + x * HALF, 7), rounded(lat + y * HALF, 7)];
    return [[at(-1, -1), at(1, -1), at(1, 1), at(-1, 1), at(-1, -1)]];
  });
  return { type: 'MultiPolygon', coordinates: squares };
}

/** The points that an area stands for; null for one that is an area. */
export function pointsOf({ type, coordinates }: AreaGeometry): Position[] | null {
  if (type !== 'MultiPolygon') return null;
  const points: Position[] = [];
  for (const [ring, ...holes] of coordinates as (readonly Position[])[][]) {
    const [[west, south] = [0, 0], , [east, north] = [1, 1]] = ring ?? [];
    if (ring?.length !== 5 || holes.length > 0 || east - west > 3 * HALF || north - south > 3 * HALF) return null;
    points.push([rounded((west + east) / 2, DECIMALS), rounded((south + north) / 2, DECIMALS)]);
  }
  return points;
}
