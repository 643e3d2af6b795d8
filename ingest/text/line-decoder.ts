import { Transform } from 'node:stream';
import { ReadError } from '../reader.ts';
import type { Decoding } from './code-pages.ts';
import { FallbackDecoder } from './fallback-decoder.ts';

const CR = 0x0d;
const LF = 0x0a;

/** Stream of bytes to text, with findings about them. */
export interface TextStream extends Transform {
  readonly notes: readonly string[];
}

/** Decoder of text of which a line break is one byte. Each line that is no text of the encoding is read as Windows-1252. */
export class LineDecoder extends Transform implements TextStream {
  readonly #lines: FallbackDecoder;
  readonly #decoding: Decoding;
  #rest: Buffer[] = [];

  constructor(decoding: Decoding) {
    super();
    this.#decoding = decoding;
    this.#lines = new FallbackDecoder(decoding, 'line');
  }

  get notes(): readonly string[] {
    return this.#lines.notes;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, text: string) => void): void {
    const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    const text = end > 0 ? this.#decode(Buffer.concat([...this.#rest, chunk.subarray(0, end)])) : '';
    this.#rest = end > 0 ? [chunk.subarray(end)] : [...this.#rest, chunk];
    done(null, text);
  }

  override _flush(done: (error: null, text: string) => void): void {
    done(null, this.#decode(Buffer.concat(this.#rest)));
  }

  #decode(lines: Buffer): string {
    if (this.#decoding.fits(lines)) return this.#decoding.decode(lines);
    const parts: string[] = [];
    let start = 0;
    for (let i = 0; i < lines.length; i++)
      if (lines[i] === LF || lines[i] === CR || i === lines.length - 1) {
        parts.push(this.#lines.decode(lines.subarray(start, i + 1)));
        start = i + 1;
      }
    return parts.join('');
  }
}

/** Decoder of UTF-16. @throws ReadError file_truncated, as an error of the stream, where it ends within a character. */
export class WideDecoder extends Transform implements TextStream {
  readonly notes: readonly string[] = [];
  readonly #path: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #bytes = 0;

  constructor(path: string, encoding: string) {
    super();
    this.#path = path;
    this.#decoder = new TextDecoder(encoding);
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, text: string) => void): void {
    this.#bytes += chunk.length;
    done(null, this.#decoder.decode(chunk, { stream: true }));
  }

  override _flush(done: (error: Error | null, text?: string) => void): void {
    if (this.#bytes % 2 === 0) done(null, this.#decoder.decode());
    else done(new ReadError('file_truncated', this.#path, null, 'ends within a character; fetch the file again'));
  }
}
