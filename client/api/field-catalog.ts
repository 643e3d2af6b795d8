// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { FieldMeta } from './schemas.ts';

/** Every field with its type, source, presets and price, and whether it can be answered here */
export interface FieldCatalog {
  readonly input: {
    /** FIPS code: what this release holds of this county. */
    readonly county_fips?: string;
    /** `true`: only names that can be answered there and that some parcel has a value of. */
    readonly available?: 'true' | 'false';
  };
  readonly answer: {
    readonly release: string | null;
    /** The county asked about; null: all. */
    readonly county_fips: string | null;
    /** Parcels that the shares are of; null where they are not counted yet. */
    readonly parcels: number | null;
    /** Names that are answered at a point and that a search cannot filter by yet, because their values for the parcels are not calculated; null where there are none. */
    readonly calculations: {
      readonly fields: readonly string[];
      /** Parcels that are done; null where nothing is known to calculate. */
      readonly done: number | null;
      /** Parcels to be done. */
      readonly total: number | null;
      /** Seconds until the last parcel is done, at the pace so far; null before the first are. Writing and publishing the values comes on top. */
      readonly seconds_left: number | null;
    } | null;
    /** Fetch fields. */
    readonly count: number;
    /** Names that each surface accepts. */
    readonly counts: {
      readonly fetch: number;
      readonly enrich: number;
      readonly filter: number;
      readonly output: number;
    };
    readonly layers: readonly {
      readonly name: string;
      readonly count: number;
    }[];
    readonly presets: readonly {
      readonly name: string;
      readonly fields: readonly string[];
    }[];
    readonly enrich_presets: readonly {
      readonly name: string;
      readonly fields: readonly string[];
    }[];
    readonly price_list: {
      readonly currency: string;
      readonly default: {
        /** Plan → credits. */
        readonly credits: { readonly [name: string]: number };
        readonly charged: string;
      };
      readonly groups: {
        readonly [name: string]: {
          /** Plan → credits. */
          readonly credits: { readonly [name: string]: number };
          readonly charged: string;
          readonly fields: readonly string[];
        };
      };
    };
    readonly fields: readonly FieldMeta[];
    /** Names beside the fetch fields: stored parcel attributes and what only enrichment or search knows. */
    readonly further_names: readonly {
      readonly name: string;
      /** parcel_attribute, enrich_only, search_only, or set_only: a column that counts, ranks and aggregates take. */
      readonly kind: string;
      readonly type: string;
      readonly unit: string | null;
      /** Step that its numbers are rounded to, in its unit; null where it is no number, or a whole one. */
      readonly precision: number | null;
      readonly description: string;
      readonly hint: string | null;
      /** Everyday words for it; questions are matched with them. */
      readonly terms: readonly string[];
      readonly dataset: string;
      readonly enrich_presets: readonly string[];
      readonly surfaces: readonly string[];
      readonly filter_operators: readonly string[];
      /** The products that this release answers it from, as `source` of records names them; null for none. */
      readonly source: string | null;
      /** Of those products. */
      readonly vintage: string | null;
      /** Whether this release can answer it: every layer that it needs is there, and publishes what is read of it. */
      readonly installed: boolean;
      /** Why it cannot be answered, or why no parcel has a value; null elsewhere. */
      readonly why_not: string | null;
      /** Share of the parcels that have a value, 0 to 1, 4 decimals; null where nothing is stored for parcels, or where they are not counted yet. */
      readonly parcel_share: number | null;
    }[];
  };
}
