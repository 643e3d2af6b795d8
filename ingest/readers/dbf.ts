import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { dbfRecord } from '../dbf.ts';
import type { Findings, Reader, Row, Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { DbfTable, dbfTruncated } from '../text/dbf-encoding.ts';
import { filesBeside } from './gdal.ts';

const DELETED = 0x2a;
/** Greatest number of characters of a .cpg, which names an encoding. */
const LONGEST_NAME = 200;

/** The encoding that a .cpg beside the table names; null without one. */
async function encodingBeside(path: string): Promise<string | null> {
  const [name] = await filesBeside(path, ['.cpg']);
  if (name === undefined) return null;
  const text = await readFile(join(dirname(path), name), 'utf8');
  const encoding = text.slice(0, LONGEST_NAME).replaceAll(/[\0\uFEFF]/g, '');
  return encoding.trim() || null;
}

class DbfSource implements Source {
  readonly crs = null;
  readonly columns: readonly string[];
  readonly count: number;
  readonly #path: string;
  readonly #table: DbfTable;

  constructor(path: string, table: DbfTable) {
    this.#path = path;
    this.#table = table;
    this.columns = table.header.fields.map(({ name }) => name);
    this.count = table.header.count;
  }

  get findings(): Findings {
    return { notes: this.#table.notes, capped: null, isAnswer: false };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const { header, decode } = this.#table;
    const batch = new RowBatch();
    const cursor = await this.#table.records(signal);
    let number = 0;
    try {
      while (number < header.count) {
        number++;
        if (cursor.available < header.recordBytes && !(await cursor.fill(header.recordBytes)))
          throw dbfTruncated(path, number);
        const { buffer, at } = cursor;
        cursor.at += header.recordBytes;
        if (buffer[at] === DELETED) continue;
        const properties = dbfRecord(header, buffer, at, decode);
        if (batch.push({ number, properties, geometry: null }, header.fields.length)) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      checkAborted(signal, path, number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, number || null);
    } finally {
      cursor.close();
    }
  }

  async close(): Promise<void> {}
}

/** Reads a dBASE or FoxPro table alone, as those beside shapefiles are read, with the .cpg beside it. Deleted records are left out. */
export const reader: Reader = {
  name: 'dbf',
  endings: ['.dbf'],
  async open(path, options) {
    const size = await fileSize(path);
    try {
      const cpg = await encodingBeside(path);
      return new DbfSource(path, await DbfTable.open(path, async () => openBytes(path), size, options.encoding, cpg));
    } catch (error) {
      throw readFailure(error, path, null);
    }
  },
};
