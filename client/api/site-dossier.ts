// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Everything that was found about a site */
export interface SiteDossier {
  readonly input: {
    readonly site_id: string;
  };
  readonly answer: {
    readonly site_id: string;
    readonly release: string | null;
    readonly built_at: string;
    /** International acres. */
    readonly acres: number;
    readonly extent: readonly number[];
    readonly analysis_point: {
      readonly lat: number;
      readonly lng: number;
    };
    /** By field a fetch record at the analysis point with its source; `area` says what holds of the whole ground: acres and shares, least, mean and greatest value, what is not covered. */
    readonly records: { readonly [name: string]: unknown };
    /** Number of parcels, acres on the site (ground counted once), and up to 500 of them with `parcel_id`, acres and acres on the site. */
    readonly parcels: unknown;
  };
}
