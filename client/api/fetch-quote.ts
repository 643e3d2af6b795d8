// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** What a fetch or batch would cost */
export interface FetchQuote {
  readonly input: {
    /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
    readonly fields?: readonly string[] | null;
    /** A named list of fields; expanded before `fields` are added. */
    readonly preset?:
      | 'terrain'
      | 'flood_risk'
      | 'wildfire_underwrite'
      | 'land_cover'
      | 'site_selection'
      | 'building_lookup'
      | 'points_of_interest'
      | 'utilities'
      | 'boundaries'
      | 'solar_siting'
      | 'wind_siting'
      | 'storage_siting'
      | 'data_center_siting'
      | 'grid_interconnect'
      | 'natural_hazard'
      | null;
    /** How many locations, a count and not a list; 1 when it is not given. */
    readonly locations?: number;
  };
  readonly answer: {
    /** Resolved names: the preset, then `fields`, each once. */
    readonly fields: readonly string[];
    readonly field_count: number;
    readonly preset: string | null;
    readonly locations: number;
    readonly plan: string;
    readonly credits_per_location: number;
    readonly credits_total: number;
    readonly breakdown: {
      readonly per_field: {
        /** Fields a location that are charged one by one. */
        readonly fields: number;
        readonly credits_each: number;
        /** Over all locations. */
        readonly credits: number;
      };
      readonly metered_groups: {
        readonly parcel_record: {
          /** Fields a location that are charged as a group. */
          readonly fields: number;
          /** Over all locations. */
          readonly credits: number;
          /** Whether the group is part of the total. */
          readonly billed: boolean;
        };
      };
    };
    readonly allowance: {
      /** Of the plan, a calendar month. */
      readonly credits_included: number;
      /** With what running requests have reserved. */
      readonly credits_used: number;
      /** Of the included ones. */
      readonly credits_remaining: number;
      readonly self_imposed_limit: number | null;
      /** The tighter of the plan's and the account's own limit. */
      readonly effective_limit: number;
      /** The 1st of next month, 00:00 UTC. */
      readonly resets_at: string;
      /** The total is more than `credits_remaining`. */
      readonly would_exceed_allowance: boolean;
      /** The total is more than the effective limit leaves: a fetch would be refused, a batch answered in part or refused. */
      readonly would_be_blocked: boolean;
      /** Which limit blocks; `self` when it is the tighter one. */
      readonly limited_by: 'plan' | 'self' | 'none';
    };
    readonly notes: readonly string[];
  };
}
