import type { Cache } from '../cache.ts';
import type { JsonBytes } from '../json-bytes.ts';

/** Bytes of a block of texts, and of the longest text that is kept. */
const [BLOCK, LONGEST] = [1 << 20, 1 << 16];
/** Bytes that a text is thought to have at least: there are as many places for texts. */
const LEAST = 256;
/** Share of a cache that texts may take, and bytes at most: their places are made at once. */
const [SHARE, MOST] = [8, 1 << 28];
/** Spreads kinds over places (2^32 divided by the golden ratio). */
const GOLDEN = 0x9e3779b1;

/**
 * Rows as they were written lately, by what was asked of them: places that many ask about are written once. Texts stand
 * behind one another in blocks that are written over in turn, oldest first, so that nothing is collected and keeping one
 * costs little more than its copy. Where two belong to one place, the later has it.
 */
export class RowTexts {
  readonly #blocks: Uint8Array[] = [];
  readonly #most: number;
  /** The block written to, counted from the first; and how much of it is full. */
  #block = -1;
  #full = BLOCK;
  /** By place: whose text it is, of which row, and where it stands. */
  readonly #mask: number;
  readonly #kinds: Int32Array;
  readonly #rows: Int32Array;
  readonly #in: Int32Array;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;

  /** @param bytes that all texts may take; a block at least. */
  constructor(bytes: number) {
    this.#most = Math.max(1, Math.floor(bytes / BLOCK));
    const places = 2 ** Math.ceil(Math.log2((this.#most * BLOCK) / LEAST));
    this.#mask = places - 1;
    this.#kinds = new Int32Array(places);
    this.#rows = new Int32Array(places);
    this.#in = new Int32Array(places).fill(-1);
    this.#starts = new Int32Array(places);
    this.#lengths = new Int32Array(places);
  }

  /** Memory that it takes once it is full. */
  get bytes(): number {
    return this.#most * BLOCK + this.#rows.byteLength * 5;
  }

  /** Those of a thread: they count as a share of its cache. */
  static of(cache: Cache): RowTexts {
    const known = cache.get('row texts') as RowTexts | undefined;
    if (known) return known;
    const made = new RowTexts(Math.min(MOST, cache.capacity / SHARE));
    cache.set('row texts', made, made.bytes);
    return made;
  }

  /**
   * Writes the text of a row where it is still kept; tells whether it was.
   * @param kind what was asked of it, a whole number.
   */
  write(out: JsonBytes, kind: number, row: number): boolean {
    const place = this.#placeOf(kind, row);
    if (this.#rows[place] !== row || this.#kinds[place] !== kind) return false;
    const block = this.#in[place]!;
    // Written over meanwhile, or never written.
    if (block < 0 || block <= this.#block - this.#most) return false;
    const start = this.#starts[place]!;
    out.raw(this.#blocks[block % this.#most]!.subarray(start, start + this.#lengths[place]!));
    return true;
  }

  /** Keeps the text of a row for a while, unless it is very long. */
  keep(kind: number, row: number, text: Uint8Array): void {
    const { length } = text;
    if (length > LONGEST) return;
    if (this.#full + length > BLOCK) {
      this.#block++;
      this.#full = 0;
      if (this.#blocks.length < this.#most) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK));
    }
    const place = this.#placeOf(kind, row);
    this.#kinds[place] = kind;
    this.#rows[place] = row;
    this.#in[place] = this.#block;
    this.#starts[place] = this.#full;
    this.#lengths[place] = length;
    this.#blocks[this.#block % this.#most]!.set(text, this.#full);
    this.#full += length;
  }

  #placeOf(kind: number, row: number): number {
    return (row + Math.imul(kind, GOLDEN)) & this.#mask;
  }
}
