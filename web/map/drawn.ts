/** Degrees, longitude first. */
export type Position = readonly [lng: number, lat: number];

/** What is drawn corner by corner, or by two of its points. */
export type DrawingKind = 'area' | 'box' | 'circle' | 'line';

/** What came of a drawing. A circle is made a polygon by the service, which knows geodesics. */
export type Drawn =
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'Circle'; readonly center: Position; readonly metres: number };
