import type { Value } from '../datasets/dataset.ts';
import { ReadError } from './reader.ts';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly length: number;
  /** Column of numbers of blocks of another file (.dbt, .fpt): memos, pictures. */
  readonly isMemo: boolean;
  /** Reader of values that are no text; null of a column of text. */
  readonly read: ReadBinary | null;
}

type ReadBinary = (bytes: Buffer, at: number) => Value;

/** Layout of a dBASE table. */
export interface DbfHeader {
  readonly count: number;
  readonly headerBytes: number;
  readonly recordBytes: number;
  readonly fields: readonly Field[];
  /** Encoding of the text by the language-driver byte, null when the byte names none. */
  readonly encoding: string | null;
}

/**
 * Code pages of language drivers (ESRI, dBASE and FoxPro), as GDAL has them. It lacks 104 and 105 (Kamenický, Mazovia), and 87 is
 * Windows-1252, of which ISO 8859-1 is a part.
 */
const LANGUAGE_DRIVERS: Readonly<Record<number, string>> = {
  1: '437',
  2: '850',
  3: '1252',
  4: '10000',
  8: '865',
  9: '437',
  10: '850',
  11: '437',
  13: '437',
  14: '850',
  15: '437',
  16: '850',
  17: '437',
  18: '850',
  19: '932',
  20: '850',
  21: '437',
  22: '850',
  23: '865',
  24: '437',
  25: '437',
  26: '850',
  27: '437',
  28: '863',
  29: '850',
  31: '852',
  34: '852',
  35: '852',
  36: '860',
  37: '850',
  38: '866',
  55: '850',
  64: '852',
  77: '936',
  78: '949',
  79: '950',
  80: '874',
  87: '1252',
  88: '1252',
  89: '1252',
  100: '852',
  101: '866',
  102: '865',
  103: '861',
  106: '737',
  107: '857',
  108: '863',
  120: '950',
  121: '949',
  122: '936',
  123: '932',
  124: '874',
  134: '737',
  135: '852',
  136: '857',
  150: '10007',
  151: '10029',
  200: '1250',
  201: '1251',
  202: '1254',
  203: '1253',
  204: '1257',
};

/** Reads record count and sizes from the first 32 bytes; `fields` is empty. @throws ReadError file_corrupt when they are wrong. */
export function dbfSizes(bytes: Buffer, file: string): DbfHeader {
  const headerBytes = bytes.readUInt16LE(8);
  const recordBytes = bytes.readUInt16LE(10);
  if (headerBytes < 33 || recordBytes < 1)
    throw new ReadError('file_corrupt', file, null, 'the .dbf does not begin with a dBASE header');
  const encoding = LANGUAGE_DRIVERS[bytes[29]!] ?? null;
  return { count: bytes.readUInt32LE(4), headerBytes, recordBytes, fields: [], encoding };
}

/**
 * Reads the whole header. @param bytes its `headerBytes` bytes. @param decoder decodes column names.
 * @throws ReadError file_corrupt when columns do not fit the record.
 */
export function dbfHeader(bytes: Buffer, file: string, decode: (bytes: Buffer) => string): DbfHeader {
  const sizes = dbfSizes(bytes, file);
  const fields: Field[] = [];
  let start = 1;
  for (let at = 32; at + 32 <= sizes.headerBytes && bytes[at] !== 0x0d; at += 32) {
    const raw = bytes.subarray(at, at + 11);
    const end = raw.indexOf(0);
    const type = String.fromCharCode(bytes[at + 11]!);
    // dBASE keeps the high byte of a long text column where others keep decimals.
    const length = type === 'C' ? bytes.readUInt16LE(at + 16) : bytes[at + 16]!;
    fields.push({ name: decode(raw.subarray(0, end < 0 ? 11 : end)).trim(), start, ...typed(type, length) });
    start += length;
  }
  if (start > sizes.recordBytes)
    throw new ReadError(
      'file_corrupt',
      file,
      null,
      `the .dbf columns take ${start} bytes, its records ${sizes.recordBytes}`,
    );
  return { ...sizes, fields: uniqueNames(fields) };
}

function uniqueNames(fields: readonly Field[]): Field[] {
  const seen = new Set<string>();
  return fields.map((field, i) => {
    const base = field.name || `column_${i + 1}`;
    let name = base;
    for (let n = 2; seen.has(name); n++) name = `${base}_${n}`;
    seen.add(name);
    return { ...field, name };
  });
}

const SPACE = 0x20;
const JULIAN_DAY_OF_1970 = 2_440_588;
const DAY_MS = 86_400_000;

/** Values of columns that are no text, by type: dBASE 7 and FoxPro. */
const BINARY: Readonly<Record<string, { readonly length: number; readonly read: ReadBinary }>> = {
  I: { length: 4, read: (bytes, at) => bytes.readInt32LE(at) },
  '+': { length: 4, read: (bytes, at) => bytes.readInt32LE(at) },
  O: { length: 8, read: (bytes, at) => bytes.readDoubleLE(at) },
  B: { length: 8, read: (bytes, at) => bytes.readDoubleLE(at) },
  // An amount of money, in parts of ten thousand.
  Y: { length: 8, read: (bytes, at) => Number(bytes.readBigInt64LE(at)) / 10_000 },
  T: { length: 8, read: dateTime },
};

/** A Julian day and milliseconds of it as ISO 8601 without a time zone; null where there is no day. */
function dateTime(bytes: Buffer, at: number): Value {
  const day = bytes.readInt32LE(at);
  if (day <= 0) return null;
  const date = new Date((day - JULIAN_DAY_OF_1970) * DAY_MS + bytes.readInt32LE(at + 4));
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 19);
}

const noValue = () => null;

/** Layout of a column by its type. A double of FoxPro has eight bytes, and a memo the letter of it. */
function typed(type: string, length: number): Pick<Field, 'type' | 'length' | 'isMemo' | 'read'> {
  const isMemo = /[MGPW@]/.test(type) || (type === 'B' && length !== 8);
  const binary = BINARY[type];
  return { type, length, isMemo, read: binary?.length === length ? binary.read : binary || isMemo ? noValue : null };
}

/** Returns the column values of the record at `at` of `bytes`. Numbers that JavaScript cannot hold exactly stay text. */
export function dbfRecord(
  header: DbfHeader,
  bytes: Buffer,
  at: number,
  decode: (bytes: Buffer) => string,
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const field of header.fields) {
    let start = at + field.start;
    let end = start + field.length;
    if (field.read) {
      values[field.name] = field.read(bytes, start);
      continue;
    }
    // Some writers pad with NUL instead of blanks.
    while (end > start && bytes[end - 1]! <= SPACE) end--;
    if (field.type !== 'C') while (start < end && bytes[start]! <= SPACE) start++;
    values[field.name] = start === end ? null : fieldValue(field.type, bytes, start, end, decode);
  }
  return values;
}

/**
 * Reads a plain decimal of at most 15 digits; returns null for anything else. Mantissa and power of ten are then exact, so one
 * division rounds as the full parser does (Clinger 1990), and no string is made.
 */
function plainNumber(bytes: Buffer, start: number, end: number): number | null {
  const negative = bytes[start] === 0x2d;
  let mantissa = 0;
  let digits = 0;
  let decimals = -1;
  for (let i = negative ? start + 1 : start; i < end; i++) {
    const digit = bytes[i]! - 0x30;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digits++;
      if (decimals >= 0) decimals++;
    } else if (digit === -2 && decimals < 0) decimals = 0;
    else return null;
  }
  if (digits === 0 || digits > 15) return null;
  const value = decimals > 0 ? mantissa / 10 ** decimals : mantissa;
  return negative ? -value : value;
}

function fieldValue(type: string, bytes: Buffer, start: number, end: number, decode: (bytes: Buffer) => string): Value {
  if (type === 'N' || type === 'F') {
    const quick = plainNumber(bytes, start, end);
    if (quick !== null) return quick;
    const text = bytes.toString('latin1', start, end);
    const value = Number(text);
    if (Number.isFinite(value)) return Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(text) ? value : text;
    const nul = text.indexOf('\0');
    if (nul > 0) return fieldValue(type, bytes, start, start + text.slice(0, nul).trimEnd().length, decode);
    // Asterisks: the value did not fit the column. Any other text is no number, and whoever wants one shall see it.
    return /^[*.+-]*$/.test(text) ? null : text;
  }
  if (type === 'L') {
    const letter = bytes.toString('latin1', start, start + 1).toUpperCase();
    return letter === 'Y' || letter === 'T' ? true : letter === 'N' || letter === 'F' ? false : null;
  }
  if (type === 'D') {
    const match = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(bytes.toString('latin1', start, end));
    return match && match[1] !== '0000' ? `${match[1]}-${match[2]}-${match[3]}` : null;
  }
  let high = 0;
  let nul = -1;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    high |= byte;
    if (byte === 0) {
      nul = i;
      break;
    }
  }
  let stop = end;
  if (nul >= 0) {
    stop = nul;
    while (stop > start && bytes[stop - 1]! <= SPACE) stop--;
    if (stop === start) return null;
  }
  return high < 0x80 ? bytes.toString('latin1', start, stop) : decode(bytes.subarray(start, stop));
}
