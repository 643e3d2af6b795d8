// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** One feature */
export interface OgcItem {
  readonly input: {
    /** The reference system of the answer: http://www.opengis.net/def/crs/OGC/1.3/CRS84 (the default) or http://www.opengis.net/def/crs/EPSG/0/3857. */
    readonly crs?: string;
    /** `json`, the one format. */
    readonly f?: string;
    readonly collectionId: string;
    readonly featureId: string;
  };
  readonly answer: {
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
  };
}
