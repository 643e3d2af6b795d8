import { randomUUID } from 'node:crypto';
import { Transform } from 'node:stream';
import { limitBytes, limitPassed } from '../read-limits.ts';
import type { ReadError } from '../reader.ts';

const CR = 0x0d;
const LF = 0x0a;
const QUOTE = 0x22;

/**
 * Puts a mark in place of a line of more bytes than a line may have, so that its row alone is lost. Nobody knows where the row ends
 * if a cell in quotes begins or ends in such a line: then the file is refused.
 */
export class LineLimit extends Transform {
  readonly #mark = randomUUID().replaceAll('-', '');
  readonly #most = limitBytes('lineMb');
  readonly #path: string;
  #lines = 0;
  #rest: Buffer[] = [];
  #bytes = 0;
  #isTooLong = false;
  #quotes = 0;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  /** The limit that a record passes, whose line has a mark in its place; null for other records. @throws it where more than the line is lost. */
  passedBy(cells: readonly string[], number: number | null): ReadError | null {
    if (this.#lines === 0 || !cells.some(cell => cell.includes(this.#mark))) return null;
    const limit = limitPassed('lineMb', this.#path, number, 'one line');
    if (cells.length > 1 || cells[0] !== this.#mark || number === null) throw limit;
    return limit;
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    const last = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    const first = Math.max(0, Math.min(...[LF, CR].map(end => chunk.indexOf(end) >>> 0)));
    this.#hold(last === 0 ? chunk : chunk.subarray(0, first));
    if (last > 0) {
      this.#release();
      this.push(chunk.subarray(first, last));
      this.#hold(chunk.subarray(last));
    }
    done();
  }

  override _flush(done: () => void): void {
    this.#release();
    done();
  }

  #hold(bytes: Buffer): void {
    this.#rest.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes <= this.#most) return;
    this.#isTooLong = true;
    for (const part of this.#rest) for (const byte of part) if (byte === QUOTE) this.#quotes++;
    this.#rest = [];
  }

  #release(): void {
    if (this.#isTooLong) {
      this.#lines++;
      // An odd quote makes the record go on, so that it is more than a mark.
      this.push(this.#quotes % 2 === 0 ? this.#mark : `"${this.#mark}`);
    } else for (const part of this.#rest) this.push(part);
    this.#rest = [];
    [this.#bytes, this.#quotes, this.#isTooLong] = [0, 0, false];
  }
}
