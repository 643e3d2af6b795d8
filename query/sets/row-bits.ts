/** Rows that one word has a bit for. */
const WORD = 32;

/** How many bits of a word are 1 (Warren, Hacker's Delight, 5-1). */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Some rows of a county, a bit each: sets of them are put together 32 rows at a time. */
export class RowBits {
  /** Rows of the county. */
  readonly count: number;
  readonly #words: Int32Array;

  /** None of so many rows. */
  constructor(count: number) {
    this.count = count;
    this.#words = new Int32Array(Math.ceil(count / WORD));
  }

  /** All of so many rows. */
  static all(count: number): RowBits {
    const bits = new RowBits(count);
    bits.#words.fill(-1);
    if (count % WORD) bits.#words[bits.#words.length - 1] = 2 ** (count % WORD) - 1;
    return bits;
  }

  add(row: number): void {
    this.#words[row >>> 5]! |= 1 << row;
  }

  /** Adds the first `n` rows of a list. */
  addFirst(rows: Uint32Array, n: number): void {
    const words = this.#words;
    for (let i = 0; i < n; i++) words[rows[i]! >>> 5]! |= 1 << rows[i]!;
  }

  has(row: number): boolean {
    return (this.#words[row >>> 5]! & (1 << row)) !== 0;
  }

  /** Those that both have. */
  and(other: RowBits): RowBits {
    return this.#with(other, (one, two) => one & two);
  }

  /** Those that one of both has. */
  or(other: RowBits): RowBits {
    return this.#with(other, (one, two) => one | two);
  }

  /** Those that the other lacks. */
  except(other: RowBits): RowBits {
    return this.#with(other, (one, two) => one & ~two);
  }

  #with(other: RowBits, put: (one: number, two: number) => number): RowBits {
    const bits = new RowBits(this.count);
    const [own, others, words] = [this.#words, other.#words, bits.#words];
    for (let i = 0; i < words.length; i++) words[i] = put(own[i]!, others[i]!);
    return bits;
  }

  /** How many there are. */
  get size(): number {
    let size = 0;
    for (const word of this.#words) size += bitsIn(word);
    return size;
  }

  /** The rows, ascending. */
  rows(): Uint32Array {
    const rows = new Uint32Array(this.size);
    let n = 0;
    for (let i = 0; i < this.#words.length; i++)
      for (let word = this.#words[i]!; word !== 0; word &= word - 1)
        rows[n++] = i * WORD + 31 - Math.clz32(word & -word);
    return rows;
  }
}
