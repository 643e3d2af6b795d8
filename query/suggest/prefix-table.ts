/** Ends each name of a table; it sorts before every letter. */
const END = 10;

/** Letters from which on a typing error is looked for: of shorter texts most names are one error away. */
const LEAST_MISTYPED = 4;

/** Entries from one on up to another, which is not of them. */
type Range = readonly [from: number, to: number];

/** The arrays of a table, as files hold them. */
export interface PrefixArrays {
  /** The names in capitals, digits and blanks, each ended by a line feed. */
  readonly text: Uint8Array;
  /** Where a search may begin in `text`, sorted by what stands there up to the end of the name. */
  readonly entries: Uint32Array;
  /** Of each entry the number of its name, in the order of the text. */
  readonly names: Uint32Array;
}

/**
 * Names that are found by how they, or words in them, begin: a sorted array of places in their text, searched by halves. A trie
 * would answer the same and take ten times the memory.
 */
export class PrefixTable implements PrefixArrays {
  readonly text: Uint8Array;
  readonly entries: Uint32Array;
  readonly names: Uint32Array;

  constructor({ text, entries, names }: PrefixArrays) {
    this.text = text;
    this.entries = entries;
    this.names = names;
  }

  /**
   * Makes a table.
   * @param names in capitals, digits and blanks. @param beginnings of a name the places where a search may begin.
   */
  static of(
    names: readonly string[],
    beginnings: (name: string, i: number) => readonly number[] = () => [0],
  ): PrefixTable {
    const text = Buffer.from(names.map(name => `${name}\n`).join(''), 'latin1');
    const places: number[] = [];
    const owners: number[] = [];
    let start = 0;
    for (const [i, name] of names.entries()) {
      for (const offset of beginnings(name, i)) {
        places.push(start + offset);
        owners.push(i);
      }
      start += name.length + 1;
    }
    const isInside = (place: number) => Number(place > 0 && text[place - 1] !== END);
    // A name comes before those that only end as it does.
    const inOrder = (a: number, b: number) => compareAt(text, a, b) || isInside(a) - isInside(b) || a - b;
    const order = Uint32Array.from(places.keys()).sort((a, b) => inOrder(places[a]!, places[b]!));
    const pick = (list: readonly number[]) => Uint32Array.from(order, i => list[i]!);
    return new PrefixTable({ text, entries: pick(places), names: pick(owners) });
  }

  /** Bytes that it keeps in memory. */
  get bytes(): number {
    return this.text.length + 8 * this.entries.length;
  }

  /** The entries that begin with a text, which has at least one letter. */
  beginning(wanted: string): Range {
    return this.#follow([0, this.entries.length], 0, Buffer.from(wanted, 'latin1'), 0);
  }

  /**
   * The entries of which a beginning is one typing error away from a text: a letter put in, left out, changed or swapped with its
   * neighbour. Ranges may overlap, also with that of the text itself. Of fewer letters than LEAST_MISTYPED there are none.
   */
  near(wanted: string): Range[] {
    if (wanted.length < LEAST_MISTYPED) return [];
    const letters = Buffer.from(wanted, 'latin1');
    const found: Range[] = [];
    const add = (range: Range, depth: number, from: number) => {
      const end = this.#follow(range, depth, letters, from);
      if (end[0] < end[1]) found.push(end);
    };
    let range: Range = [0, this.entries.length];
    for (let at = 0; at < letters.length && range[0] < range[1]; at++) {
      const letter = letters[at]!;
      // The letter is one too many.
      add(range, at, at + 1);
      for (const [other, below] of this.#children(range, at)) {
        if (other === letter) continue;
        add(below, at + 1, at + 1);
        add(below, at + 1, at);
        if (other === letters[at + 1]) add(this.#narrow(below, at + 1, letter), at + 2, at + 2);
      }
      range = this.#narrow(range, at, letter);
    }
    return found;
  }

  /** Whether an entry is a whole name of so many letters. */
  isWhole(entry: number, length: number): boolean {
    return this.isFirst(entry) && this.text[this.entries[entry]! + length] === END;
  }

  /** Whether an entry is the beginning of its name. */
  isFirst(entry: number): boolean {
    const at = this.entries[entry]!;
    return at === 0 || this.text[at - 1] === END;
  }

  /** What stands at an entry up to the end of its name. */
  rest(entry: number): string {
    const at = this.entries[entry]!;
    return Buffer.from(this.text.subarray(at, this.text.indexOf(END, at))).toString('latin1');
  }

  /** The entries of a range that go on with the letters from one on, the first of them `depth` letters behind their place. */
  #follow(range: Range, depth: number, letters: Uint8Array, from: number): Range {
    let below = range;
    for (let i = from; i < letters.length && below[0] < below[1]; i++)
      below = this.#narrow(below, depth + i - from, letters[i]!);
    return below;
  }

  #narrow(range: Range, depth: number, letter: number): Range {
    const from = this.#lower(range, depth, letter);
    return [from, this.#lower([from, range[1]], depth, letter + 1)];
  }

  /** The letters that stand at a depth in a range, each with the entries that have it; where a name ends there is none. */
  *#children([from, to]: Range, depth: number): Generator<readonly [letter: number, range: Range]> {
    for (let at = from; at < to; ) {
      const letter = this.text[this.entries[at]! + depth]!;
      const next = this.#lower([at, to], depth, letter + 1);
      if (letter !== END) yield [letter, [at, next]];
      at = next;
    }
  }

  /** The first entry of a range whose letter at a depth is not below one. */
  #lower([from, to]: Range, depth: number, letter: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const half = (low + high) >>> 1;
      if (this.text[this.entries[half]! + depth]! < letter) low = half + 1;
      else high = half;
    }
    return low;
  }
}

/** Order of two places in a text, by what stands there up to the end of the name. */
function compareAt(text: Uint8Array, a: number, b: number): number {
  for (let i = 0; ; i++) {
    const [one, other] = [text[a + i]!, text[b + i]!];
    if (one !== other) return one - other;
    if (one === END) return 0;
  }
}
