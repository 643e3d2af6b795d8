import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { BadRow, type Cells, meaningOf, type PlaceRows } from './rows.ts';

const SLICE_BYTES = 1 << 20;
/** Characters of one line. A quote that is never closed would take the rest of the file for a cell. */
const MOST_LETTERS = 1 << 20;

/** Columns of which one is needed, in words. */
const NEEDED = 'expected columns lat and lng, or address, or geometry';

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** Reads CSV (RFC 4180) with a line of names. @returns the names. @throws BadRow, TooManyRows. */
export async function readCsv(bytes: Uint8Array, rows: PlaceRows): Promise<readonly string[]> {
  const parser = Readable.from(slices(bytes)).pipe(
    parse({ bom: true, skip_empty_lines: true, relax_column_count: true, max_record_size: MOST_LETTERS }),
  );
  let names: string[] | null = null;
  let meanings: ReturnType<typeof meaningOf>[] = [];
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (!names) {
        names = record.map(name => name.trim());
        meanings = names.map(meaningOf);
        const twice = meanings.find((one, i) => one !== undefined && meanings.indexOf(one) !== i);
        if (twice) throw new BadRow(1, twice, 'two columns have this meaning');
        if (!meanings.some(one => one !== undefined && one !== 'custom_id')) throw new BadRow(1, null, NEEDED);
        continue;
      }
      if (record.length !== names.length)
        throw new BadRow(rows.count + 1, null, 'it has another number of cells than the line of names');
      const cells: Record<string, unknown> = {};
      const further = new Map<string, unknown>();
      for (const [i, meaning] of meanings.entries())
        if (meaning) cells[meaning] = record[i];
        else further.set(names[i]!, record[i]);
      rows.add({ ...(cells as Cells), further });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Lines so far, with the one of names.
    const { records } = error as CsvError & { readonly records?: number };
    throw new BadRow(Math.max(1, records ?? rows.count + 1), null, 'it is no line of CSV (RFC 4180)');
  } finally {
    parser.destroy();
  }
  return names ?? [];
}
