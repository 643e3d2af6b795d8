import type { Value } from '../../../datasets/dataset.ts';

/** lng,lat in WGS84 degrees (the same numbers in NAD83: Plat, like GDAL, puts no shift between the two). */
export type Position = readonly [number, number];
/** Closed: its first position is repeated at the end. */
export type Ring = readonly Position[];

/** A geometry of the synthetic area, nested as in GeoJSON. */
export type Shape =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** One row of a layer, before a format is chosen for it. */
export interface Feature {
  readonly properties: Readonly<Record<string, Value>>;
  readonly geometry: Shape;
}

/** Seven decimals of a degree, about a centimetre: what every vertex of the area is rounded to. */
export function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** A shape of polygons, each a shell and its holes: Polygon when there is one, else MultiPolygon. */
export function polygonal(polygons: readonly (readonly Ring[])[]): Shape {
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/** The polygons of a polygonal shape; empty for points and lines. */
export function polygonsOf(shape: Shape): readonly (readonly Ring[])[] {
  if (shape.type === 'Polygon') return [shape.coordinates];
  return shape.type === 'MultiPolygon' ? shape.coordinates : [];
}
