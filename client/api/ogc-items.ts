// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Features of a collection */
export interface OgcItems {
  readonly input: {
    /** Features of a page; 1000 at most come. */
    readonly limit?: number;
    /** West, south, east, north: features must meet the box. The west may lie east of the east, across longitude 180. */
    readonly bbox?: unknown;
    /** The reference system of `bbox`: http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or http://www.opengis.net/def/crs/EPSG/0/3857. */
    readonly 'bbox-crs'?: string;
    /** The reference system of the answer: http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or http://www.opengis.net/def/crs/EPSG/0/3857. */
    readonly crs?: string;
    /** A moment or a span. Features have no time of their own, so each is of any. */
    readonly datetime?: string;
    /** A filter in CQL2, as `acreage > 5 AND CASEI(owner) LIKE 'city of%'`. */
    readonly filter?: string;
    /** `cql2-text` (the default) or `cql2-json`. */
    readonly 'filter-lang'?: string;
    /** The reference system of geometries in `filter`: http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or http://www.opengis.net/def/crs/EPSG/0/3857. */
    readonly 'filter-crs'?: string;
    /** Of the link `next`; it lives one hour. */
    readonly cursor?: string;
    /** `json`, the one format. */
    readonly f?: string;
    readonly collectionId: string;
  };
  readonly answer: {
    readonly type: 'FeatureCollection';
    readonly timeStamp: string;
    /** All features that are meant, where that is known. */
    readonly numberMatched?: number;
    readonly numberReturned: number;
    readonly links: readonly ({
      readonly href: string;
      readonly rel: string;
      readonly type?: string;
      readonly title?: string;
    } & { readonly [name: string]: unknown })[];
    readonly features: readonly {
      readonly type: 'Feature';
      readonly id: string;
      readonly geometry: {
        readonly type: string;
        readonly coordinates: readonly unknown[];
      };
      readonly properties: { readonly [name: string]: unknown };
      readonly links?: readonly ({
        readonly href: string;
        readonly rel: string;
        readonly type?: string;
        readonly title?: string;
      } & { readonly [name: string]: unknown })[];
    }[];
  };
}
