import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer as collect } from 'node:stream/consumers';
import { ByteCursor, fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import type { RasterInfo } from '../raster/raster-info.ts';
import { RASTER_COLUMNS, type RasterBlock, type RasterSource, rowsOf } from '../raster/raster-source.ts';
import { ReadError, type Reader, type Row } from '../reader.ts';
import { checkAborted } from '../row-batch.ts';
import { type Archive, memberOf, openArchive } from '../zip.ts';

/** Approximate number of cells of a block, which holds whole lines of the grid. */
const BLOCK_CELLS = 65_536;
/** A header has six lines. Without this limit, a file without a header would be searched to its end. */
const HEADER_BYTES = 4096;

/** Header of an Esri ASCII grid, with the lower-left corner of the lower-left cell in CRS units. */
interface Header {
  readonly columns: number;
  readonly lines: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly nodata: number | null;
}

type Opener = () => Readable | Promise<Readable>;

const KEYWORD = /^[A-Za-z_]+$/;

/** Blank-separated words of a text, as bytes arrive. */
class Words {
  readonly #cursor: ByteCursor;

  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
  }

  /** Returns the next word without consuming it, null at the end. Bytes before it are consumed. */
  async peek(): Promise<string | null> {
    const cursor = this.#cursor;
    for (;;) {
      while (cursor.at < cursor.buffer.length && cursor.buffer[cursor.at]! <= 0x20) cursor.at++;
      let end = cursor.at;
      while (end < cursor.buffer.length && cursor.buffer[end]! > 0x20) end++;
      if (end < cursor.buffer.length) return cursor.buffer.toString('latin1', cursor.at, end);
      // The word may continue in the next chunk.
      if (!(await cursor.fill(cursor.available + 1)))
        return cursor.available > 0 ? cursor.buffer.toString('latin1', cursor.at) : null;
    }
  }

  async next(): Promise<string | null> {
    const word = await this.peek();
    if (word !== null) this.#cursor.at += word.length;
    return word;
  }

  get offset(): number {
    return this.#cursor.offset;
  }
}

async function headerOf(words: Words, path: string): Promise<Header> {
  const found = new Map<string, number>();
  for (;;) {
    const keyword = await words.peek();
    if (keyword === null) throw new ReadError('file_truncated', path, null, 'ends inside its header; fetch it again');
    if (!KEYWORD.test(keyword) || words.offset > HEADER_BYTES) break;
    await words.next();
    const text = await words.next();
    if (text === null) throw new ReadError('file_truncated', path, null, 'ends inside its header; fetch it again');
    const value = Number(text);
    if (!Number.isFinite(value))
      throw new ReadError('file_corrupt', path, null, `${keyword} is "${text}"; a number was expected`);
    found.set(keyword.toLowerCase(), value);
  }
  const needed = (...names: string[]): number => {
    for (const name of names) if (found.has(name)) return found.get(name)!;
    throw new ReadError('file_corrupt', path, null, `is no Esri ASCII grid: its header lacks ${names.join(' or ')}`);
  };
  const columns = needed('ncols');
  const lines = needed('nrows');
  if (!Number.isInteger(columns) || !Number.isInteger(lines) || columns < 1 || lines < 1)
    throw new ReadError('file_corrupt', path, null, `has ${columns} columns and ${lines} rows`);
  const width = needed('cellsize', 'dx');
  const height = needed('cellsize', 'dy');
  if (!(width > 0 && height > 0)) throw new ReadError('file_corrupt', path, null, `has a cell size of ${width}`);
  const x = needed('xllcorner', 'xllcenter') - (found.has('xllcorner') ? 0 : width / 2);
  const y = needed('yllcorner', 'yllcenter') - (found.has('yllcorner') ? 0 : height / 2);
  return { columns, lines, x, y, width, height, nodata: found.get('nodata_value') ?? null };
}

class GridSource implements RasterSource {
  readonly crs: string | null;
  readonly columns = RASTER_COLUMNS;
  readonly count: number;
  readonly info: RasterInfo;
  readonly #path: string;
  readonly #opener: Opener;
  readonly #archive: Archive | null;
  readonly #header: Header;
  readonly #blockLines: number;

  constructor(path: string, opener: Opener, archive: Archive | null, header: Header, crs: string | null) {
    this.#path = path;
    this.#opener = opener;
    this.#archive = archive;
    this.#header = header;
    this.crs = crs;
    const { columns: width, lines: height, x, y, width: across, height: down } = header;
    this.info = {
      width,
      height,
      transform: [x, across, 0, y + height * down, 0, -down],
      // The text tells no type; Float64 keeps every digit.
      bands: [{ type: 'Float64', scale: 1, offset: 0, unit: null, nodata: header.nodata, isMasked: false }],
    };
    this.#blockLines = Math.max(1, Math.floor(BLOCK_CELLS / header.columns));
    this.count = Math.ceil(header.lines / this.#blockLines);
  }

  rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    return rowsOf(this, signal);
  }

  async *blocks(_bands: number, signal?: AbortSignal): AsyncGenerator<RasterBlock> {
    const path = this.#path;
    const { columns, lines, nodata } = this.#header;
    const cursor = new ByteCursor(await this.#opener(), path);
    const words = new Words(cursor);
    let number = 0;
    try {
      await headerOf(words, path);
      for (let line = 0; line < lines; line += this.#blockLines) {
        number++;
        checkAborted(signal, path, number);
        const height = Math.min(this.#blockLines, lines - line);
        const values = new Float64Array(columns * height);
        for (let i = 0; i < values.length; i++) {
          const word = await words.next();
          const cell = () => `cell ${(i % columns) + 1} of line ${line + Math.floor(i / columns) + 1}`;
          if (word === null)
            throw new ReadError('file_truncated', path, number, `ends at ${cell()} of ${lines} lines; fetch it again`);
          const value = Number(word);
          if (Number.isNaN(value) && !/^-?nan$/i.test(word))
            throw new ReadError('file_corrupt', path, number, `${cell()} is "${word}"; a number was expected`);
          values[i] = value === nodata ? NaN : value;
        }
        yield { band: 1, column: 0, row: line, width: columns, height, values };
      }
      if ((await words.next()) !== null)
        throw new ReadError('file_corrupt', path, number, `goes on after its ${lines} lines of ${columns} cells`);
    } catch (error) {
      throw readFailure(error, path, number || null);
    } finally {
      cursor.close();
    }
  }

  async close(): Promise<void> {
    this.#archive?.close();
  }
}

async function firstHeader(opener: Opener, path: string): Promise<Header> {
  const cursor = new ByteCursor(await opener(), path);
  try {
    return await headerOf(new Words(cursor), path);
  } finally {
    cursor.close();
  }
}

/** Returns the text of a .prj, null when it is empty. */
function projectionText(bytes: Buffer): string | null {
  return (
    bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim() || null
  );
}

/**
 * Reads an Esri ASCII grid, also gzipped or in a zip (`options.member` names it if there are several). The CRS comes from the
 * .prj beside it. A row is a block of whole lines, from the north, in the form of the geotiff reader: properties band (1),
 * column, row, width, height and `values`, in which NaN is no data. The geometry is the block's footprint.
 */
export const reader: Reader = {
  name: 'asciigrid',
  endings: ['.asc.zip', '.asc.gz', '.asc'],
  async open(path, options) {
    if (!path.toLowerCase().endsWith('.zip')) {
      await fileSize(path);
      try {
        const opener = () => openBytes(path);
        const beside = path.replace(/\.asc(\.gz)?$/i, '.prj');
        const prj = beside === path ? null : await readFile(beside).then(projectionText, () => null);
        return new GridSource(path, opener, null, await firstHeader(opener, path), statedCrs(prj, options));
      } catch (error) {
        throw readFailure(error, path, null);
      }
    }
    const archive = await openArchive(path);
    try {
      const member = memberOf(archive, options.member, ['.asc'], path);
      const opener = () => archive.open(member);
      const beside = archive.names.find(n => n.toLowerCase() === member.toLowerCase().replace(/\.asc$/, '.prj'));
      const prj = beside === undefined ? null : projectionText(await collect(await archive.open(beside)));
      return new GridSource(path, opener, archive, await firstHeader(opener, path), statedCrs(prj, options));
    } catch (error) {
      archive.close();
      throw readFailure(error, path, null);
    }
  },
};
