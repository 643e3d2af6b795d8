/** A polygon as it was sent; whether it is sound is found when it is exported. */
export interface SentPolygon {
  readonly type: 'Polygon' | 'MultiPolygon';
  readonly coordinates: readonly unknown[];
}

/** A row of an upload: the caller's own id and one way to name a place. */
export interface PlaceRow {
  readonly custom_id: string | null;
  readonly point?: readonly [lng: number, lat: number];
  readonly address?: string;
  readonly polygon?: SentPolygon;
  /** Numbers of its further columns, by their names: what POST /v1/accumulation sums. */
  readonly values?: Readonly<Record<string, number>>;
}

/** How the rows of an upload name places: all in the same way. */
export type PlaceKind = 'point' | 'address' | 'polygon';
