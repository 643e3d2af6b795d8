import { type Readable, Transform } from 'node:stream';
import { type Options, type Parser, parse } from 'csv-parse';
import type { Value } from '../../datasets/dataset.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { columnNames, PointColumns } from '../point-columns.ts';
import { limitBytes, limitPassed } from '../read-limits.ts';
import { type Findings, ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { type Decoding, decodingOf } from '../text/code-pages.ts';
import { LineDecoder, type TextStream, WideDecoder } from '../text/line-decoder.ts';
import { LineLimit } from '../text/line-limit.ts';
import { wideEncoding } from '../text/wide-text.ts';
import { lostRow, tooLarge } from '../unread.ts';
import { type Archive, memberOf, openArchive } from '../zip.ts';

const CR = 0x0d;
const LF = 0x0a;

/** Drops whole lines (ended by LF, CRLF or CR) before the header; they need not be CSV. */
function skipLines(lines: number): Transform {
  let left = lines;
  let afterCr = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0;
      while (at < chunk.length && (left > 0 || afterCr)) {
        const byte = chunk[at]!;
        if (afterCr) {
          afterCr = false;
          if (byte === LF) at++;
          continue;
        }
        if (byte === LF) left--;
        else if (byte === CR) {
          left--;
          afterCr = true;
        }
        at++;
      }
      done(null, at === 0 ? chunk : chunk.subarray(at));
    },
  });
}

/** The encoding of a name. @throws ReadError format_unsupported when there is no such. */
function decodingFor(path: string, encoding: string): Decoding {
  const decoding = decodingOf(encoding);
  if (decoding) return decoding;
  const why = `text encoding "${encoding}" is unknown; set options.encoding to a name of the Encoding Standard`;
  throw new ReadError('format_unsupported', path, null, why);
}

/** Delimiters that are looked for, the most likely one first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
const NAMES: Readonly<Record<string, string>> = { ';': 'a semicolon', '\t': 'a tab', '|': 'a vertical bar' };
/** Bytes of a file that are looked at to find out how it is written. */
const HEAD = 64 * 1024;

/** How a file is written, as far as the place does not say, and what of it is worth saying. */
interface Written {
  readonly decoding: Decoding;
  readonly delimiter: string;
  /** Lines in front of the header. */
  readonly skip: number;
  readonly recordDelimiter: string[] | undefined;
  readonly notes: readonly string[];
}

/** Share of the first lines that have the cells of the header, at least. */
const MOST = 0.8;

/** The delimiter that splits the header into most cells, as many as other lines have; a comma where none does. */
function delimiterOf(text: string, isWhole: boolean): string {
  const lines = text.split(/\r\n|\n|\r/).filter(line => line !== '');
  const whole = (isWhole ? lines : lines.slice(0, -1)).slice(0, 20);
  const cells = (line: string, by: string) => line.replace(/"(?:[^"]|"")*"/g, '').split(by).length;
  let [best, most] = [',', 1];
  for (const by of DELIMITERS) {
    let title = whole[0] ?? '';
    while (title.endsWith(by)) title = title.slice(0, -1);
    const header = cells(title, by);
    const alike = whole.filter(line => cells(line, by) >= header).length;
    if (header > most && alike >= MOST * whole.length) [best, most] = [by, header];
  }
  return best;
}

async function writtenAs(path: string, opener: Opener, options: FormatOptions): Promise<Written> {
  const stream = await opener();
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of stream) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes >= HEAD) break;
    }
  } catch (error) {
    throw readFailure(error, path, null);
  }
  stream.on('error', () => {}).destroy();
  const head = Buffer.concat(parts).subarray(0, HEAD);
  const notes: string[] = [];
  const wide = options.encoding ? undefined : wideEncoding(head);
  const decoding = decodingFor(path, options.encoding ?? wide ?? 'utf-8');
  if (wide) notes.push(`text read as ${wide.toUpperCase()}, as its first bytes show`);
  const text = decoding.decode(head);
  const lines = text.split(/\r\n|\n|\r/).slice(options.skipLines ?? 0);
  // A first line for Excel: sep=;
  const [, named] = /^\uFEFF?"?sep=(.)"?$/i.exec(lines[0] ?? '') ?? [];
  const skip = (options.skipLines ?? 0) + (named ? 1 : 0);
  const body = lines.slice(named ? 1 : 0).join('\n');
  const delimiter = options.delimiter ?? named ?? delimiterOf(body, bytes < HEAD);
  if (named) notes.push(`its first line says what divides cells (sep=${named})`);
  else if (!options.delimiter && delimiter !== ',') notes.push(`cells are divided by ${NAMES[delimiter]}`);
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '');
  const ends = new Set(unquoted.match(/\r\n|\n|\r(?!$)/g));
  if (ends.size > 1) notes.push('lines end in several ways (LF, CR LF or CR)');
  return { decoding, delimiter, skip, notes, recordDelimiter: ends.size > 1 ? ['\r\n', '\n', '\r'] : undefined };
}

/** Opens the text as bytes, from its beginning. */
type Opener = () => Readable | Promise<Readable>;

/** Records of a text, and what keeps their lines short; null where lines are of two-byte characters. */
interface Records {
  readonly parser: Parser;
  readonly limit: LineLimit | null;
  readonly text: TextStream;
}

/** Opens the file as a stream of records. */
async function records(path: string, opener: Opener, written: Written, more: Options = {}): Promise<Records> {
  const isWide = written.decoding.name.startsWith('utf-16');
  // Lines of two-byte characters are told apart only as text.
  const { skip } = written;
  const parser = parse({
    bom: true,
    delimiter: written.delimiter,
    ...(written.recordDelimiter ? { record_delimiter: written.recordDelimiter } : {}),
    relax_column_count: true,
    // An inch sign inside an unquoted cell is text, as in every other reader.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limitBytes('lineMb'),
    ...more,
    ...(isWide && skip > 0 ? { from_line: skip + 1 } : {}),
  });
  const bytes = await opener();
  const lines = skipLines(isWide ? 0 : skip);
  const limit = isWide ? null : new LineLimit(path);
  const text = isWide ? new WideDecoder(path, written.decoding.name) : new LineDecoder(written.decoding);
  const steps = [lines, ...(limit ? [limit] : []), text];
  for (const stream of [bytes, ...steps]) stream.on('error', error => parser.destroy(error));
  parser.on('close', () => bytes.destroy());
  steps.reduce((from: Readable, to) => from.pipe(to), bytes).pipe(parser);
  return { parser, limit, text };
}

function failure(error: unknown, path: string, row: number | null): ReadError {
  if ((error as { code?: string }).code === 'CSV_QUOTE_NOT_CLOSED')
    return new ReadError('file_truncated', path, row, 'a quoted cell does not end; fetch the file again');
  if ((error as { code?: string }).code === 'CSV_MAX_RECORD_SIZE')
    return limitPassed('lineMb', path, row, 'one record or cell');
  return readFailure(error, path, row);
}

class CsvSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count = null;
  readonly #path: string;
  readonly #opener: Opener;
  readonly #archive: Archive | null;
  readonly #options: FormatOptions;
  readonly #points: PointColumns;
  readonly #written: Written;
  /** Cells of a row, at least: a header may end in a delimiter that the rows lack. */
  readonly #fewest: number;
  /** Findings about the text, once it was read. */
  #notes: readonly string[] = [];

  constructor(
    path: string,
    opener: Opener,
    archive: Archive | null,
    options: FormatOptions,
    written: Written,
    columns: readonly string[],
  ) {
    this.#written = written;
    this.#path = path;
    this.#opener = opener;
    this.#archive = archive;
    this.#options = options;
    this.columns = columns;
    this.#fewest = columns.findLastIndex(name => !/^column_\d+$/.test(name)) + 1;
    this.#points = new PointColumns(path, columns, options, written.delimiter === ';' ? ',' : '.');
    this.crs = this.#points.crs;
  }

  get findings(): Findings {
    return { notes: [...this.#written.notes, ...this.#notes], capped: null, isAnswer: false };
  }

  #row(cells: readonly string[], number: number): Row {
    const { columns } = this;
    const stray = cells.length > columns.length && cells.slice(columns.length).some(cell => cell !== '');
    if (stray || cells.length < this.#fewest)
      return lostRow(
        number,
        `has ${cells.length} cells, the header ${columns.length}; check the delimiter and the quotes`,
      );
    const properties: Record<string, Value> = {};
    for (let i = 0; i < columns.length; i++) properties[columns[i]!] = cells[i] || null;
    return { number, properties, ...this.#points.located(cells) };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const from = (this.#options.header ? 1 : 2) + (this.#options.skipAfterHeader ?? 0);
    const { parser, limit, text } = await records(path, this.#opener, this.#written, { from });
    const batch = new RowBatch();
    let number = 0;
    try {
      for await (const cells of parser) {
        number++;
        const passed = limit?.passedBy(cells as string[], number);
        const row = passed ? tooLarge(number, passed) : this.#row(cells as string[], number);
        if (batch.push(row, this.columns.length)) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      checkAborted(signal, path, number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw failure(error, path, error instanceof ReadError ? error.row : number + 1);
    } finally {
      this.#notes = text.notes;
      parser.destroy();
    }
  }

  async close(): Promise<void> {
    this.#archive?.close();
  }
}

async function open(
  path: string,
  options: FormatOptions,
  opener: Opener,
  archive: Archive | null = null,
): Promise<Source> {
  const written = await writtenAs(path, opener, options);
  if (options.header) return new CsvSource(path, opener, archive, options, written, columnNames(options.header, path));
  const { parser, limit } = await records(path, opener, written, { to: 1 });
  try {
    for await (const header of parser) {
      limit?.passedBy(header as string[], null);
      return new CsvSource(path, opener, archive, options, written, columnNames(header as string[], path));
    }
  } catch (error) {
    throw failure(error, path, null);
  } finally {
    parser.destroy();
  }
  throw new ReadError('file_truncated', path, null, 'the file has no header line');
}

/** Returns the options with a tab as delimiter if the name ends in .tsv or .tsv.gz and no option names a delimiter. */
function delimited(name: string, options: FormatOptions): FormatOptions {
  return /\.(tsv|tab)(\.gz)?$/i.test(name) && !options.delimiter ? { ...options, delimiter: '\t' } : options;
}

/**
 * Reads CSV with a header line or `options.header`, also gzipped. Values stay text, because codes have leading zeros. An empty
 * cell is null. Row numbers count records after the header.
 */
export const reader: Reader = {
  name: 'csv',
  endings: ['.csv.gz', '.tsv.gz', '.txt.gz', '.dat.gz', '.csv', '.tsv', '.txt', '.dat'],
  async open(path, options) {
    await fileSize(path);
    return open(path, delimited(path, options), () => openBytes(path));
  },
};

/** Reads one CSV file of a zip; `options.member` names it if there are several. */
export const zippedReader: Reader = {
  name: 'zipped_csv',
  endings: ['.csv.zip', '.tsv.zip', '.txt.zip', '.dat.zip'],
  async open(path, options) {
    const archive = await openArchive(path);
    try {
      const member = memberOf(archive, options.member, ['.csv', '.tsv', '.txt', '.dat'], path);
      if (archive.size(member) === 0) throw new ReadError('file_truncated', path, null, `${member} is empty`);
      return await open(path, delimited(member, options), () => archive.open(member), archive);
    } catch (error) {
      archive.close();
      throw readFailure(error, path, null);
    }
  },
};
