// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** By field and county: how many values were checked, right and wrong, and how far off */
export interface Scorecard {
  readonly input: {
    /** This field; without it all. */
    readonly field?: string;
    /** This county; without it the first 10, or 1000 of one field. */
    readonly county_fips?: string;
  };
  readonly answer: {
    readonly release: string | null;
    /** By county, then by field in catalog order. */
    readonly rows: readonly {
      readonly field: string;
      readonly county_fips: string;
      /** Standard of comparison: the values computed a second time from the rows of the release, by other code. Null: not checked. */
      readonly against: 'recomputation' | null;
      /** Values that were judged. */
      readonly checked: number;
      readonly right: number;
      readonly wrong: number;
      /** Without a value: counted and not judged. */
      readonly absent: number;
      readonly failed: number;
      /** Wilson's interval of 95 percent about the share that is right; null where nothing was checked. */
      readonly interval: readonly number[] | null;
      /** Of numbers, in the unit of the field: half of them are off by no more. */
      readonly p50_error: number | null;
      /** 95 of 100 are off by no more. */
      readonly p95_error: number | null;
      /** Why nothing was checked. */
      readonly reason?: string;
    }[];
    readonly counties: readonly {
      readonly county_fips: string;
      /** When the values were checked; null: never, for what the release has now. */
      readonly taken_at: string | null;
      /** Parcels that were looked at. */
      readonly sample: number;
      /** Share of values so near an edge or a tie that either answer may be right. */
      readonly undecidable: number | null;
      /** Share of parcels of whose acres sources disagree. */
      readonly disagreeing: number | null;
      /** By confidence, over all fields that were checked. */
      readonly calibration: readonly {
        readonly confidence: 'high' | 'medium' | 'low';
        readonly checked: number;
        readonly right: number;
        /** Wilson's interval of 95 percent about the share that is right; null where nothing was checked. */
        readonly interval: readonly number[] | null;
      }[];
    }[];
    /** Counties of the release that did not fit: ask for each by its code. */
    readonly counties_left: number;
    /** Layers that the field is read from, with their age; empty without `field`. */
    readonly sources: readonly {
      readonly dataset: string;
      readonly layer: string;
      /** Null: of a state or of the country. */
      readonly county_fips: string | null;
      readonly source: string;
      /** When its content is of, as its publisher says it. */
      readonly vintage: string;
      /** Since its file was taken. */
      readonly age_days: number;
    }[];
  };
}
