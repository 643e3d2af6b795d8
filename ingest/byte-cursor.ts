import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { statOf } from '../query/format/file-stamp.ts';
import { limitBytes, limitPassed, requireUnpacked } from './read-limits.ts';
import { ReadError } from './reader.ts';

const CHUNK = 256 * 1024;

/**
 * Turns an error of a stream, zlib or the file system into a ReadError and returns it.
 * @param row 1-based row being read, null when the file as a whole is unreadable.
 */
export function readFailure(error: unknown, file: string, row: number | null): ReadError {
  if (error instanceof ReadError) return error;
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return new ReadError('aborted', file, row, 'reading was aborted');
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new ReadError('file_missing', file, null, 'no such file; check the path below the sources folder');
  if (code === 'EISDIR') return new ReadError('file_missing', file, null, 'is a folder; a file was expected');
  if (code === 'EACCES') return new ReadError('file_missing', file, null, 'cannot be opened: permission denied');
  if (code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new ReadError('file_truncated', file, row, 'the compressed data ends too early; fetch the file again');
  return new ReadError('file_corrupt', file, row, message);
}

/** Size of a file in bytes. @throws ReadError file_missing, or file_truncated when it is empty. */
export async function fileSize(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (found.size === 0) throw new ReadError('file_truncated', path, null, 'the file is empty; fetch it again');
    return found.size;
  } catch (error) {
    throw readFailure(error, path, null);
  }
}

/**
 * Bytes that are read or unpacked at once of so many: large chunks where there is much, since with 16 kB a stream costs more than
 * inflating, and no more memory than that for the many small files.
 */
export const chunkOf = (bytes: number): number => Math.min(CHUNK, Math.max(64, bytes + 1));

/** Opens a file as a stream of its bytes, unzipped when the name ends in `.gz` or `.tgz`. */
export function openBytes(path: string, start = 0): Readable {
  // What is missing is told by the stream.
  const bytes = statOf(path)?.size ?? 0;
  const raw = createReadStream(path, { highWaterMark: chunkOf(bytes - start), start });
  if (!/\.(gz|tgz)$/i.test(path)) return raw;
  const gunzip = createGunzip({ chunkSize: CHUNK });
  raw.on('error', error => gunzip.destroy(error));
  gunzip.on('close', () => raw.destroy());
  let unpacked = 0;
  const bounded = new Transform({
    readableHighWaterMark: CHUNK,
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      try {
        requireUnpacked(gunzip.bytesWritten, unpacked, path, 'the file');
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  gunzip.on('error', error => bounded.destroy(error));
  bounded.on('close', () => gunzip.destroy());
  return raw.pipe(gunzip).pipe(bounded);
}

/**
 * Reads a byte stream in pieces of any size. Bytes that have arrived are read without waiting. Only `fill` waits, so a parser
 * waits once for each chunk and not for each record.
 */
export class ByteCursor {
  /** Bytes that have arrived; those before `at` are consumed. `fill` replaces the buffer. */
  buffer: Buffer = Buffer.alloc(0);
  at = 0;
  /** Bytes consumed before `buffer[0]`. */
  #base = 0;
  #ended = false;
  readonly #stream: Readable;
  readonly #file: string;
  readonly #chunks: AsyncIterator<Buffer>;

  /** @param file named in errors. */
  constructor(stream: Readable, file: string) {
    this.#file = file;
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  get available(): number {
    return this.buffer.length - this.at;
  }

  /** Position in the stream, in bytes. */
  get offset(): number {
    return this.#base + this.at;
  }

  /** Waits until `bytes` are available. @returns false when the stream ends before that. @throws ReadError limit_passed. */
  async fill(bytes: number): Promise<boolean> {
    if (this.available >= bytes) return true;
    if (bytes > limitBytes('valueMb')) throw limitPassed('valueMb', this.#file, null, 'one feature, record or value');
    const parts = [this.buffer.subarray(this.at)];
    let size = this.available;
    while (size < bytes && !this.#ended) {
      const next = await this.#chunks.next();
      if (next.done) this.#ended = true;
      else {
        parts.push(next.value);
        size += next.value.length;
      }
    }
    this.#base += this.at;
    this.buffer = parts.length === 2 && parts[0]!.length === 0 ? parts[1]! : Buffer.concat(parts, size);
    this.at = 0;
    return size >= bytes;
  }

  /** Skips `bytes` bytes. @returns false when the stream ends before that. */
  async skip(bytes: number): Promise<boolean> {
    let left = bytes;
    while (left > this.available) {
      left -= this.available;
      this.at = this.buffer.length;
      if (!(await this.fill(1))) return false;
    }
    this.at += left;
    return true;
  }

  close(): void {
    // A stream that is destroyed early may still report an error; nobody waits for it.
    this.#stream.on('error', () => {});
    this.#stream.destroy();
  }
}
