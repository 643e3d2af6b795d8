import type { VerdictRule } from '../../datasets/verdict.ts';

/** A field of GET /v1/meta/fields, with the parts that the explorer shows. */
export interface FieldMeta {
  readonly name: string;
  readonly layer: string;
  readonly type: string;
  readonly unit: string | null;
  readonly title: string;
  readonly description: string;
  readonly hint: string;
  readonly terms: readonly string[];
  readonly publisher: string;
  /** Products of the release that answer it; absent from names of parcels. */
  readonly in_release?: readonly { readonly source: string; readonly publisher: string }[];
  readonly installed: boolean;
  /** Why it cannot be answered, or why no parcel has a value; null elsewhere. */
  readonly why_not: string | null;
  /** Share of the parcels that have a value; null where that is not known. */
  readonly parcel_share: number | null;
  readonly surfaces: readonly string[];
  readonly filter_operators: readonly string[];
  readonly enum_values: readonly (string | number | boolean)[] | null;
  /** How its value decides a matter, for `verdictOf` and `wordsOf` of datasets/verdict.ts; null for a field that decides none. */
  readonly verdict: (Omit<VerdictRule, 'settledBy'> & { readonly settled_by: string }) | null;
}

/** Whether the release can answer a field, and some parcel has a value. */
export const isHere = ({ installed, parcel_share }: Pick<FieldMeta, 'installed' | 'parcel_share'>): boolean =>
  installed && parcel_share !== 0;
