/** Formats that an answer can have beside JSON, with the media type that asks for each. */
export const MEDIA_TYPES = {
  arrow: 'application/vnd.apache.arrow.stream',
  csv: 'text/csv',
  geojson: 'application/geo+json',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type Format = keyof typeof MEDIA_TYPES;

/** What the values of a column are; a text column also holds lists and objects. */
export type ColumnKind = 'text' | 'number' | 'integer' | 'boolean';

/** Where values of a column come from. */
export interface Citation {
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
}

/** A column of an answer: as many values as there are rows, null where there is none. */
export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** JSON values. */
  readonly values: readonly unknown[];
  readonly unit: string | null;
  /** Each once; empty where the answer cites nothing. */
  readonly citations: readonly Citation[];
}

/** An answer as a table: what every writer of a format is fed with. */
export interface Table {
  readonly columns: readonly TableColumn[];
  /** GeoJSON geometries in WGS84, one a row; null where a row has none. */
  readonly geometries: readonly (object | null)[];
  /** What the answer says of all rows together. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** A value of a text column as text: lists and objects as JSON. Null stays null. */
export const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** What a file says of its whole and of its columns, as JSON values: the units and citations of those that have any. */
export function remarksOf({ about, columns }: Table): { readonly answer: object; readonly fields: object } {
  const remarked = columns.filter(({ unit, citations }) => unit !== null || citations.length > 0);
  return {
    answer: about,
    fields: Object.fromEntries(remarked.map(({ name, unit, citations }) => [name, { unit, sources: citations }])),
  };
}
