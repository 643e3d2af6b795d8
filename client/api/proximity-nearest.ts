// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The nearest of a set, or of given places */
export interface ProximityNearest {
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
    /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
    readonly candidates:
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
    /** How many are wanted; 5 by default. */
    readonly k?: number;
    /** `drive_time` by default. */
    readonly by?: 'drive_time' | 'straight_line';
    /** Farther ones are left out; only by drive time. */
    readonly max_minutes?: number;
    /** Farther ones in a straight line are left out. */
    readonly max_km?: number;
  };
  readonly answer: {
    readonly operation: 'nearest';
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
    readonly by: 'drive_time' | 'straight_line';
    readonly set: string | null;
    readonly results: readonly {
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
