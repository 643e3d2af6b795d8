// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** How the values of a numeric field are spread over the parcels of a county, its state and the release */
export interface QuantileCatalog {
  readonly input: {
    /** Names of numeric fields, at most 50 with commas between; without it all of them. */
    readonly fields?: string;
    /** This county, its state and the release; without it the release. */
    readonly county_fips?: string;
  };
  readonly answer: {
    readonly release: string | null;
    readonly county_fips: string | null;
    readonly probabilities: readonly number[];
    /** By field, the county first. */
    readonly rows: readonly {
      readonly field: string;
      readonly unit: string | null;
      readonly of: 'county' | 'state' | 'release';
      /** FIPS code of the county, letters of the state; null for the release. */
      readonly place: string | null;
      /** All parcels there. */
      readonly parcels: number;
      /** Those with a value. */
      readonly count: number;
      /** By `probabilities`: the least value that so large a share of the parcels does not exceed. Null where there is none. */
      readonly values: readonly number[] | null;
      /** Why there is none. */
      readonly reason?: string;
    }[];
  };
}
