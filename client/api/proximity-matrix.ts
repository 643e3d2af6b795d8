// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Drive times and lengths between places */
export interface ProximityMatrix {
  readonly input: {
    /** At most 3,500 pairs with `destinations`. */
    readonly origins: readonly {
      /** WGS84 degrees, with `lng`. */
      readonly lat?: number;
      /** WGS84 degrees, with `lat`. */
      readonly lng?: number;
      /** Street address in the United States. */
      readonly address?: string;
      /** Comes back as it is. */
      readonly id?: string;
    }[];
    /** At most 3,500 pairs with `origins`. */
    readonly destinations: readonly {
      /** WGS84 degrees, with `lng`. */
      readonly lat?: number;
      /** WGS84 degrees, with `lat`. */
      readonly lng?: number;
      /** Street address in the United States. */
      readonly address?: string;
      /** Comes back as it is. */
      readonly id?: string;
    }[];
  };
  readonly answer: {
    readonly operation: 'matrix';
    readonly origins: readonly {
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
    }[];
    readonly destinations: readonly {
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
    }[];
    /** Rows by origin; null where no way leads or a place has no road. */
    readonly minutes: readonly (readonly (number | null)[])[];
    /** Length of the fastest way. */
    readonly meters: readonly (readonly (number | null)[])[];
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
