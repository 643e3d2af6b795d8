import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';
import type { Value } from '../../datasets/dataset.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { readFailure } from '../byte-cursor.ts';
import { isPattern, membersLike } from '../format/united.ts';
import { columnNames, PointColumns } from '../point-columns.ts';
import { limitBytes, limitPassed, readLimits } from '../read-limits.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { batches } from '../row-batch.ts';
import { type Archive, openArchive } from '../zip.ts';

/** Characters of the longest cell reference. */
const REFERENCE_LENGTH = 15;
const REFERENCE = /\br="([A-Z]{1,3})(\d{1,7})"/g;
const WORKBOOK = 'xl/workbook.xml';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the sheet names in the order of the workbook. */
async function sheetsOf(archive: Archive, path: string): Promise<string[]> {
  if (!archive.names.includes(WORKBOOK))
    throw new ReadError('file_corrupt', path, null, `is a zip but no XLSX workbook: it has no ${WORKBOOK}`);
  const xml = await text(await archive.open(WORKBOOK));
  return [...xml.matchAll(/<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"/g)].map(match =>
    match[1]!.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole),
  );
}

/** Returns the sheet to read: the named one, else the only one. @throws ReadError part_missing. */
function chosen(sheets: readonly string[], options: FormatOptions, path: string): string {
  const { sheet } = options;
  if (sheet === undefined && sheets.length === 1) return sheets[0]!;
  const fits = isPattern(sheet) ? membersLike(sheets, sheet) : sheets.filter(name => name === sheet);
  if (fits.length === 1) return fits[0]!;
  throw new ReadError(
    'part_missing',
    path,
    null,
    sheet === undefined
      ? `holds ${sheets.length} sheets (${sheets.join(', ')}); set options.sheet to one of them`
      : `has ${fits.length === 0 ? 'no sheet' : `${fits.length} sheets`} "${sheet}"; it holds ${sheets.join(', ')}`,
    { option: 'sheet', names: sheets },
  );
}

/** Reads a part to its end. @throws ReadError limit_passed when the rows times the columns of the sheet are too many cells. */
async function requireFewCells(part: Readable, name: string, path: string): Promise<void> {
  const isSheet = /worksheets\/[^/]+\.xml$/i.test(name);
  let [lines, columns] = [0, 0];
  let rest = '';
  for await (const chunk of part as AsyncIterable<Buffer>) {
    if (!isSheet) continue;
    const xml = rest + chunk.toString('latin1');
    for (const [, letters, line] of xml.matchAll(REFERENCE)) {
      lines = Math.max(lines, Number(line));
      columns = Math.max(
        columns,
        Array.from(letters!).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
      );
    }
    rest = xml.slice(-REFERENCE_LENGTH);
  }
  if (lines * columns > readLimits().cells)
    throw limitPassed('cells', path, null, `${name}, which reaches to line ${lines} and column ${columns},`);
}

/** Returns a cell's value. A date is `YYYY-MM-DD`, with a time of day ISO 8601 in UTC; spreadsheets have no time zones. */
function cellValue(cell: unknown): Value {
  if (cell === null || cell === undefined || cell === '') return null;
  if (!(cell instanceof Date)) return cell as Value;
  const iso = cell.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
}

const WHOLE = /^-?\d+$/;

/** The number of a cell; the digits of a whole number beyond 2^53, which identifiers have and a double would lose. */
const numberOf = (text: string): number | string =>
  WHOLE.test(text) && !Number.isSafeInteger(Number(text)) ? text : Number(text);

class SheetSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number;
  readonly #path: string;
  readonly #points: PointColumns;
  readonly #cells: readonly (readonly unknown[])[];

  constructor(
    path: string,
    columns: readonly string[],
    cells: readonly (readonly unknown[])[],
    options: FormatOptions,
  ) {
    this.#path = path;
    this.columns = columns;
    this.#points = new PointColumns(path, columns, options);
    this.crs = this.#points.crs;
    this.#cells = cells;
    this.count = cells.length;
  }

  rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    return batches(this.#rows(), this.#path, signal, this.columns.length);
  }

  *#rows(): Generator<Row> {
    let number = 0;
    for (const cells of this.#cells) {
      number++;
      const stray = cells.findIndex((cell, i) => i >= this.columns.length && cellValue(cell) !== null);
      if (stray >= 0)
        throw new ReadError(
          'file_corrupt',
          this.#path,
          number,
          `has ${JSON.stringify(cells[stray])} in column ${stray + 1}, the header ${this.columns.length} columns`,
        );
      const properties: Record<string, Value> = {};
      for (const [i, name] of this.columns.entries()) properties[name] = cellValue(cells[i]);
      yield { number, properties, ...this.#points.located(cells) };
    }
  }

  async close(): Promise<void> {}
}

/** Returns an error of the library as a ReadError. */
function failure(error: unknown, path: string): ReadError {
  if (error instanceof ReadError) return error;
  const { name, message } = error as Error;
  if (name === 'InvalidSpreadsheetError')
    return new ReadError('file_corrupt', path, null, `is no workbook: ${message}`);
  return readFailure(error, path, null);
}

async function open(path: string, options: FormatOptions): Promise<Source> {
  const archive = await openArchive(path);
  let sheet: string;
  try {
    sheet = chosen(await sheetsOf(archive, path), options, path);
    for (const name of archive.names)
      if (/\.xml$/i.test(name) && archive.size(name) > limitBytes('valueMb'))
        throw limitPassed('valueMb', path, null, `${name} of ${archive.size(name)} bytes (it may be exported as CSV)`);
    // Compare the checksum of every part, so that a damaged one is found at once.
    for (const name of archive.names) await requireFewCells(await archive.open(name), name, path);
  } catch (error) {
    throw failure(error, path);
  } finally {
    archive.close();
  }
  try {
    const cells = (await readSheet(path, sheet, {
      trim: false,
      parseNumber: numberOf,
    })) as unknown as unknown[][];
    const data = cells.slice(options.skipLines ?? 0);
    const header = options.header ?? data.shift()?.map(cell => String(cellValue(cell) ?? ''));
    if (!header) throw new ReadError('file_truncated', path, null, `sheet "${sheet}" has no header line`);
    const rows = data.slice(options.skipAfterHeader ?? 0).filter(row => row.some(cell => cellValue(cell) !== null));
    return new SheetSource(path, columnNames(header, path), rows, options);
  } catch (error) {
    throw failure(error, path);
  }
}

/**
 * Reads one sheet of an XLSX workbook (`options.sheet` if there are several). It has a header line, or `options.header`, after
 * `options.skipLines` lines. Blank rows are left out and not counted. The whole sheet is in memory.
 */
export const reader: Reader = { name: 'xlsx', endings: ['.xlsx'], open };
