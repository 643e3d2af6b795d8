import type { Value } from '../../datasets/dataset.ts';
import { textAt } from '../format/utf8-text.ts';

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

/** Where the value of a field stands in a page: nowhere, once for all records, or one a record. */
interface Kept {
  readonly type: StoredType;
  /** Of the code of the first record, and bytes from one record's to the next one's. */
  readonly codeAt: number;
  readonly codeStep: number;
  /** Of the value of the first record; -1 where there is none. */
  readonly valueAt: number;
  readonly valueStep: number;
  /** Of numbers: place in SCALES, or DOUBLES. */
  readonly scale: number;
  /** The distinct texts, and those of them that were decoded. */
  readonly starts: readonly number[];
  readonly texts: (string | undefined)[];
}

/** A page that is read. Where everything stands is found once for all of its records. */
export class RecordPage {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #count: number;
  readonly #fields: readonly Kept[];

  /**
   * @param types of the fields, as they were when it was encoded.
   * @throws RangeError when the page is cut or contradicts itself.
   */
  constructor(bytes: Uint8Array, types: readonly StoredType[]) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#count = this.#view.getUint8(0);
    let at = 1;
    this.#fields = types.map(type => {
      const field = this.#fieldAt(at, type);
      at = field.end;
      return field.kept;
    });
    if (at !== bytes.length) throw new RangeError(`it is ${bytes.length} bytes long, its fields end at ${at}`);
  }

  /** How many records it holds. */
  get count(): number {
    return this.#count;
  }

  /** The code of a field of a record that it holds. */
  code(field: number, record: number): number {
    const { codeAt, codeStep } = this.#fields[field]!;
    return this.#view.getUint32(codeAt + record * codeStep, true);
  }

  /**
   * The value of a field of a record that it holds; it means nothing where the code is not of an answer.
   * @throws RangeError when the page contradicts itself, TypeError when text is not UTF-8.
   */
  value(field: number, record: number): Value {
    const kept = this.#fields[field]!;
    return kept.valueAt < 0 ? null : this.#value(kept, kept.valueAt + record * kept.valueStep);
  }

  #value({ type, scale, starts, texts }: Kept, at: number): Value {
    if (type === 'boolean') return this.#view.getUint8(at) === 1;
    if (type !== 'string')
      return scale === DOUBLES ? this.#view.getFloat64(at, true) : this.#view.getInt32(at, true) / SCALES[scale]!;
    const index = starts.length === 1 ? 0 : this.#view.getUint8(at);
    const start = starts[index];
    if (start === undefined) throw new RangeError('a text is none of the page');
    let text = texts[index];
    if (text === undefined) {
      text = textAt(this.#bytes, start + 4, this.#view.getUint32(start, true));
      texts[index] = text;
    }
    return text;
  }

  #fieldAt(start: number, type: StoredType): { kept: Kept; end: number } {
    const view = this.#view;
    const count = this.#count;
    let at = start;
    const kindAt = () => {
      const kind = view.getUint8(at++);
      if (kind > NONE) throw new RangeError('a field is kept in no known way');
      return kind;
    };
    const coded = kindAt();
    const [codeAt, codeStep] = [at, coded === ONE ? 0 : 4];
    at += coded === ONE ? 4 : count * 4;
    const kind = kindAt();
    const base = { type, codeAt, codeStep, scale: 0, starts: [] as number[], texts: [] };
    if (kind === NONE) return { kept: { ...base, valueAt: -1, valueStep: 0 }, end: at };
    const one = kind === ONE;
    if (type === 'string') {
      const starts: number[] = [];
      for (let left = view.getUint8(at++); left > 0; left--) {
        starts.push(at);
        at += 4 + view.getUint32(at, true);
      }
      if (at > this.#bytes.length || starts.length === 0) throw new RangeError('a text runs past the end');
      return { kept: { ...base, starts, valueAt: at, valueStep: one ? 0 : 1 }, end: one ? at : at + count };
    }
    const scale = type === 'boolean' ? 0 : view.getUint8(at++);
    if (scale > DOUBLES) throw new RangeError('a number is kept in no known way');
    const width = type === 'boolean' ? 1 : scale === DOUBLES ? 8 : 4;
    return { kept: { ...base, scale, valueAt: at, valueStep: one ? 0 : width }, end: at + width * (one ? 1 : count) };
  }
}
