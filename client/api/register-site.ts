// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Register a polygon, to be screened once */
export interface RegisterSite {
  readonly input: {
    /** A GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: positions [longitude, latitude], rings closed and valid, no altitude, no Feature around it. At most 200,000 acres and 20,000 vertices. */
    readonly site: unknown;
  };
  readonly answer: {
    /** The same for polygons that differ only in how they are written. */
    readonly site_id: string;
    /** Once `ready`, its dossier can be read and questions answered. After `failed` register it again. */
    readonly status: 'building' | 'ready' | 'failed';
    readonly message: string;
  };
}
