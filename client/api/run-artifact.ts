// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The answers of a run as CSV or GeoJSON */
export interface RunArtifact {
  readonly input: {
    readonly run_id: string;
    readonly fmt: 'csv' | 'geojson';
  };
  readonly answer:
    | string
    | {
        readonly type: 'FeatureCollection';
        readonly features: readonly {
          readonly type: 'Feature';
          /** Null for a location that failed. */
          readonly geometry: {
            readonly type: 'Point';
            /** Longitude, latitude. */
            readonly coordinates: readonly number[];
          } | null;
          /** `index`, `ok` and the value of each field, or `error`. */
          readonly properties: { readonly [name: string]: unknown };
        }[];
      };
}
