const UTF8 = new TextEncoder();
/** As JSON.parse's input must be: bytes that are no UTF-8 are refused, never replaced. */
const STRICT = new TextDecoder('utf-8', { fatal: true });
/** Bytes at first, and bytes up to which memory is used again. */
const LEAST = 1 << 16;
const MOST = 1 << 22;
/** Bytes below which copying in a loop is faster than `set`. */
const SHORT = 48;
const [QUOTE, BACKSLASH, MINUS, POINT, ZERO] = [0x22, 0x5c, 0x2d, 0x2e, 0x30];
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];
/** Decimals up to which a number is written digit by digit. */
const MOST_DECIMALS = 4;
const TRUE = UTF8.encode('true');
const FALSE = UTF8.encode('false');

/** JSON text as bytes of UTF-8, for what is written once and often. */
export const utf8 = (text: string): Uint8Array => UTF8.encode(text);

/** JSON text that is written often, four bytes at a time. */
export class Phrase {
  readonly length: number;
  /** Little-endian; what stands behind the last byte is written over by what follows. */
  readonly words: Int32Array;

  /** @param text or its bytes. */
  constructor(text: string | Uint8Array) {
    const bytes = typeof text === 'string' ? UTF8.encode(text) : text;
    this.length = bytes.length;
    this.words = new Int32Array(Math.ceil(bytes.length / 4));
    bytes.forEach((byte, i) => {
      this.words[i >> 2]! |= byte << (8 * (i & 3));
    });
  }
}

const NULL_WORD = new Phrase('null').words[0]!;

/** Four equal bytes. */
const four = (byte: number): number => Math.imul(byte, 0x01010101);
const [ONES, HIGHS, SPACES, QUOTES, BACKSLASHES] = [four(1), four(0x80), four(0x20), four(QUOTE), four(BACKSLASH)];

/**
 * Whether all four bytes of a word stand in JSON as they are: printable ASCII without quote and backslash. It may say no
 * of others too (the tests for a zero byte, and for one less than another, are of Anderson's Bit Twiddling Hacks).
 */
function isPlain(word: number): boolean {
  const quote = word ^ QUOTES;
  const backslash = word ^ BACKSLASHES;
  const found =
    word | (word + ONES) | ((word - SPACES) & ~word) | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
  return (found & HIGHS) === 0;
}

/**
 * JSON text written as UTF-8 into memory that is used again. A page of a hundred parcels is written here without making
 * a text, an array or an object for any of its values, which would all have to be collected.
 */
export class JsonBytes {
  static readonly #spare: JsonBytes[] = [];
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(LEAST);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** An empty one; give it back with `release`. */
  static take(): JsonBytes {
    const one = JsonBytes.#spare.pop() ?? new JsonBytes();
    one.#length = 0;
    return one;
  }

  /** One whose memory will be handed over by `memory`: so many bytes of it are left free at its beginning. */
  static own(before: number): JsonBytes {
    const one = new JsonBytes();
    one.#length = before;
    return one;
  }

  /** The memory itself, with room for so many bytes more. Of one made by `own`, which is not to be used afterwards. */
  memory(after: number): Uint8Array<ArrayBuffer> {
    this.reserve(after);
    return this.#bytes;
  }

  /** Makes room for so many bytes more, where it is known how many will come. */
  reserve(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#bytes.length) this.#grow(needed);
  }

  /** Lets the memory be used again: nothing that `written` returned may be looked at afterwards. */
  release(): void {
    if (this.#bytes.length <= MOST) JsonBytes.#spare.push(this);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written between two lengths; good until something else is written. */
  written(from = 0, to = this.#length): Uint8Array {
    return this.#bytes.subarray(from, to);
  }

  /** Takes back what was written after a length. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** JSON text as it is. */
  raw(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#reserve(length);
    if (length > SHORT) this.#bytes.set(bytes, this.#length);
    else for (let i = 0, to = this.#length, into = this.#bytes; i < length; i++) into[to++] = bytes[i]!;
    this.#length += length;
  }

  /** JSON text as it is. */
  say({ words, length }: Phrase): void {
    this.#reserve(length + 3);
    const view = this.#view;
    let to = this.#length;
    for (let i = 0; i < words.length; i++, to += 4) view.setInt32(to, words[i]!, true);
    this.#length += length;
  }

  null(): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, NULL_WORD, true);
    this.#length += 4;
  }

  boolean(value: boolean): void {
    this.raw(value ? TRUE : FALSE);
  }

  /** As JSON.stringify writes it: what is not finite is null. */
  number(value: number): void {
    if (!Number.isFinite(value)) {
      this.null();
      return;
    }
    this.#reserve(32);
    // Small whole numbers, and such with few decimals, need no text in between: of 15 digits or fewer, no shorter ones
    // stand for the same number.
    for (let decimals = 0, scale = 1; decimals <= MOST_DECIMALS; decimals += 2, scale *= 100) {
      const scaled = Math.round(value * scale);
      if (scaled !== (scaled | 0)) break;
      if (scaled / scale !== value) continue;
      this.#decimal(scaled, decimals);
      return;
    }
    const into = this.#bytes;
    let at = this.#length;
    const text = String(value);
    for (let i = 0; i < text.length; i++) into[at++] = text.charCodeAt(i);
    this.#length = at;
  }

  /** A position, `[lng,lat]`. */
  position(lng: number, lat: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = OPEN;
    this.number(lng);
    this.#reserve(1);
    this.#bytes[this.#length++] = COMMA;
    this.number(lat);
    this.#reserve(1);
    this.#bytes[this.#length++] = CLOSE;
  }

  /** A whole number with its last digits behind the point, room for which is reserved. */
  #decimal(scaled: number, decimals: number): void {
    const into = this.#bytes;
    let at = this.#length;
    let rest = scaled;
    if (rest < 0) {
      into[at++] = MINUS;
      rest = -rest;
    }
    let behind = decimals;
    for (; behind > 0 && rest % 10 === 0; behind--) rest /= 10;
    let digits = 1;
    for (let power = 10; power <= rest; power *= 10) digits++;
    if (digits <= behind) digits = behind + 1;
    const end = at + digits + (behind > 0 ? 1 : 0);
    for (let i = end - 1, left = behind; i >= at; i--) {
      if (left-- === 0 && behind > 0) {
        into[i] = POINT;
        continue;
      }
      const next = (rest / 10) | 0;
      into[i] = ZERO + (rest - next * 10);
      rest = next;
    }
    this.#length = end;
  }

  /** JSON text that is known only as a text. */
  plain(json: string): void {
    this.#reserve(json.length * 3);
    this.#length += UTF8.encodeInto(json, this.#bytes.subarray(this.#length)).written;
  }

  /** A string. */
  string(value: string): void {
    const { length } = value;
    this.#reserve(length + 2);
    const into = this.#bytes;
    let at = this.#length;
    into[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) {
        this.raw(UTF8.encode(JSON.stringify(value)));
        return;
      }
      into[at++] = unit;
    }
    into[at++] = QUOTE;
    this.#length = at;
  }

  /**
   * A string whose UTF-8 stands in other memory.
   * @throws TypeError when it is no UTF-8.
   */
  text(from: DataView, start: number, length: number): void {
    this.#reserve(length + 2);
    const into = this.#bytes;
    const view = this.#view;
    let to = this.#length;
    into[to++] = QUOTE;
    let at = start;
    const end = start + length;
    for (; at + 4 <= end; at += 4, to += 4) {
      const word = from.getInt32(at, true);
      if (!isPlain(word)) break;
      view.setInt32(to, word, true);
    }
    for (; at < end; at++) {
      const byte = from.getUint8(at);
      if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) {
        // Rare: what must be escaped, or is not ASCII and has to be checked.
        this.string(STRICT.decode(new Uint8Array(from.buffer, from.byteOffset + start, length)));
        return;
      }
      into[to++] = byte;
    }
    into[to++] = QUOTE;
    this.#length = to;
  }

  /** Any value. */
  value(value: string | number | boolean | null): void {
    if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') this.string(value);
    else if (value === null) this.null();
    else this.boolean(value);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#bytes.length) this.#grow(Math.max(needed, this.#bytes.length * 2));
  }

  #grow(length: number): void {
    // Only what was written is ever looked at: clearing the rest would take as long as writing it.
    const larger = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
