import { isUtf8 } from 'node:buffer';
import type { PlaceKind } from '../place-row.ts';
import { readCsv } from './csv.ts';
import type { UploadForm } from './forms.ts';
import { readGeojson, readNdjson } from './json.ts';
import { readParquet } from './parquet.ts';
import { BadRow, PlaceRows, TooManyRows } from './rows.ts';

/** An upload that was read, or what is wrong with it. */
export type Intake =
  | {
      readonly kind: PlaceKind;
      readonly rows: number;
      readonly columns: readonly string[];
      readonly parts: readonly Uint8Array[];
    }
  | { readonly row: number; readonly column: string | null; readonly problem: string }
  | { readonly tooMany: true };

const NEWLINE = 10;

/** The first line that is no UTF-8, from 1. */
function brokenLine(bytes: Uint8Array): number {
  for (let at = 0, line = 1; at < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, at);
    const stop = end < 0 ? bytes.length : end;
    if (!isUtf8(bytes.subarray(at, stop))) return line;
    at = stop + 1;
  }
  return 1;
}

/** Reads an upload. */
export async function takeIn(form: UploadForm, bytes: Uint8Array): Promise<Intake> {
  const rows = new PlaceRows();
  try {
    if (form !== 'parquet' && !isUtf8(bytes)) {
      const line = brokenLine(bytes);
      throw new BadRow(form === 'csv' ? Math.max(1, line - 1) : line, null, 'it is not in UTF-8');
    }
    const columns =
      form === 'csv'
        ? await readCsv(bytes, rows)
        : form === 'parquet'
          ? await readParquet(bytes, rows)
          : form === 'geojson'
            ? readGeojson(bytes, rows)
            : readNdjson(bytes, rows);
    rows.end();
    return { kind: rows.kind!, rows: rows.count, columns, parts: rows.parts };
  } catch (error) {
    if (error instanceof TooManyRows) return { tooMany: true };
    if (!(error instanceof BadRow)) throw error;
    return { row: error.row, column: error.column, problem: error.message };
  }
}
