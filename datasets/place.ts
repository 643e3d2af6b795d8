import type { Value } from './dataset.ts';
import type { PlaceExpectation } from './expectation.ts';

/**
 * How one target column is filled from a row of a published file. A bare string is the source column's name.
 * Steps apply in the order written here: when, read, trim, null sentinels, strip, patterns or lookup, slice, pad, case, type,
 * scale. Text that is empty or blank after trimming is null, and null passes through every later step unchanged.
 */
export type ColumnExpression =
  | string
  | {
      /** Condition over source columns (as in `PlaceLayer.where`); a row that does not meet it gives null. */
      readonly when?: string;
      /** Source column, or several columns or expressions joined by `join` (default one space; missing ones skipped). */
      readonly from?: string | readonly ColumnExpression[];
      readonly join?: string;
      /** `{A}{B}` filled from source columns; null when any is missing. */
      readonly template?: string;
      /** Sum of source columns read as numbers; null when any is missing. */
      readonly sum?: readonly string[];
      readonly const?: Value;
      /** Published values that mean missing; numbers compare as numbers, also with text that reads as one. */
      readonly null?: readonly (string | number)[];
      /** Regular expression; every match is removed from the text. */
      readonly strip?: string;
      /** First matching regular expression wins; no match is null. `$1`…`$9` in a text value are the match's groups. */
      readonly patterns?: readonly { readonly match: string; readonly value: Value }[];
      /** Exact value → value; no match is null unless `otherwise` is given. */
      readonly lookup?: Readonly<Record<string, Value>>;
      readonly otherwise?: Value;
      /** Start and exclusive end, in characters, as of String.slice. */
      readonly slice?: readonly [number, number];
      /** Left-pads with zeros to this length. */
      readonly pad?: number;
      readonly case?: 'upper' | 'lower' | 'title';
      /**
       * By default the target column's own type. Numbers may be published as text with `$` and thousands commas;
       * booleans as T/F, Y/N, true/false or 1/0. Text that is none of these rejects the row; it is never zero or false.
       */
      readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'date';
      /** Format of a published date: letters Y M D with separators, for example `MM/DD/YY`. */
      readonly dateFormat?: string;
      readonly scale?: number;
    };

/** What a reader needs to be told because the file does not say it. */
export interface FormatOptions {
  /** WKT or `EPSG:n`, only when the file names none (or names a wrong one, with `overrideCrs`). */
  readonly crs?: string;
  readonly overrideCrs?: boolean;
  /** Text encoding of DBF and CSV; default UTF-8, falling back to the file's own declaration. */
  readonly encoding?: string;
  /** CSV: separator; lines to skip before the header; lines to skip after it; columns that hold the point. */
  readonly delimiter?: string;
  readonly skipLines?: number;
  readonly skipAfterHeader?: number;
  readonly x?: string;
  readonly y?: string;
  /**
   * What x and y hold where that is no number of the CRS: seconds of arc without a sign, with the columns that hold the
   * direction (W and S are negative).
   */
  readonly arcSeconds?: { readonly xDirection: string; readonly yDirection: string };
  /** CSV: names of the columns where the file has no header line. */
  readonly header?: readonly string[];
  /** Shapefile: read geometry alone when the .dbf is missing. */
  readonly withoutAttributes?: boolean;
  /** TopoJSON object, GeoPackage or geodatabase layer, kind of OpenStreetMap feature: needed where a file holds several. */
  readonly layer?: string;
  /** Zip of text files or grids: the file in it, by its name without folders. */
  readonly member?: string;
  /** XLSX: name of the sheet; needed where a workbook holds several. */
  readonly sheet?: string;
}

/** What stands behind the values of a layer: printed in every record's source, vintage and notes. */
export interface Provenance {
  /** Identifier of the real product, for example `fema_q3` where it stands in for `fema_nfhl`. */
  readonly source: string;
  readonly title: string;
  readonly publisher: string;
  readonly url: string | null;
  readonly licence: string;
  readonly vintage: string;
  /** Why another product answers, or that the data is synthetic; null for the national product itself. */
  readonly note: string | null;
  /**
   * Its boundaries are drawn for small maps, or leave out distinctions that the real product makes: no value that rests
   * on them has high confidence.
   */
  readonly generalised?: boolean;
}

/** A second file, or another layer of the same; its columns are named `prefix.column` in expressions. */
export interface Join {
  readonly file: string;
  readonly format?: string;
  readonly options?: FormatOptions;
  readonly prefix: string;
  /** Of the joined file. */
  readonly key: ColumnExpression;
  /** Of the row that is joined to; it may read the columns of the joins before this one. */
  readonly to: ColumnExpression;
  /** Rows to which nothing joins are rejected. */
  readonly required?: boolean;
  /** Of the rows that share a key, the one with the greatest number in column `of`; of equals, that with the lowest `ties`. */
  readonly greatest?: { readonly of: string; readonly ties: string };
  /**
   * Rows that share a key are slices of a depth: they become one, with the mean of column `value` over the depths `within`,
   * weighted by how much of them each slice from `top` to `bottom` takes. Slices without a value do not count.
   */
  readonly mean?: {
    readonly value: string;
    readonly top: string;
    readonly bottom: string;
    readonly within: readonly [number, number];
  };
}

/** The joins of a layer in their order. */
export function joinsOf({ join }: Pick<PlaceLayer, 'join'>): readonly Join[] {
  if (join === undefined) return [];
  return Array.isArray(join) ? (join as readonly Join[]) : [join as Join];
}

/** One local file mapped onto one layer of a dataset; several may fill the same layer, each with rows of its own. */
export interface PlaceLayer {
  readonly dataset: string;
  readonly layer: string;
  /** Path below the sources folder. */
  readonly file: string;
  /** Reader name; by default told from the file name. */
  readonly format?: string;
  readonly options?: FormatOptions;
  /** Rows the publisher's file is known to hold; a different count stops the ingest. */
  readonly expectRows?: number;
  /** What the rows must be like to be published: tighter than the dataset has it, or looser with a reason. */
  readonly expect?: PlaceExpectation;
  /**
   * Condition over source columns (grammar of operators.md), joined ones as `prefix.column`; rows that do not meet it are
   * skipped, not rejected. Compared with a number, text that reads as a number compares as that number.
   */
  readonly where?: string;
  /** Adds the columns of other files or of other layers of this one, matched by key, one after the other. */
  readonly join?: Join | readonly Join[];
  readonly columns: Readonly<Record<string, ColumnExpression>>;
  /**
   * What this source does not publish: columns of the layer, or conditions over them (`Own_Type = 'FED'`) whose rows it
   * is known to lack. Operators that read such a column or ask by such a condition answer absent, with that reason.
   */
  readonly unpublished?: readonly string[];
  /** Geometry kind of this source where it differs from the layer's, for example stream polygons in a line layer. */
  readonly geometry?: 'point' | 'line' | 'polygon';
  /** Union of the geometries that share this target column's value; other columns must agree or are null. */
  readonly dissolve?: string;
  /** Tables: rows that are equal in every mapped column are stored once. */
  readonly distinct?: boolean;
  /**
   * Rows that stand for all areas of a kind, such as a declaration for a whole state: each that meets `when` is read once for
   * every code that the value of `by` lists in `codes`, with the code in `column`; one whose value lists none is skipped.
   */
  readonly repeat?: {
    readonly when: string;
    readonly by: string;
    readonly column: string;
    readonly codes: Readonly<Record<string, readonly string[]>>;
  };
  /** Of the rows that share the layer's join key, only the one with the greatest value of this target column is stored. */
  readonly latest?: string;
  /**
   * Rows that share the layer's join key become one: the target column `sum` is added up, `of` takes the value with the
   * largest part of that sum, the rest is the first row's.
   */
  readonly group?: { readonly sum: string; readonly of: string };
  /** State or county that this file is of, where a place spans several: overrides the place's own. */
  readonly state?: string;
  readonly county?: string;
  /** National file: belongs to no county, covers everywhere. */
  readonly national?: boolean;
  /** Overrides the place's coverage for this layer. */
  readonly coverage?: Coverage;
  readonly provenance: Provenance;
}

/**
 * Where a layer is known to be mapped: a polygon file, everywhere, or (`extent`) the grid of a raster or the box of the
 * features of a vector layer.
 */
export type Coverage =
  /** With `where`, a condition over its columns, only its polygons that meet it. */
  | { readonly file: string; readonly options?: FormatOptions; readonly where?: string }
  | { readonly extent: true }
  | { readonly everywhere: true };

/** Maps the published files of one place onto the national datasets, as OpenAddresses' conform files do. */
export interface Place {
  readonly name: string;
  readonly title: string;
  /** Two-letter code and five-digit county FIPS that its partitions are filed under. */
  readonly state: string;
  readonly county: string;
  readonly coverage: Coverage;
  readonly synthetic?: boolean;
  readonly layers: readonly PlaceLayer[];
}
