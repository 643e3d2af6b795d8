// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { ResolvedLocation } from './schemas.ts';

/** The join keys of a place */
export interface Lookup {
  readonly input: {
    /** An address, a `lat,lng` pair or a parcel number. */
    readonly input: string;
    /** Default true; false skips the parcel. */
    readonly include_parcel?: boolean;
    /** What `input` is; told from its shape when omitted. */
    readonly kind?: 'address' | 'coord' | 'apn';
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string | null;
  };
  readonly answer:
    | {
        /** One place. */
        readonly disposition: 'resolved';
        readonly lat: number;
        readonly lng: number;
        readonly resolved_address: string | null;
        readonly resolved_location: ResolvedLocation;
        readonly county_fips: string | null;
        readonly county: string | null;
        readonly tract_geoid: string | null;
        readonly state_fips: string | null;
        readonly state: string | null;
        readonly block_group_geoid: string | null;
        readonly block_geoid: string | null;
        readonly congressional_district: string | null;
        readonly cbsa_name: string | null;
        readonly cbsa_code: string | null;
        readonly elevation_m: number | null;
        readonly fema_flood_zone: string | null;
        readonly within_floodplain: boolean | null;
        readonly coastal_high_hazard: boolean | null;
        readonly county_market: {
          readonly population: number | null;
          readonly population_growth_1yr_pct: number | null;
          readonly net_domestic_migration: number | null;
          readonly building_permits_total_annual: number | null;
          readonly building_permits_sf_annual: number | null;
          readonly building_permits_yoy_pct: number | null;
          readonly hpi_yoy_pct: number | null;
          readonly employment_total: number | null;
          readonly employment_yoy_pct: number | null;
          readonly median_household_income_usd: number | null;
        };
        readonly in_opportunity_zone: boolean | null;
        readonly opportunity_zone_tract_geoid: string | null;
        readonly timezone: string | null;
        readonly parcel?: {
          /** Stable from release to release. */
          readonly parcel_id: string;
          readonly apn: string | null;
          readonly address: string | null;
          /** Geodesic square meters. */
          readonly area_m2: number;
          /** GeoJSON. */
          readonly geometry: unknown;
          readonly geometry_wkt: string | null;
          readonly owner: string | null;
          readonly zoning: string | null;
          readonly land_use: string | null;
          readonly assessed_value_usd: number | null;
          readonly last_sale_date: string | null;
          readonly last_sale_price_usd: number | null;
          readonly transaction_count: number | null;
          readonly match_type: string;
          readonly match_distance_m: number;
          /** How far the nearest parcel may lie. */
          readonly match_radius_m: number;
          readonly source: string;
        };
        /** The parcels could not be asked, or that of the place was rejected when it was loaded: `parcel_unavailable_reason` says which. */
        readonly parcel_unavailable: boolean;
        readonly parcel_unavailable_reason: string | null;
        /** `coordinate`, or how the coordinate of the address was derived: its `accuracy_type`. */
        readonly match_method: string;
        /** Similarity of the matched address, 0 to 1; 1 for a coordinate. The fallback gives none: then that of the two texts. */
        readonly confidence: number;
      }
    | {
        /** Several places fit alike: ask which is meant. */
        readonly disposition: 'clarify';
        /** Places that fit alike, best first. None of them is picked. */
        readonly candidates: readonly {
          readonly resolved_address: string | null;
          readonly lat: number;
          readonly lng: number;
          readonly confidence: number;
        }[];
      }
    | {
        /** No place; `reason` says why. */
        readonly disposition: 'no_match';
        readonly reason: 'unaddressed_or_no_match' | 'address_too_coarse' | 'apn_not_supported_in_v1';
        /** What to send instead. */
        readonly hint: string;
      };
}
