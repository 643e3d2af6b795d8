import type { Value } from '../../datasets/dataset.ts';

/** Types that stored values have: dates and timestamps are kept as their text. */
export type StoredType = 'string' | 'number' | 'integer' | 'boolean';

/** Records a page. Neighbours of the stored order share most of their values, so that a page tells those once. */
export const PAGE_RECORDS = 32;

/** A field's part of a page: one code a record, and a value where the code is of an answer. */
export interface PageField {
  readonly codes: ArrayLike<number>;
  /** Null where there is no value. */
  readonly values: ArrayLike<Value>;
}

/** How the codes or values of a field stand in a page. */
const [ONE, MANY, NONE] = [0, 1, 2] as const;
/** Numbers as doubles, or as 32-bit integers in these shares of one. */
const SCALES = [1, 10, 1e4] as const;
const DOUBLES = SCALES.length;

const TEXT = new TextDecoder('utf-8', { fatal: true });

/** Bytes put one after another, little-endian. */
class Bytes {
  #bytes = Buffer.alloc(4096);
  #at = 0;
  #room(length: number): number {
    if (this.#at + length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#at + length));
      this.#bytes.copy(larger, 0, 0, this.#at);
      this.#bytes = larger;
    }
    this.#at += length;
    return this.#at - length;
  }
  u8(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }
  u32(value: number): void {
    const at = this.#room(4);
    this.#bytes.writeUInt32LE(value, at);
  }
  i32(value: number): void {
    const at = this.#room(4);
    this.#bytes.writeInt32LE(value, at);
  }
  f64(value: number): void {
    const at = this.#room(8);
    this.#bytes.writeDoubleLE(value, at);
  }
  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    this.u32(bytes.length);
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }
  done(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }
}

/** The least scale under which every number is a 32-bit integer and comes back as it was; else doubles. */
function scaleOf(numbers: readonly number[]): number {
  for (const [i, scale] of SCALES.entries())
    if (
      numbers.every(v => {
        // As it will be read: an integer has no negative zero.
        const scaled = Math.round(v * scale);
        return scaled === (scaled | 0) && Object.is((scaled | 0) / scale, v);
      })
    )
      return i;
  return DOUBLES;
}

function putNumber(out: Bytes, value: number, scale: number): void {
  if (scale === DOUBLES) out.f64(value);
  else out.i32(Math.round(value * SCALES[scale]!));
}

function putValues(out: Bytes, type: StoredType, values: readonly Value[]): void {
  const given = values.filter(value => value !== null);
  if (given.length === 0) {
    out.u8(NONE);
    return;
  }
  const one = given.every(value => Object.is(value, given[0]));
  out.u8(one ? ONE : MANY);
  if (type === 'boolean') {
    for (const value of one ? given.slice(0, 1) : values) out.u8(value ? 1 : 0);
    return;
  }
  if (type === 'string') {
    const texts = [...new Set(given)] as string[];
    out.u8(texts.length);
    for (const text of texts) out.text(text);
    if (!one) for (const value of values) out.u8(value === null ? 0 : texts.indexOf(value as string));
    return;
  }
  const scale = scaleOf(given as number[]);
  out.u8(scale);
  for (const value of one ? given.slice(0, 1) : values) putNumber(out, (value ?? 0) as number, scale);
}

/**
 * Encodes up to 32 records, field by field.
 * @param types of the fields, as decoding will be given them.
 */
export function encodePage(types: readonly StoredType[], fields: readonly PageField[], count: number): Buffer {
  const out = new Bytes();
  out.u8(count);
  for (const [i, type] of types.entries()) {
    const codes = Array.from({ length: count }, (_, r) => fields[i]!.codes[r]!);
    const values = Array.from({ length: count }, (_, r) => fields[i]!.values[r] ?? null);
    const one = codes.every(code => code === codes[0]);
    out.u8(one ? ONE : MANY);
    for (const code of one ? codes.slice(0, 1) : codes) out.u32(code);
    putValues(out, type, values);
  }
  return out.done();
}

/**
 * Reads one record of a page.
 * @param take gets every field's place, its code, and the value that stands at the record, which means nothing where
 *   the code is not of an answer.
 * @param texts of this page that were decoded before, by where they stand.
 * @throws RangeError when the page is cut or contradicts itself, TypeError when text is not UTF-8.
 */
export function decodeRecord(
  page: Uint8Array,
  types: readonly StoredType[],
  record: number,
  take: (field: number, code: number, value: Value) => void,
  texts: Map<number, string> = new Map(),
): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const count = view.getUint8(0);
  if (!(record < count)) throw new RangeError(`it holds ${count} records, not one more than ${record}`);
  let at = 1;
  const kindAt = () => {
    const kind = view.getUint8(at++);
    if (kind > NONE) throw new RangeError('a field is kept in no known way');
    return kind;
  };
  for (const [field, type] of types.entries()) {
    const coded = kindAt();
    const code = view.getUint32(coded === ONE ? at : at + record * 4, true);
    at += coded === ONE ? 4 : count * 4;
    const kept = kindAt();
    if (kept === NONE) {
      take(field, code, null);
      continue;
    }
    const cells = kept === ONE ? 1 : count;
    const cell = kept === ONE ? 0 : record;
    if (type === 'boolean') {
      take(field, code, view.getUint8(at + cell) === 1);
      at += cells;
    } else if (type === 'string') {
      const distinct = view.getUint8(at++);
      const starts: number[] = [];
      for (let i = 0; i < distinct; i++) {
        starts.push(at);
        at += 4 + view.getUint32(at, true);
      }
      const index = kept === ONE ? 0 : view.getUint8(at + cell);
      if (kept === MANY) at += cells;
      if (index >= distinct || at > page.length) throw new RangeError('a text runs past the end');
      const start = starts[index]!;
      let text = texts.get(start);
      if (text === undefined) {
        text = TEXT.decode(page.subarray(start + 4, start + 4 + view.getUint32(start, true)));
        texts.set(start, text);
      }
      take(field, code, text);
    } else {
      const scale = view.getUint8(at++);
      if (scale > DOUBLES) throw new RangeError('a number is kept in no known way');
      const width = scale === DOUBLES ? 8 : 4;
      const place = at + cell * width;
      take(field, code, scale === DOUBLES ? view.getFloat64(place, true) : view.getInt32(place, true) / SCALES[scale]!);
      at += cells * width;
    }
  }
  if (at !== page.length) throw new RangeError(`it is ${page.length} bytes long, its fields end at ${at}`);
}
