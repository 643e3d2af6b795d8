import { Transform } from 'node:stream';
import { type Options, type Parser, parse } from 'csv-parse';
import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place.ts';
import { fileSize, openBytes, readFailure } from '../byte_cursor.ts';
import { statedCrs } from '../crs.ts';
import { textDecoder } from '../dbf.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row_batch.ts';

const NO_PARTS = new Uint32Array(0);
const CR = 0x0d;
const LF = 0x0a;

/** Drops whole lines (ended by LF, CRLF or CR) before the header: they need not be CSV. */
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

/** Decodes bytes of any encoding; without a name UTF-8, and Windows-1252 from the first line that is none. */
function decoded(path: string, encoding: string | undefined): Transform {
  if (encoding) {
    textDecoder(path, encoding);
    const decoder = new TextDecoder(encoding);
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => done(null, decoder.decode(chunk, { stream: true })),
      flush: done => done(null, decoder.decode()),
    });
  }
  const decode = textDecoder(path);
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
      const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
      rest = bytes.subarray(end);
      done(null, end ? decode(bytes.subarray(0, end)) : '');
    },
    flush: done => done(null, decode(rest)),
  });
}

/** Opens the file as a stream of records. */
function records(path: string, options: FormatOptions, more: Options = {}): Parser {
  const parser = parse({
    bom: true,
    delimiter: options.delimiter ?? ',',
    relax_column_count: true,
    // An inch sign inside an unquoted cell is text, as every other reader takes it.
    relax_quotes: true,
    skip_empty_lines: true,
    ...more,
  });
  const bytes = openBytes(path);
  const lines = skipLines(options.skipLines ?? 0);
  const text = decoded(path, options.encoding);
  for (const stream of [bytes, lines, text]) stream.on('error', error => parser.destroy(error));
  parser.on('close', () => bytes.destroy());
  bytes.pipe(lines).pipe(text).pipe(parser);
  return parser;
}

function failure(error: unknown, path: string, row: number | null): ReadError {
  if ((error as { code?: string }).code === 'CSV_QUOTE_NOT_CLOSED')
    return new ReadError('file_truncated', path, row, 'a quoted cell does not end; fetch the file again');
  return readFailure(error, path, row);
}

/** Every column gets a name of its own: `column_5` for an empty one, `NAME_2` for the second NAME. */
function columnNames(header: readonly string[]): string[] {
  const seen = new Set<string>();
  return header.map((cell, i) => {
    const base = cell.trim() || `column_${i + 1}`;
    let name = base;
    for (let n = 2; seen.has(name); n++) name = `${base}_${n}`;
    seen.add(name);
    return name;
  });
}

function coordinate(cell: string | undefined): number {
  const text = cell?.trim();
  return text ? Number(text) : NaN;
}

class CsvSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count = null;
  readonly #path: string;
  readonly #options: FormatOptions;
  readonly #x: number;
  readonly #y: number;

  constructor(path: string, options: FormatOptions, columns: readonly string[]) {
    this.#path = path;
    this.#options = options;
    this.columns = columns;
    this.#x = this.#indexOf(options.x);
    this.#y = this.#indexOf(options.y);
    if (this.#x < 0 !== this.#y < 0)
      throw new ReadError('column_missing', path, null, 'options.x and options.y must both be given');
    this.crs = this.#x < 0 ? null : (statedCrs(null, options) ?? 'EPSG:4326');
  }

  #indexOf(name: string | undefined): number {
    if (name === undefined) return -1;
    const index = this.columns.indexOf(name);
    if (index < 0)
      throw new ReadError('column_missing', this.#path, null, `no column "${name}"; it has ${this.columns.join(', ')}`);
    return index;
  }

  /** A row without two numbers has no geometry; whether that matters is for the place file to say. */
  #geometry(cells: readonly string[]): Geometry | null {
    if (this.#x < 0) return null;
    const x = coordinate(cells[this.#x]);
    const y = coordinate(cells[this.#y]);
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    return { type: 'Point', xy: Float64Array.of(x, y), ends: Uint32Array.of(1), parts: NO_PARTS };
  }

  #row(cells: readonly string[], number: number): Row {
    const { columns } = this;
    const stray = cells.length > columns.length && cells.slice(columns.length).some(cell => cell !== '');
    if (stray || cells.length < columns.length)
      throw new ReadError(
        'file_corrupt',
        this.#path,
        number,
        `has ${cells.length} cells, the header ${columns.length}; check the delimiter and the quotes`,
      );
    const properties: Record<string, Value> = {};
    for (let i = 0; i < columns.length; i++) properties[columns[i]!] = cells[i] === '' ? null : cells[i]!;
    return { number, properties, geometry: this.#geometry(cells) };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const parser = records(path, this.#options, { from: 2 + (this.#options.skipAfterHeader ?? 0) });
    const batch = new RowBatch();
    let number = 0;
    try {
      for await (const cells of parser) {
        number++;
        if (batch.push(this.#row(cells as string[], number), this.columns.length)) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      checkAborted(signal, path, number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw failure(error, path, error instanceof ReadError ? error.row : number + 1);
    } finally {
      parser.destroy();
    }
  }

  async close(): Promise<void> {}
}

async function open(path: string, options: FormatOptions): Promise<Source> {
  await fileSize(path);
  const parser = records(path, options, { to: 1 });
  try {
    for await (const header of parser) return new CsvSource(path, options, columnNames(header as string[]));
  } catch (error) {
    throw failure(error, path, null);
  } finally {
    parser.destroy();
  }
  throw new ReadError('file_truncated', path, null, 'the file has no header line');
}

/** CSV with a header line, also gzipped. Values stay text (leading zeros of codes matter); an empty cell is null. */
export const reader: Reader = {
  name: 'csv',
  endings: ['.csv.gz', '.tsv.gz', '.txt.gz', '.csv', '.tsv', '.txt'],
  open: (path, options) =>
    open(path, /\.tsv(\.gz)?$/i.test(path) && !options.delimiter ? { ...options, delimiter: '\t' } : options),
};
