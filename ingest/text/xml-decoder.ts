import { ReadError } from '../reader.ts';
import { wideEncoding } from './wide-text.ts';

/** Bytes of an XML text that have its declaration. */
const HEAD_BYTES = 256;

/**
 * The encoding of an XML text: by its byte-order mark or its noughts, else by its declaration, else UTF-8. A text of single bytes that
 * declares UTF-16 was written anew by a program that left the declaration.
 */
function encodingOf(head: Buffer): string {
  const wide = wideEncoding(head);
  if (wide) return wide;
  const declared = /^[^<]{0,3}<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head.toString('latin1'))?.[1];
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/** Decoder of the bytes of an XML text as they come. */
export class XmlDecoder {
  readonly #path: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;

  /** @param first bytes of the text. @param stated encoding of the place file. @throws ReadError format_unsupported when it is unknown. */
  constructor(path: string, first: Buffer, stated: string | undefined) {
    this.#path = path;
    const encoding = stated ?? encodingOf(first.subarray(0, HEAD_BYTES));
    try {
      this.#decoder = new TextDecoder(encoding, { fatal: true });
    } catch {
      const why = `text encoding "${encoding}" is unknown; write it as UTF-8 (iconv), or set options.encoding`;
      throw new ReadError('format_unsupported', path, null, why);
    }
  }

  /** @param bytes null at the end. @param row named in errors. @throws ReadError file_corrupt where bytes are no text of the encoding. */
  decode(bytes: Buffer | null, row: number | null): string {
    try {
      return bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    } catch {
      const why = `the text is not ${this.#decoder.encoding}; set options.encoding`;
      throw new ReadError('file_corrupt', this.#path, row, why);
    }
  }
}
