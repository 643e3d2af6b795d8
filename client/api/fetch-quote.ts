// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { QuoteExport } from './quote-export.ts';

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
  readonly answer: QuoteExport['answer'];
}
