import { nearestTo } from '../../format/decimal-text.ts';

const [OPEN, CLOSE, COMMA, MINUS, POINT, ZERO] = [0x5b, 0x5d, 0x2c, 0x2d, 0x2e, 0x30];
const SPACE = new Uint8Array(256);
for (const ch of ' \t\r\n') SPACE[ch.charCodeAt(0)] = 1;
/** What a number is made of. */
const NUMERAL = new Uint8Array(256);
for (const ch of '0123456789+-.eE') NUMERAL[ch.charCodeAt(0)] = 1;
/** A JSON number (RFC 8259, 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Digits before the point and behind it up to which a number is read without becoming text. */
const [MOST_WHOLE, MOST_BEHIND] = [4, 15];

/** Whether a little-endian word is four digits: six more would carry what is greater than 9. */
const areDigits = (word: number): boolean =>
  ((word & 0xf0f0f0f0) | (((word + 0x06060606) & 0xf0f0f0f0) >>> 4)) === 0x33333333;

/** What four digits say, the first in the lowest byte. */
function fourDigits(word: number): number {
  const digits = word & 0x0f0f0f0f;
  const pairs = digits * 10 + (digits >> 8);
  return (pairs & 0xff) * 100 + ((pairs >> 16) & 0xff);
}

/** The `coordinates` of a Polygon or MultiPolygon that were read from JSON text without becoming lists. */
export class Coordinates {
  /** Rings of each polygon, positions of two numbers one after the other; none of the lists is empty. */
  readonly polygons: readonly (readonly Float64Array[])[];
  /** Whether they are those of a MultiPolygon. */
  readonly isMulti: boolean;

  constructor(polygons: readonly (readonly Float64Array[])[], isMulti: boolean) {
    this.polygons = polygons;
    this.isMulti = isMulti;
  }

  /** The lists that JSON.parse would have made. */
  toLists(): unknown {
    const lists = this.polygons.map(rings =>
      rings.map(ring => Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])),
    );
    return this.isMulti ? lists : lists[0]!;
  }

  /** A refusal may repeat what was sent. */
  toJSON(): unknown {
    return this.toLists();
  }
}

/** Numbers of the ring that is being read, used again. */
let spare = new Float64Array(4096);

function enlarged(): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * spare.length);
  larger.set(spare);
  spare = larger;
  return larger;
}

/** Reads coordinates from JSON text, in a third of the time that JSON.parse and its lists take. */
export class CoordinatesReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at: number;

  /** @param bytes JSON in UTF-8. @param at where the value begins. */
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = at;
  }

  /** Where it has come to: behind the value that was read. */
  get at(): number {
    return this.#at;
  }

  /** What JSON.parse would read, where that is coordinates of areas; null where the text holds anything else. */
  read(): Coordinates | null {
    const start = this.#at;
    let depth = 0;
    while (depth <= 4 && this.#meets(OPEN)) depth++;
    this.#at = start;
    if (depth === 4) {
      const polygons = this.#list(() => this.#rings());
      return polygons && new Coordinates(polygons, true);
    }
    const rings = depth === 3 ? this.#rings() : null;
    return rings && new Coordinates([rings], false);
  }

  #rings(): Float64Array[] | null {
    return this.#list(() => this.#ring());
  }

  /** Passes a byte, and the space before it. */
  #meets(byte: number): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    while (SPACE[bytes[at]!] === 1) at++;
    this.#at = at + 1;
    if (bytes[at] === byte) return true;
    this.#at = at;
    return false;
  }

  /** A nonempty list of what some reading gives; null where it is none. */
  #list<T>(item: () => T | null): T[] | null {
    if (!this.#meets(OPEN)) return null;
    const items: T[] = [];
    do {
      const next = item();
      if (next === null) return null;
      items.push(next);
    } while (this.#meets(COMMA));
    return this.#meets(CLOSE) ? items : null;
  }

  /** A nonempty list of positions of exactly two numbers, in one piece: a double that is returned may become an object. */
  #ring(): Float64Array | null {
    if (!this.#meets(OPEN)) return null;
    const bytes = this.#bytes;
    const view = this.#view;
    const lastWord = bytes.length - 3;
    let numbers = spare;
    let count = 0;
    let at = this.#at;
    for (;;) {
      while (SPACE[bytes[at]!] === 1) at++;
      if (bytes[at++] !== OPEN) return null;
      if (count === numbers.length) numbers = enlarged();
      for (let k = 0; k < 2; k++) {
        while (SPACE[bytes[at]!] === 1) at++;
        const start = at;
        const isNegative = bytes[at] === MINUS;
        if (isNegative) at++;
        const digits = at;
        let whole = 0;
        for (let d = bytes[at]! - ZERO; d >= 0 && d <= 9; d = bytes[++at]! - ZERO) whole = (whole * 10 + d) | 0;
        const before = at - digits;
        let fraction = 0;
        let behind = 0;
        if (bytes[at] === POINT) {
          const first = ++at;
          for (; at < lastWord; at += 4) {
            const four = view.getInt32(at, true);
            if (!areDigits(four)) break;
            fraction = fraction * 10_000 + fourDigits(four);
          }
          for (let d = bytes[at]! - ZERO; d >= 0 && d <= 9; d = bytes[++at]! - ZERO) fraction = fraction * 10 + d;
          behind = at - first;
          if (behind === 0) return null;
        }
        const isPlain = before === 1 || (before > 1 && before <= MOST_WHOLE && bytes[digits] !== ZERO);
        const ends = behind <= MOST_BEHIND && NUMERAL[bytes[at]!] !== 1;
        let value = isPlain && ends ? nearestTo(whole, fraction, behind) : Number.NaN;
        if (isNegative) value = -value;
        if (Number.isNaN(value)) {
          value = this.#number(start);
          if (Number.isNaN(value)) return null;
          at = this.#at;
        }
        numbers[count++] = value;
        while (SPACE[bytes[at]!] === 1) at++;
        if (bytes[at++] !== (k === 0 ? COMMA : CLOSE)) return null;
      }
      while (SPACE[bytes[at]!] === 1) at++;
      if (bytes[at] !== COMMA) break;
      at++;
    }
    this.#at = at;
    if (!this.#meets(CLOSE)) return null;
    return spare.slice(0, count);
  }

  /** Any number, as JavaScript reads it; NaN where there is none. */
  #number(start: number): number {
    let end = start;
    while (NUMERAL[this.#bytes[end]!] === 1) end++;
    this.#at = end;
    const text = this.#bytes.toString('latin1', start, end);
    return NUMBER.test(text) ? Number(text) : Number.NaN;
  }
}
