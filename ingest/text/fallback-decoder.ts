import { type Decoding, decodingOf } from './code-pages.ts';

const WESTERN = 'windows-1252';

/**
 * Decoder of pieces of text, cells or lines. A piece that is no text of the encoding is read as Windows-1252, the usual encoding of
 * American files, and counted: files are put together from several.
 */
export class FallbackDecoder {
  readonly #decoding: Decoding;
  readonly #piece: string;
  readonly #western = decodingOf(WESTERN)!;
  #misfits = 0;

  /** @param piece noun of what is decoded at once, for the note: `line`. */
  constructor(decoding: Decoding, piece: string) {
    this.#decoding = decoding;
    this.#piece = piece;
  }

  decode(bytes: Uint8Array): string {
    if (this.#decoding.fits(bytes)) return this.#decoding.decode(bytes);
    this.#misfits++;
    return this.#western.decode(bytes);
  }

  /** Findings so far: at most one sentence. */
  get notes(): string[] {
    const count = this.#misfits;
    if (count === 0) return [];
    const pieces = count === 1 ? `1 ${this.#piece} that is` : `${count} ${this.#piece}s that are`;
    return [`text read as ${WESTERN} in ${pieces} no text of ${this.#decoding.name}`];
  }
}
