import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { ByteCursor, fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { dbfRecord } from '../dbf.ts';
import { limitBytes, limitPassed } from '../read-limits.ts';
import { type Findings, ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { SHP_BOX_END, SHP_HEADER_BYTES, type ShpHeader, shpBox, shpGeometry, shpHeader } from '../shp.ts';
import { DbfTable, dbfTruncated } from '../text/dbf-encoding.ts';
import { wideEncoding } from '../text/wide-text.ts';
import { readable, UnreadGeometry } from '../unread.ts';
import { memberOf, openArchive } from '../zip.ts';

/** The files of one shapefile, in a folder or in a zip. */
interface Parts {
  has(ending: string): boolean;
  size(ending: string): Promise<number>;
  stream(ending: string): Promise<Readable>;
  close(): void;
}

/** Greatest size of the small parts (.prj, .cpg), which are read into memory; a larger one is wrong. */
const SMALL_PART = 64 * 1024;

async function folderParts(path: string): Promise<Parts> {
  await fileSize(path);
  const stem = basename(path).slice(0, -4);
  const names = await readdir(dirname(path));
  const find = (ending: string) =>
    ending === 'shp' ? basename(path) : names.find(n => n.toLowerCase() === `${stem}.${ending}`.toLowerCase());
  const full = (ending: string) => join(dirname(path), find(ending)!);
  return {
    has: ending => find(ending) !== undefined,
    size: ending => fileSize(full(ending)),
    stream: async ending => openBytes(full(ending)),
    close() {},
  };
}

async function zipParts(path: string, options: FormatOptions): Promise<Parts> {
  const archive = await openArchive(path);
  let shape: string;
  try {
    shape = memberOf(archive, options.member, ['.shp'], path);
  } catch (error) {
    archive.close();
    throw error;
  }
  const stem = shape.slice(0, -4).toLowerCase();
  const find = (ending: string) => archive.names.find(n => n.toLowerCase() === `${stem}.${ending}`);
  return {
    has: ending => find(ending) !== undefined,
    size: async ending => archive.size(find(ending)!),
    stream: ending => archive.open(find(ending)!),
    close: () => archive.close(),
  };
}

/** Text of a small part, in UTF-8 or UTF-16; null where it is missing or empty. */
async function smallText(parts: Parts, ending: string, path: string): Promise<string | null> {
  if (!parts.has(ending)) return null;
  let bytes = Buffer.alloc(0);
  for await (const chunk of await parts.stream(ending)) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    if (bytes.length > SMALL_PART)
      throw new ReadError('file_corrupt', path, null, `the .${ending} is larger than ${SMALL_PART} bytes`);
  }
  const text = new TextDecoder(wideEncoding(bytes) ?? 'utf-8').decode(bytes);
  return text.replaceAll('\0', '').trim() || null;
}

function truncated(path: string, row: number | null, ending: string): ReadError {
  return new ReadError('file_truncated', path, row, `the .${ending} ends too early; fetch the file again`);
}

async function shpStart(cursor: ByteCursor, path: string): Promise<ShpHeader> {
  if (!(await cursor.fill(SHP_HEADER_BYTES))) throw truncated(path, null, 'shp');
  const header = shpHeader(cursor.buffer.subarray(cursor.at), path);
  cursor.at += SHP_HEADER_BYTES;
  return header;
}

/** Reads one part's header through a stream of its own. */
async function peek<T>(
  parts: Parts,
  path: string,
  ending: string,
  read: (cursor: ByteCursor) => Promise<T>,
): Promise<T> {
  const cursor = new ByteCursor(await parts.stream(ending), path);
  try {
    return await read(cursor);
  } finally {
    cursor.close();
  }
}

/** Reads .shp and .dbf side by side; record n of one belongs to record n of the other. */
class ShapefileSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly #path: string;
  readonly #parts: Parts;
  /** Null where the attributes are left out. */
  readonly #table: DbfTable | null;

  constructor(path: string, parts: Parts, crs: string | null, table: DbfTable | null) {
    this.#path = path;
    this.#parts = parts;
    this.#table = table;
    this.crs = crs;
    this.columns = table ? table.header.fields.map(f => f.name) : [];
    this.count = table ? table.header.count : null;
  }

  get findings(): Findings {
    return { notes: this.#table?.notes ?? [], capped: null, isAnswer: false };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const table = this.#table?.header ?? null;
    let number = 0;
    const shp = new ByteCursor(await this.#parts.stream('shp'), path);
    let dbf: ByteCursor | null = null;
    try {
      dbf = (await this.#table?.records(signal)) ?? null;
      const { length } = await shpStart(shp, path);
      const batch = new RowBatch();
      while (shp.offset < length) {
        number++;
        if (shp.available < 8 && !(await shp.fill(8))) throw truncated(path, number, 'shp');
        const stated = shp.buffer.readInt32BE(shp.at);
        const bytes = shp.buffer.readInt32BE(shp.at + 4) * 2;
        // Edited files may hold records in another order than their .shx; reading them in file order would mix up rows.
        if (stated !== number && stated !== number - 1)
          throw new ReadError('file_corrupt', path, number, `the .shp record is numbered ${stated}; repack the file`);
        if (bytes < 0 || shp.offset + 8 + bytes > length)
          throw new ReadError(
            'file_corrupt',
            path,
            number,
            `the .shp record claims ${bytes} bytes, more than are left`,
          );
        const isTooLarge = 8 + bytes > limitBytes('valueMb');
        const wanted = isTooLarge ? 8 + SHP_BOX_END : 8 + bytes;
        if (shp.available < wanted && !(await shp.fill(wanted))) throw truncated(path, number, 'shp');
        let properties: Row['properties'] = {};
        let deleted = false;
        if (dbf && table) {
          if (number > table.count)
            throw new ReadError('file_corrupt', path, number, `the .dbf has only ${table.count} records`);
          if (dbf.available < table.recordBytes && !(await dbf.fill(table.recordBytes)))
            throw dbfTruncated(path, number);
          deleted = dbf.buffer[dbf.at] === 0x2a;
          if (!deleted) properties = dbfRecord(table, dbf.buffer, dbf.at, this.#table!.decode);
          dbf.at += table.recordBytes;
        }
        const located = readable(() => {
          const start = shp.at + 8;
          if (!isTooLarge) return deleted ? null : shpGeometry(shp.buffer, start, bytes, path, number);
          const { why } = limitPassed('valueMb', path, number, `a shape of ${bytes} bytes`);
          throw new UnreadGeometry(path, number, why, shpBox(shp.buffer, start));
        });
        if (!(await shp.skip(8 + bytes))) throw truncated(path, number, 'shp');
        if (!deleted && batch.push({ number, properties, ...located })) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      if (table && number < table.count)
        throw new ReadError('file_corrupt', path, number, `the .dbf has ${table.count} records, the .shp ${number}`);
      // Read to the end, so that the archive's checksums are compared.
      if (await shp.fill(1)) await shp.skip(Number.MAX_SAFE_INTEGER);
      if (dbf) await dbf.skip(Number.MAX_SAFE_INTEGER);
      checkAborted(signal, path, number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, number || null);
    } finally {
      shp.close();
      dbf?.close();
    }
  }

  async close(): Promise<void> {
    this.#parts.close();
  }
}

const tableOf = async (path: string, parts: Parts, { encoding }: FormatOptions): Promise<DbfTable> => {
  const cpg = await smallText(parts, 'cpg', path);
  return DbfTable.open(path, () => parts.stream('dbf'), await parts.size('dbf'), encoding, cpg);
};

async function open(path: string, options: FormatOptions): Promise<Source> {
  const parts = /\.(?:zip|shz)$/i.test(path) ? await zipParts(path, options) : await folderParts(path);
  try {
    if (!parts.has('dbf') && !options.withoutAttributes)
      throw new ReadError(
        'part_missing',
        path,
        null,
        'the .dbf with the attributes is missing; set options.withoutAttributes to read the geometry alone',
      );
    const { length } = await peek(parts, path, 'shp', cursor => shpStart(cursor, path));
    const size = await parts.size('shp');
    if (size < length)
      throw new ReadError('file_truncated', path, null, `the .shp has ${size} bytes, its header says ${length}`);
    const table = options.withoutAttributes ? null : await tableOf(path, parts, options);
    const crs = statedCrs(await smallText(parts, 'prj', path), options);
    return new ShapefileSource(path, parts, crs, table);
  } catch (error) {
    parts.close();
    throw readFailure(error, path, null);
  }
}

/** Reads an ESRI Shapefile, plain or zipped (`options.member` names the .shp if there are several). Z and M are dropped. */
export const reader: Reader = {
  name: 'shapefile',
  endings: ['.shp.zip', '.shz', '.shp'],
  open,
};
