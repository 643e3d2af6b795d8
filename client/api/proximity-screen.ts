// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Which places are near enough to what is named */
export interface ProximityScreen {
  readonly input: {
    /** Places that are screened. */
    readonly candidates: readonly {
      /** WGS84 degrees, with `lng`. */
      readonly lat?: number;
      /** WGS84 degrees, with `lat`. */
      readonly lng?: number;
      /** Street address in the United States. */
      readonly address?: string;
      /** Comes back as it is. */
      readonly id?: string;
    }[];
    readonly rules: readonly {
      readonly name?: string;
      /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
      readonly to:
        | string
        | readonly {
            /** WGS84 degrees, with `lng`. */
            readonly lat?: number;
            /** WGS84 degrees, with `lat`. */
            readonly lng?: number;
            /** Street address in the United States. */
            readonly address?: string;
            /** Comes back as it is. */
            readonly id?: string;
          }[];
      /** Minutes of driving; either this or `within_km`. */
      readonly within_minutes?: number;
      /** Kilometres in a straight line; either this or `within_minutes`. */
      readonly within_km?: number;
      /** How many must be so near; 1 by default. */
      readonly min_count?: number;
    }[];
    /** How many rules must hold; `all` by default. */
    readonly match?: 'all' | 'any';
  };
  readonly answer: {
    readonly operation: 'screen';
    readonly match: 'all' | 'any';
    readonly results: readonly {
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
      /** Null where it cannot be said. */
      readonly passed: boolean | null;
      readonly rules: readonly {
        readonly name: string | null;
        readonly passed: boolean | null;
        readonly count: number | null;
        readonly nearest: {
          /** Place in the list that was given. */
          readonly index?: number;
          readonly id?: string;
          readonly name: string | null;
          readonly lat: number;
          readonly lng: number;
          readonly minutes: number | null;
          readonly meters: number | null;
          readonly straight_line_m: number;
          readonly source: string | null;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
        } | null;
        /** Why it is not known whether the rule passes, where the place itself was found. */
        readonly reason: string | null;
        readonly distances: 'driving' | 'straight_line';
      }[];
    }[];
    /** Locators that have no place on a road; everything about them is null. */
    readonly unresolved: readonly {
      readonly role: string;
      readonly index: number;
      readonly id?: string;
      readonly error: string;
      readonly message: string;
    }[];
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
