import type { Box, GeometryType } from '../../../datasets/geometry.ts';
import type { Citation, ColumnKind } from '../../formats/format.ts';
import type { Block } from './block.ts';

/** Whom values are cited from, with the licence where it is known. */
export interface LicensedCitation extends Citation {
  readonly licence: string | null;
}

/** A column of the file. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly unit: string | null;
  readonly citations: readonly LicensedCitation[];
}

/** What is known of all rows before the first is written. */
export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  /** What the file says of itself, as JSON values. */
  readonly about: object;
  /** lng,lat; null without any geometry. */
  readonly box: Box | null;
  readonly types: readonly GeometryType[];
  /** Rows with a geometry. */
  readonly placed: number;
}

/** Writes the rows of an export to one file, block after block. */
export interface TableWriter {
  write(block: Block): void | Promise<void>;
  finish(): void | Promise<void>;
}

/** JSON of what a file says of itself and of its columns. */
export const remarksText = ({ about, columns }: ExportTable): string =>
  JSON.stringify({
    answer: about,
    fields: Object.fromEntries(
      columns
        .filter(({ unit, citations }) => unit !== null || citations.length > 0)
        .map(({ name, unit, citations }) => [name, { unit, sources: citations }]),
    ),
  });

/** A value as its column has it: null where it is none of its kind. */
export function valueIn(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'text') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value;
}
