import { crc32, inflateRawSync } from 'node:zlib';
import type { Value } from '../../datasets/dataset.ts';
import type { ReleaseFile } from '../../datasets/release.ts';
import type { Finding } from '../evaluate/finding.ts';
import { PositionedFile } from '../format/positioned-file.ts';
import type { Layers } from '../release/layers.ts';
import { findingOf, isReason, type Reason } from './reason.ts';
import { PAGE_RECORDS, RecordPage, type StoredType } from './record-page.ts';

/** First bytes of a record file; the last one is its version. */
export const RECORD_MAGIC = Buffer.from('PLATREC\x01', 'latin1');
/** Magic, length of the header, its CRC-32, CRC-32 of the page table. */
export const RECORD_PREFIX_BYTES = 20;
/** Longest page that is believed: 32 records of a few hundred kilobytes. */
const MAX_PAGE_BYTES = 64 << 20;
/** Reasons tables of a county are kilobytes; nothing larger is believed. */
const MAX_HEADER_BYTES = 256 << 20;

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean'] satisfies StoredType[];

/** A field of a record file. */
interface RecordField {
  readonly name: string;
  readonly type: StoredType;
  /** What each code stands for. */
  readonly reasons: readonly Reason[];
}

/** JSON header of a record file. */
export interface RecordHeader {
  readonly count: number;
  /** When the values were computed: UTC with milliseconds and Z. */
  readonly computedAt: string;
  readonly fields: readonly RecordField[];
  /** Whether pages are raw DEFLATE streams: JSON text takes a tenth of its length so. */
  readonly deflated?: boolean;
}

function headerOf(text: string): RecordHeader {
  const header = JSON.parse(text) as RecordHeader;
  const { count, computedAt, fields } = header;
  if (!Number.isInteger(count) || count < 0 || typeof computedAt !== 'string' || !Array.isArray(fields))
    throw new RangeError('it is incomplete');
  for (const { name, type, reasons } of fields)
    if (typeof name !== 'string' || !TYPES.includes(type) || !Array.isArray(reasons) || !reasons.every(isReason))
      throw new RangeError('a field of it is incomplete');
  return header;
}

/**
 * A row store of calculated values of one parcel file and dataset: the record of every `ord`, found by one read. Layout:
 * `PLATREC`, version; length of the header and checksums; header (JSON); offsets of the pages, one more than there are
 * (doubles); pages of 32 records, each behind its CRC-32, deflated where the header says so. All numbers little-endian.
 *
 * Whatever happened to the file, a method answers or throws DamagedFile.
 */
export class RecordFile {
  readonly count: number;
  readonly computedAt: string;
  readonly fields: readonly RecordField[];
  readonly #types: readonly StoredType[];
  /** Places of all fields. */
  readonly places: Uint32Array;
  readonly #deflated: boolean;
  /** Findings of reasons without their values, by field and code: all but an `ok` is whole. */
  readonly #without: readonly (readonly Finding[])[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #offsets: Float64Array;
  /** Where the pages begin in the file. */
  readonly #start: number;
  readonly #file: PositionedFile;
  /** The page read last. */
  #last: { readonly number: number; readonly page: RecordPage } | null = null;

  /** @throws DamagedFile when it cannot be opened or its parts contradict each other or its size. */
  constructor(path: string) {
    this.#file = new PositionedFile(path);
    try {
      const { size } = this.#file;
      const prefix = this.#file.read(0, RECORD_PREFIX_BYTES, size);
      if (!prefix.subarray(0, 8).equals(RECORD_MAGIC)) throw this.#file.damaged('it is no record file of version 1');
      const length = prefix.readUInt32LE(8);
      if (length > MAX_HEADER_BYTES) throw this.#file.damaged(`its header cannot be ${length} bytes long`);
      const bytes = this.#file.read(RECORD_PREFIX_BYTES, length, size);
      if (crc32(bytes) !== prefix.readUInt32LE(12)) throw this.#file.damaged('its header does not have its checksum');
      const header = this.#file.guard('its header cannot be decoded', () => headerOf(bytes.toString('utf8')));
      this.count = header.count;
      this.computedAt = header.computedAt;
      this.fields = header.fields;
      this.#types = header.fields.map(field => field.type);
      this.places = Uint32Array.from(header.fields.keys());
      this.#deflated = header.deflated === true;
      this.#places = new Map(header.fields.map((field, i) => [field.name, i]));
      this.#without = header.fields.map(f => f.reasons.map(r => findingOf(r, null)));
      const pages = Math.ceil(this.count / PAGE_RECORDS);
      const tableBytes = (pages + 1) * 8;
      const table = this.#file.read(RECORD_PREFIX_BYTES + length, tableBytes, size);
      if (crc32(table) !== prefix.readUInt32LE(16))
        throw this.#file.damaged('its page table does not have its checksum');
      this.#offsets = new Float64Array(pages + 1);
      for (let i = 0; i <= pages; i++) this.#offsets[i] = table.readDoubleLE(i * 8);
      this.#start = RECORD_PREFIX_BYTES + length + tableBytes;
      if (this.#start + this.#offsets[pages]! !== size)
        throw this.#file.damaged(`it is ${size} bytes long, not as it says`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whether the file has a field. */
  has(field: string): boolean {
    return this.#places.has(field);
  }

  /** What the codes of a field stand for; empty for a field it does not have. */
  reasons(field: string): readonly Reason[] {
    return this.fields[this.#places.get(field) ?? -1]?.reasons ?? [];
  }

  /**
   * Every field's finding of one parcel.
   * @param wanted only these, where not all are.
   * @throws DamagedFile when the record cannot be read, RangeError when there is no such parcel.
   */
  findings(ord: number, wanted?: ReadonlySet<string>): ReadonlyMap<string, Finding> {
    const found = new Map<string, Finding>();
    this.each(ord, this.places, (place, shared, value) => {
      const { name } = this.fields[place]!;
      if (!wanted || wanted.has(name)) found.set(name, value === null ? shared : { ...shared, value });
    });
    return found;
  }

  /**
   * As findings, told one by one.
   * @param places of fields in `fields`.
   * @param take gets the place in `places`, the finding without its value, which is one object for all of one reason, and
   *   the value, null unless the finding is an answer.
   */
  each(ord: number, places: ArrayLike<number>, take: (i: number, shared: Finding, value: Value) => void): void {
    if (!Number.isInteger(ord) || ord < 0 || ord >= this.count)
      throw new RangeError(`Record ${ord} does not exist; expected a whole number below ${this.count}`);
    const page = this.#page(Math.floor(ord / PAGE_RECORDS));
    const record = ord % PAGE_RECORDS;
    try {
      if (record >= page.count) throw new RangeError(`its page holds ${page.count} records`);
      for (let i = 0; i < places.length; i++) {
        const field = places[i]!;
        const shared = this.#without[field]![page.code(field, record)];
        const value = shared?.status === 'ok' ? page.value(field, record) : null;
        if (shared === undefined || (value === null && shared.status === 'ok'))
          throw new RangeError('it has a code of no reason, or no value for one');
        take(i, shared, value);
      }
    } catch (error) {
      throw this.#file.failed(`record ${ord} cannot be decoded`, error);
    }
  }

  /** Releases the file; harmless when closed already. */
  close(): void {
    this.#file.close();
    this.#last = null;
  }

  #page(number: number): RecordPage {
    if (this.#last?.number === number) return this.#last.page;
    const start = this.#offsets[number]!;
    const length = this.#offsets[number + 1]! - start;
    if (!(start >= 0 && length > 4 && length <= this.#offsets.at(-1)!))
      throw this.#file.damaged(`page ${number} is cut wrong`);
    const bytes = this.#file.read(this.#start + start, length);
    const kept = bytes.subarray(4);
    if (crc32(kept) !== bytes.readUInt32LE(0)) throw this.#file.damaged(`page ${number} does not have its checksum`);
    const page = this.#file.guard(`page ${number} cannot be decoded`, () => {
      const plain = this.#deflated ? inflateRawSync(kept, { maxOutputLength: MAX_PAGE_BYTES }) : kept;
      return new RecordPage(plain, this.#types);
    });
    this.#last = { number, page };
    return page;
  }
}

/** A row store of calculations. @throws Fault or DamagedFile when the file is missing or damaged. */
export function openRecords(layers: Layers, file: ReleaseFile): RecordFile | Promise<RecordFile> {
  return layers.open(file, path => {
    const value = new RecordFile(path);
    const reasons = value.fields.reduce((sum, field) => sum + field.reasons.length, 0);
    return { value, bytes: 4000 + value.count / 4 + reasons * 600 };
  });
}
