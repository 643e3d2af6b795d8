import type { Value } from '../datasets/dataset.ts';
import type { Geometry } from '../datasets/geometry.ts';
import type { FormatOptions } from '../datasets/place/place.ts';
import { withNearest } from '../query/format/name/nearest-names.ts';

/** One row of a published file, unchanged: nothing is renamed, projected or repaired. */
export interface Row {
  /** 1-based position in the file, for error messages and the rejects file. */
  readonly number: number;
  readonly properties: Record<string, Value | Uint8Array | ArrayLike<number>>;
  /** In the source's own CRS; null if the row has none. */
  readonly geometry: Geometry | null;
  /**
   * For a geometry that is not read: the reason, and where it lies as far as that could be read. Of a row that is lost as a whole,
   * because it is too large or has other cells than the header, values are missing too.
   */
  readonly unread?: { readonly reason: string; readonly ground: Geometry | null; readonly isLost?: true };
}

/** What a reader found out about a file. */
export interface Findings {
  /** One sentence each, such as which encoding or delimiter was found. */
  readonly notes: readonly string[];
  /** Why rows are missing: a server ended its answer early, and says so. Null where nothing says so. */
  readonly capped: string | null;
  /** Whether it looks like one answer of a service, which has a thousand or two thousand rows at most. */
  readonly isAnswer: boolean;
}

/** An opened file. */
export interface Source {
  /** WKT or `EPSG:n`; null when the file has no geometry or does not say (then `options.crs` is required to project). */
  readonly crs: string | null;
  /** Column names in file order; empty when they are known only row by row (GeoJSON). */
  readonly columns: readonly string[];
  /** Rows the file says it holds; null when it does not say. */
  readonly count: number | null;
  /**
   * Yields the rows in file order, in batches. It never holds the whole file in memory.
   * @throws ReadError naming file, row and cause.
   */
  rows(signal?: AbortSignal): AsyncIterable<Row[]>;
  /** What was found out about the file that it does not declare, or declares wrongly; complete once all rows were read. */
  readonly findings?: Findings;
  close(): Promise<void>;
}

/** One format. Every file of ingest/readers exports one as `reader`. */
export interface Reader {
  readonly name: string;
  /** Lower-case endings it claims, longest match first, for example `.shp.zip`. */
  readonly endings: readonly string[];
  /** Opens a file. @throws ReadError when it is missing, truncated, of another format, or an option is missing. */
  open(path: string, options: FormatOptions): Promise<Source>;
}

export type ReadErrorCode =
  | 'file_missing'
  | 'format_unknown'
  | 'format_unsupported'
  | 'file_truncated'
  | 'file_corrupt'
  | 'limit_passed'
  | 'part_missing'
  | 'crs_missing'
  | 'crs_unknown'
  | 'geometry_unsupported'
  | 'column_missing'
  | 'aborted';

/** The parts of a file (layers, sheets, members), and the option that chooses one. */
interface Choice {
  readonly option: 'layer' | 'sheet' | 'member';
  readonly names: readonly string[];
}

/** A fault of a published file. It names the file, the row (null: the file as a whole), the cause, and what to do. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;
  readonly file: string;
  readonly row: number | null;
  /** The cause, without file and row. */
  readonly why: string;
  /** For part_missing: the parts to choose from; otherwise null. */
  readonly choice: Choice | null;
  constructor(code: ReadErrorCode, file: string, row: number | null, cause: string, choice: Choice | null = null) {
    super(`${file}${row === null ? '' : `, row ${row}`}: ${cause}`);
    this.name = 'ReadError';
    this.code = code;
    this.file = file;
    this.row = row;
    this.why = cause;
    this.choice = choice;
  }
}

/** Says which columns a file lacks, each with the nearest that it has, and all that it has. */
export const missingColumns = (missing: readonly string[], present: Iterable<string>): string =>
  `no column ${withNearest(missing, present)}; the file has ${[...present].join(', ') || 'none'}`;
