// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Areas within minutes of driving */
export interface ProximityIsochrone {
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
    /** Minutes of driving, an area each. */
    readonly minutes: readonly number[];
  };
  readonly answer: {
    readonly operation: 'isochrone';
    readonly type: 'FeatureCollection';
    /** Widest first. */
    readonly features: readonly {
      readonly type: 'Feature';
      readonly properties: {
        readonly minutes: number;
      };
      readonly geometry: {
        readonly type: 'MultiPolygon';
        readonly coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
      };
    }[];
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
