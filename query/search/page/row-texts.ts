import type { JsonBytes } from '../../format/json-bytes.ts';
import type { Cache } from '../../release/cache.ts';

/** Bytes of a block of texts. The longest text that is kept fills one: the streets of a city may be one parcel of 8,000 vertices. */
const BLOCK = 1 << 20;
/** Bytes that a text is thought to have at least: places are the power of two that is nearest to as many texts. */
const LEAST = 256;
/** Share of its cache that a worker's texts may take, and bytes at most that any may. */
const [SHARE, MOST] = [16, 1 << 28];
/** Rows side by side whose places are so too, as one line of memory holds them; and lines that each of them may be in. */
const [BESIDE, WAYS] = [8, 4];
/** Spreads such rows over lines (2^32 divided by the golden ratio), and kinds (odd, as of MurmurHash3). */
const [GOLDEN, SPREAD] = [0x9e3779b1, 0x85ebca6b];

/**
 * Rows as they were written lately, by what was asked of them: places that many ask about are written once. Texts stand
 * behind one another in blocks that are written over in turn, oldest first, so that nothing is collected and keeping one
 * costs little more than its copy. A row has a few places: the latest of those that would have the same takes the oldest's.
 */
export class RowTexts {
  readonly #blocks: Uint8Array[] = [];
  readonly #most: number;
  /** The block written to, counted from the first; and how much of it is full. */
  #block = -1;
  #full = BLOCK;
  /** By place: whose text it is, of which row, in which block (one is added: 0 is none), and where it stands. */
  readonly #kinds: Int32Array;
  readonly #rows: Int32Array;
  readonly #in: Int32Array;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  /** Bits of a hash that are more than there are lines. */
  readonly #shift: number;

  /** @param bytes that all texts may take: a block at least, MOST at most. */
  constructor(bytes: number) {
    this.#most = Math.max(1, Math.floor(Math.min(MOST, bytes) / BLOCK));
    const bits = Math.round(Math.log2((this.#most * BLOCK) / LEAST));
    const places = 2 ** bits;
    this.#shift = 32 - bits + Math.log2(BESIDE * WAYS);
    this.#kinds = new Int32Array(places);
    this.#rows = new Int32Array(places);
    this.#in = new Int32Array(places);
    this.#starts = new Int32Array(places);
    this.#lengths = new Int32Array(places);
  }

  /** Memory that it takes once it is full. */
  get bytes(): number {
    return this.#most * BLOCK + this.#rows.byteLength * 5;
  }

  /** Those of a worker: they count as a share of its cache. */
  static of(cache: Cache): RowTexts {
    const cached = cache.get('row texts') as RowTexts | undefined;
    if (cached) return cached;
    const texts = new RowTexts(cache.capacity / SHARE);
    cache.set('row texts', texts, texts.bytes);
    return texts;
  }

  /**
   * Writes the text of a row where it is still kept; tells whether it was.
   * @param kind what was asked of it, a whole number.
   */
  write(out: JsonBytes, kind: number, row: number): boolean {
    const place = this.#placeOf(this.#first(kind, row), kind, row);
    if (place < 0 || !this.#stands(place)) return false;
    const start = this.#starts[place]!;
    const block = this.#blocks[(this.#in[place]! - 1) % this.#most]!;
    out.raw(block.subarray(start, start + this.#lengths[place]!));
    return true;
  }

  /** Keeps the text of a row for a while, unless it is longer than a block. */
  keep(kind: number, row: number, text: Uint8Array): void {
    const { length } = text;
    if (length > BLOCK) return;
    if (this.#full + length > BLOCK) {
      this.#block++;
      this.#full = 0;
      if (this.#blocks.length < this.#most) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK));
    }
    const place = this.#placeFor(kind, row);
    this.#kinds[place] = kind;
    this.#rows[place] = row;
    this.#in[place] = this.#block + 1;
    this.#starts[place] = this.#full;
    this.#lengths[place] = length;
    this.#blocks[this.#block % this.#most]!.set(text, this.#full);
    this.#full += length;
  }

  /** Whether the text of a place was not written over. */
  #stands(place: number): boolean {
    return this.#in[place]! > Math.max(0, this.#block + 1 - this.#most);
  }

  /** The first place of a row; the others are in the next lines. */
  #first(kind: number, row: number): number {
    const hash = Math.imul(((row / BESIDE) | 0) + Math.imul(kind, SPREAD), GOLDEN) >>> this.#shift;
    return hash * BESIDE * WAYS + (row % BESIDE);
  }

  /** The place that a row has, its text written over or not; -1 where it has none. */
  #placeOf(first: number, kind: number, row: number): number {
    for (let place = first; place < first + BESIDE * WAYS; place += BESIDE)
      if (this.#rows[place] === row && this.#kinds[place] === kind) return place;
    return -1;
  }

  /** The place that a row gets: its own, or that of the text kept longest ago. */
  #placeFor(kind: number, row: number): number {
    const first = this.#first(kind, row);
    const own = this.#placeOf(first, kind, row);
    if (own >= 0) return own;
    let oldest = first;
    for (let place = first + BESIDE; place < first + BESIDE * WAYS; place += BESIDE)
      if (this.#in[place]! < this.#in[oldest]!) oldest = place;
    return oldest;
  }
}
