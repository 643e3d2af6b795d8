import type { PointColumn } from '../../query/engine/contents/point-table.ts';

/** A parcel of a set, as a search writes its matches. */
export interface PartMatch {
  readonly parcel_id: string;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly fields: Readonly<Record<string, unknown>>;
  readonly field_status: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

/** A row of an upload after its place was found. */
export interface PartRow {
  /** From 1, in the order of the upload. */
  readonly row: number;
  readonly custom_id: string | null;
  /** Where its values are of; null where no place was found. */
  readonly point: readonly [lng: number, lat: number] | null;
  readonly address?: string;
  readonly polygon?: object;
  /** Code of the failure of the row; null where it has none. */
  readonly error: string | null;
}

/** Rows of an export as they are stored: what each is, and the values of the fields that were computed for those with a point. */
export type Part = (
  | { readonly of: 'matches'; readonly matches: readonly PartMatch[] }
  | { readonly of: 'rows'; readonly rows: readonly PartRow[] }
) & { readonly columns: Readonly<Record<string, PointColumn>> };

/** JSON text of a part, of texts that are JSON already. */
export const partText = (of: Part['of'], list: string, columns: string): string =>
  `{"of":"${of}","${of}":${list},"columns":${columns}}`;
