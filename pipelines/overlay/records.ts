import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { RECORD_MAGIC, RECORD_PREFIX_BYTES, type RecordHeader } from '../../query/parcel/record-file.ts';
import { encodePage, PAGE_RECORDS, type PageField, type StoredType } from '../../query/parcel/record-page.ts';

const COPY_BYTES = 4 << 20;

/** Writes the row store of one overlay (see RecordFile). Pages wait in a file beside it, because the header describes them. */
export class RecordWriter {
  readonly #path: string;
  readonly #types: readonly StoredType[];
  readonly #deflated: boolean;
  readonly #pages: number;
  readonly #offsets: number[] = [0];
  #count = 0;

  /** @param deflated whether pages are compressed, which pays if texts are long. */
  constructor(path: string, types: readonly StoredType[], deflated = false) {
    this.#path = path;
    this.#types = types;
    this.#deflated = deflated;
    this.#pages = openSync(`${path}.pages`, 'w+');
  }

  /** Adds `count` records. @param fields one for each type. Only the last block may end inside a page. */
  add(fields: readonly PageField[], count: number): void {
    if (this.#count % PAGE_RECORDS) throw new Error(`${this.#path}: a block was added after one that ended in a page`);
    const parts: Buffer[] = [];
    let end = this.#offsets.at(-1)!;
    for (let first = 0; first < count; first += PAGE_RECORDS) {
      const some = Math.min(PAGE_RECORDS, count - first);
      const slice = ({ codes, values }: PageField): PageField => ({
        codes: Array.prototype.slice.call(codes, first, first + some),
        values: Array.prototype.slice.call(values, first, first + some),
      });
      const plain = encodePage(this.#types, fields.map(slice), some);
      const page = this.#deflated ? deflateRawSync(plain) : plain;
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(crc32(page), 0);
      parts.push(sum, page);
      end += 4 + page.length;
      this.#offsets.push(end);
    }
    write(this.#pages, Buffer.concat(parts));
    this.#count += count;
  }

  /** Writes the file. @returns number of records. */
  finish(header: Omit<RecordHeader, 'count' | 'deflated'>): number {
    const deflated = this.#deflated ? { deflated: true } : {};
    const json = Buffer.from(JSON.stringify({ count: this.#count, ...deflated, ...header }), 'utf8');
    const table = Buffer.alloc(this.#offsets.length * 8);
    for (const [i, offset] of this.#offsets.entries()) table.writeDoubleLE(offset, i * 8);
    const prefix = Buffer.alloc(RECORD_PREFIX_BYTES);
    RECORD_MAGIC.copy(prefix);
    prefix.writeUInt32LE(json.length, 8);
    prefix.writeUInt32LE(crc32(json), 12);
    prefix.writeUInt32LE(crc32(table), 16);
    const out = openSync(this.#path, 'w');
    try {
      write(out, Buffer.concat([prefix, json, table]));
      // Use a small buffer for a small file, because many large buffers keep the garbage collector busy.
      const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(COPY_BYTES, this.#offsets.at(-1)!)));
      for (let at = 0; ; ) {
        const read = readSync(this.#pages, buffer, 0, buffer.length, at);
        if (read === 0) break;
        write(out, buffer.subarray(0, read));
        at += read;
      }
    } finally {
      closeSync(out);
    }
    return this.#count;
  }

  /** Removes the waiting pages. */
  close(): void {
    closeSync(this.#pages);
    rmSync(`${this.#path}.pages`, { force: true });
  }
}

function write(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
