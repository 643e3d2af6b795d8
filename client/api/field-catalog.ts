// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { FieldMeta } from './schemas.ts';

/** Every field with its type, source, presets and price */
export interface FieldCatalog {
  readonly input: object;
  readonly answer: {
    readonly release: string | null;
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
      /** parcel_attribute, enrich_only or search_only. */
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
    }[];
  };
}
