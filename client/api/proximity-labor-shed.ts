// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Who lives and works within a drive */
export interface ProximityLaborShed {
  readonly input: {
    /** Exactly one of `lat` with `lng`, and `address`. */
    readonly origin: {
      /** WGS84 degrees, with `lng`. */
      readonly lat?: number;
      /** WGS84 degrees, with `lat`. */
      readonly lng?: number;
      /** Street address in the United States. */
      readonly address?: string;
      /** Comes back as it is. */
      readonly id?: string;
    };
    /** Tracts nearer than this are left out; 0 by default. */
    readonly min_minutes?: number;
    /** Minutes of driving; more than `min_minutes`. */
    readonly max_minutes: number;
  };
  readonly answer: {
    readonly operation: 'labor_shed';
    readonly origin: {
      readonly index: number;
      readonly id?: string;
      readonly resolved_location: {
        readonly lat: number;
        readonly lng: number;
        readonly source: 'coordinate' | 'address';
      } | null;
      /** Null where nothing is driven, where there is no such road, and where the provider does not tell. */
      readonly snapped_m: number | null;
      /** Null where nothing is driven, where there is no road, and where the provider does not tell. */
      readonly nearest_road_m: number | null;
    };
    readonly min_minutes: number;
    readonly max_minutes: number;
    /** Nearest first. */
    readonly tracts: readonly {
      readonly geoid: string;
      readonly minutes: number;
    }[];
    readonly totals: {
      readonly population: {
        readonly value: number | null;
        readonly unit: string;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
        /** Tracts of the shed that the source has no number of. */
        readonly tracts_without: number;
        readonly note: string | null;
      };
      readonly labor_force: {
        readonly value: number | null;
        readonly unit: string;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
        /** Tracts of the shed that the source has no number of. */
        readonly tracts_without: number;
        readonly note: string | null;
      };
      readonly employed_residents: {
        readonly value: number | null;
        readonly unit: string;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
        /** Tracts of the shed that the source has no number of. */
        readonly tracts_without: number;
        readonly note: string | null;
      };
      readonly unemployed: {
        readonly value: number | null;
        readonly unit: string;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
        /** Tracts of the shed that the source has no number of. */
        readonly tracts_without: number;
        readonly note: string | null;
      };
      readonly jobs: {
        readonly value: number | null;
        readonly unit: string;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
        /** Tracts of the shed that the source has no number of. */
        readonly tracts_without: number;
        readonly note: string | null;
      };
      readonly workers_by_sector: {
        readonly [name: string]: {
          readonly value: number | null;
          readonly unit: string;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          /** Tracts of the shed that the source has no number of. */
          readonly tracts_without: number;
          readonly note: string | null;
        };
      };
      readonly average_weekly_wage: {
        readonly value: number | null;
        readonly unit: string;
        readonly source: string | null;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
        /** Tracts of the shed that the source has no number of. */
        readonly tracts_without: number;
        readonly note: string | null;
      };
    };
    readonly coverage: {
      readonly tracts: number;
      readonly tracts_considered: number;
      readonly tracts_without_road: number;
      readonly tracts_outside_roads: number;
      readonly note: string;
    };
    /** Null where nothing was driven. */
    readonly provider: 'embedded' | 'osrm' | 'valhalla' | null;
    readonly source: string | null;
    readonly source_url: string | null;
    readonly dataset_vintage: string | null;
    readonly note: string | null;
    readonly distances: 'driving' | 'straight_line' | 'driving and straight_line';
    /** Driving calculations that were made and charged. */
    readonly calculations: number;
  };
}
