// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The answers of a run as CSV or GeoJSON */
export interface RunArtifact {
  readonly input: {
    readonly run_id: string;
    readonly fmt: 'csv' | 'geojson';
  };
  readonly answer: unknown;
}
