import type { ByteCursor } from '../byte-cursor.ts';
import { limitBytes, limitPassed, readLimits } from '../read-limits.ts';
import { ReadError } from '../reader.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
/** Least average number of bytes for an array or object of a published file. */
const CONTAINER_BYTES = 12;
/** RFC 8142 record separator before each text of a GeoJSON text sequence. */
const RECORD_SEPARATOR = 0x1e;

/**
 * Scans JSON text as it arrives and cuts out one value at a time, so that JSON.parse gets a file of any size in pieces. It only
 * finds where a value ends; the parser checks whether it is JSON.
 */
export class JsonScanner {
  readonly #cursor: ByteCursor;
  readonly #file: string;
  /** Row named in errors; the caller updates it. */
  row: number | null = null;

  constructor(cursor: ByteCursor, file: string) {
    this.#cursor = cursor;
    this.#file = file;
  }

  truncated(): ReadError {
    return new ReadError('file_truncated', this.#file, this.row, 'the JSON ends too early; fetch the file again');
  }

  unexpected(byte: number, wanted: string): ReadError {
    const shown = byte < 0 ? 'the end' : `"${String.fromCharCode(byte)}"`;
    const where = `at byte ${this.#cursor.offset}`;
    return new ReadError('file_corrupt', this.#file, this.row, `${shown} stands ${where} where ${wanted} was expected`);
  }

  /** Returns the next byte that is not a blank without consuming it, if it has arrived; -1 otherwise. */
  #peekNow(): number {
    const { buffer } = this.#cursor;
    let at = this.#cursor.at;
    while (at < buffer.length && buffer[at]! <= 0x20 && buffer[at] !== RECORD_SEPARATOR) at++;
    this.#cursor.at = at;
    return at < buffer.length ? buffer[at]! : -1;
  }

  /** Returns the next byte that is not a blank without consuming it; -1 at the end of the text. */
  async peek(): Promise<number> {
    for (;;) {
      const byte = this.#peekNow();
      if (byte >= 0 || !(await this.#cursor.fill(1))) return byte;
    }
  }

  /** Consumes the byte that `peek` returned last. */
  take(): void {
    this.#cursor.at++;
  }

  /** Returns the bytes of the value that begins at the next byte. @throws ReadError limit_passed, file_truncated when it does not end. */
  async value(): Promise<Buffer> {
    const bytes = await this.#scan(false);
    if (bytes instanceof ReadError) throw bytes;
    return bytes;
  }

  /** Returns the bytes of a value as above; of one that passes a limit, that error, once its end is reached. */
  rowValue(): Promise<Buffer | ReadError> {
    return this.#scan(true);
  }

  /** @param toEnd whether a value that passes a limit is read to its end, without being held. */
  async #scan(toEnd: boolean): Promise<Buffer | ReadError> {
    const first = await this.peek();
    if (first < 0) throw this.truncated();
    const nested = first === OPEN_BRACE || first === OPEN_BRACKET;
    const cursor = this.#cursor;
    let at = 0;
    let depth = 0;
    let inString = false;
    let containers = 0;
    let limit: ReadError | null = null;
    const deepest = readLimits().depth;
    const most = limitBytes('valueMb') / CONTAINER_BYTES;
    for (;;) {
      const { buffer } = cursor;
      const start = cursor.at;
      let i = start + at;
      for (; i < buffer.length; i++) {
        const byte = buffer[i]!;
        if (inString) {
          if (byte === BACKSLASH) i++;
          else if (byte === QUOTE) {
            inString = false;
            if (depth === 0) return this.#cut(start, i + 1, limit);
          }
        } else if (byte === QUOTE) inString = true;
        else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          if (++depth > deepest) limit ??= limitPassed('depth', this.#file, this.row, 'how deep its JSON is nested');
          // An empty array or object takes twenty times as much memory when parsed as it does as text.
          if (++containers > most)
            limit ??= limitPassed('valueMb', this.#file, this.row, 'one value of many arrays or objects');
          if (limit && !toEnd) return limit;
        } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          if (depth === 0) return this.#cut(start, i, limit);
          if (--depth === 0) return this.#cut(start, i + 1, limit);
        } else if (!nested && (byte === COMMA || byte <= 0x20)) return this.#cut(start, i, limit);
      }
      at = i - start;
      if (cursor.available >= limitBytes('valueMb')) {
        limit ??= this.#tooLarge();
        if (!toEnd) return limit;
      }
      if (limit) {
        at = i - buffer.length;
        cursor.at = buffer.length;
      }
      // Doubling keeps the cost of copying one very large value linear.
      const wanted = Math.max(Math.min(2 * cursor.available, limitBytes('valueMb')), cursor.available + 1);
      const before = cursor.available;
      if (!(await cursor.fill(wanted)) && cursor.available === before) {
        if (!nested && !inString) return this.#cut(cursor.at, cursor.buffer.length, limit);
        throw this.truncated();
      }
    }
  }

  #tooLarge(): ReadError {
    return limitPassed('valueMb', this.#file, this.row, 'one feature, record or value');
  }

  #cut(start: number, end: number, limit: ReadError | null): Buffer | ReadError {
    const { buffer } = this.#cursor;
    this.#cursor.at = end;
    if (limit) return limit;
    if (end - start > limitBytes('valueMb')) return this.#tooLarge();
    if (end === start) throw this.unexpected(buffer[start]!, 'a value');
    return buffer.subarray(start, end);
  }
}
