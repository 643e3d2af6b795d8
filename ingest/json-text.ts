import { ByteCursor, openBytes, readFailure } from './byte-cursor.ts';
import { ReadError } from './reader.ts';
import { parseJson } from './text/json-numbers.ts';
import { JsonScanner } from './text/json-scanner.ts';

const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Parses a file that is one JSON value. @throws ReadError limit_passed when it is too large, file_truncated, file_corrupt. */
export async function wholeJson(path: string): Promise<unknown> {
  const text = new JsonText(path, undefined);
  try {
    if ((await text.begin()) < 0) throw text.scanner.truncated();
    const value = text.parse(await text.scanner.value());
    const after = await text.scanner.peek();
    if (after >= 0) throw text.scanner.unexpected(after, 'the end of the file');
    return value;
  } catch (error) {
    throw readFailure(error, path, null);
  } finally {
    text.cursor.close();
  }
}

/** An open JSON file with a scanner, and the decoder and parser for the values that the scanner cuts out. */
export class JsonText {
  readonly cursor: ByteCursor;
  readonly scanner: JsonScanner;
  readonly #path: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;

  /** @param encoding name of the Encoding Standard, default UTF-8. @throws ReadError format_unsupported when unknown. */
  constructor(path: string, encoding: string | undefined) {
    this.#path = path;
    try {
      this.#decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: true });
    } catch {
      throw new ReadError('format_unsupported', path, null, `text encoding "${encoding}" is unknown`);
    }
    this.cursor = new ByteCursor(openBytes(path), path);
    this.scanner = new JsonScanner(this.cursor, path);
  }

  /** Skips a byte-order mark. @returns the first byte that is not a blank, -1 when there is none. */
  async begin(): Promise<number> {
    if (await this.cursor.fill(3)) {
      const { buffer, at } = this.cursor;
      if (buffer[at] === 0xef && buffer[at + 1] === 0xbb && buffer[at + 2] === 0xbf) this.cursor.at += 3;
    }
    return this.scanner.peek();
  }

  /** Decodes and parses a value; whole numbers beyond 2^53 are BigInts. @throws ReadError file_corrupt when the text is in another encoding or not JSON. */
  parse(bytes: Buffer): unknown {
    const { row } = this.scanner;
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      const why = `the text is not ${this.#decoder.encoding}; set options.encoding`;
      throw new ReadError('file_corrupt', this.#path, row, why);
    }
    try {
      return parseJson(text);
    } catch (error) {
      throw new ReadError('file_corrupt', this.#path, row, `is no JSON (${(error as Error).message})`);
    }
  }

  /**
   * Cuts out the next element of an array, behind whose bracket the cursor stands.
   * @param number of the element, from 1. @param row that errors name.
   * @returns its bytes, why it is too large, or null behind the closing bracket.
   */
  async element(number: number, row: number | null = number): Promise<Buffer | ReadError | null> {
    const { scanner } = this;
    scanner.row = row;
    const byte = await scanner.peek();
    if (byte === CLOSE_BRACKET) {
      scanner.take();
      scanner.row = null;
      return null;
    }
    if (number > 1) {
      if (byte < 0) throw scanner.truncated();
      if (byte !== COMMA) throw scanner.unexpected(byte, '"," or "]"');
      scanner.take();
      await scanner.peek();
    }
    return scanner.rowValue();
  }

  /** Returns the name of the object's next member, with the cursor before its value; null after the closing brace. */
  async member(first: boolean): Promise<string | null> {
    let byte = await this.scanner.peek();
    if (byte === CLOSE_BRACE) {
      this.scanner.take();
      return null;
    }
    if (!first) {
      if (byte < 0) throw this.scanner.truncated();
      if (byte !== COMMA) throw this.scanner.unexpected(byte, '"," or "}"');
      this.scanner.take();
    }
    const name = this.parse(await this.scanner.value());
    byte = await this.scanner.peek();
    if (byte < 0) throw this.scanner.truncated();
    if (byte !== COLON || typeof name !== 'string') throw this.scanner.unexpected(byte, 'a member name and ":"');
    this.scanner.take();
    return name;
  }
}
