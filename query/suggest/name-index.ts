import { readFileSync } from 'node:fs';
import type { ReleaseFile } from '../../datasets/release.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import type { Layers } from '../release/layers.ts';
import { type PrefixArrays, PrefixTable } from './prefix-table.ts';

/** What parcels are called by. */
export const PARCEL_NAMES = ['number', 'owner'] as const;
export type ParcelName = (typeof PARCEL_NAMES)[number];

/** Names with the parcels of each. */
export interface NamedParcels extends PrefixArrays {
  /** Where the parcels of each name begin in `ords`, and after them where the last ones end. */
  readonly starts: Uint32Array;
  /** Rows of parcels in the files of their county. */
  readonly ords: Uint32Array;
}

/** What a file of names holds. */
export interface NameContent {
  /** lng,lat of the interior point of every parcel by row, WGS84 degrees times 1e7; NOWHERE where it has none. */
  readonly places: Int32Array;
  readonly tables: Readonly<Record<ParcelName, NamedParcels>>;
}

/** Longitude of a parcel without a point. */
export const NOWHERE = -(2 ** 31);

const MAGIC = 'PLATNAM1';
/** A header larger than this is none. */
const MOST_HEADER = 1 << 16;

/** How many bytes of text, entries, names and rows a table has. */
interface TableSize {
  readonly text: number;
  readonly entries: number;
  readonly names: number;
  readonly ords: number;
}

interface NameHeader {
  readonly parcels: number;
  readonly tables: Readonly<Record<ParcelName, TableSize>>;
}

const words = (bytes: number) => Math.ceil(bytes / 4) * 4;
const bytesOf = ({ text, entries, names, ords }: TableSize) => words(text) + 4 * (2 * entries + names + 1 + ords);

/**
 * Writes a file of names: magic, length of the header and header (JSON), places, then of each table entries, names, starts, rows
 * and text; integers little-endian, every part begins at a multiple of four bytes.
 */
export function encodeNames({ places, tables }: NameContent): Uint8Array {
  const sizes = Object.fromEntries(
    PARCEL_NAMES.map(name => {
      const { text, entries, starts, ords } = tables[name];
      const size = { text: text.length, entries: entries.length, names: starts.length - 1, ords: ords.length };
      return [name, size satisfies TableSize];
    }),
  ) as NameHeader['tables'];
  const header: NameHeader = { parcels: places.length / 2, tables: sizes };
  const json = JSON.stringify(header);
  const padded = Buffer.from(json.padEnd(words(json.length), ' '));
  const body = 4 * places.length + PARCEL_NAMES.reduce((sum, name) => sum + bytesOf(sizes[name]), 0);
  const bytes = Buffer.alloc(MAGIC.length + 4 + padded.length + body);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(padded.length, MAGIC.length);
  padded.copy(bytes, MAGIC.length + 4);
  let to = MAGIC.length + 4 + padded.length;
  const put = (array: Int32Array | Uint32Array | Uint8Array) => {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), to);
    to += words(array.byteLength);
  };
  put(places);
  for (const name of PARCEL_NAMES) {
    const { entries, names, starts, ords, text } = tables[name];
    for (const array of [entries, names, starts, ords, text]) put(array);
  }
  return bytes;
}

/** The names of a county's parcels, with those that have each. A table of it is searched as PrefixTable says. */
export class NamesOfParcels {
  readonly places: Int32Array;
  readonly parcels: number;
  readonly tables: Readonly<Record<ParcelName, PrefixTable & NamedParcels>>;
  /** What it keeps in memory. */
  readonly bytes: number;

  /** @throws RangeError when the bytes are no file of names. */
  constructor(file: Uint8Array<ArrayBuffer>) {
    const start = MAGIC.length + 4;
    const prefix = Buffer.from(file.buffer, file.byteOffset, Math.min(start, file.length));
    if (prefix.length < start || prefix.toString('latin1', 0, MAGIC.length) !== MAGIC)
      throw new RangeError(`it does not begin with ${MAGIC}`);
    const length = prefix.readUInt32LE(MAGIC.length);
    if (length > MOST_HEADER || length % 4 !== 0 || start + length > file.length)
      throw new RangeError(`its header cannot be ${length} bytes long`);
    const header = JSON.parse(Buffer.from(file.subarray(start, start + length)).toString()) as NameHeader;
    const size = PARCEL_NAMES.reduce((sum, name) => sum + bytesOf(header.tables[name]), 8 * header.parcels);
    if (start + length + size !== file.length) throw new RangeError('its header does not fit its size');
    let at = file.byteOffset + start + length;
    const take = (count: number) => {
      const array = new Uint32Array(file.buffer, at, count);
      at += 4 * count;
      return array;
    };
    const places = take(2 * header.parcels);
    this.places = new Int32Array(places.buffer, places.byteOffset, places.length);
    this.parcels = header.parcels;
    this.bytes = file.length;
    this.tables = Object.fromEntries(
      PARCEL_NAMES.map(name => {
        const { text: letters, ...counts } = header.tables[name];
        const entries = take(counts.entries);
        const names = take(counts.entries);
        const starts = take(counts.names + 1);
        const ords = take(counts.ords);
        const text = new Uint8Array(file.buffer, at, letters);
        at += words(letters);
        requireWithin(entries, letters, 'an entry');
        requireWithin(names, counts.names, 'a name');
        requireWithin(ords, header.parcels, 'a row');
        if (starts[counts.names] !== counts.ords || starts.some((from, i) => i > 0 && from < starts[i - 1]!))
          throw new RangeError('the parcels of its names do not follow one another');
        return [name, Object.assign(new PrefixTable({ text, entries, names }), { starts, ords })];
      }),
    ) as NamesOfParcels['tables'];
  }

  /** @throws DamagedFile when it cannot be read or is no file of names. */
  static open(path: string): NamesOfParcels {
    try {
      const bytes = readFileSync(path);
      // A file is read into memory of its own: a piece of a pool need not begin at a multiple of four.
      return new NamesOfParcels(Uint8Array.from(bytes));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new DamagedFile(path, `it is no file of names (${code ?? message})`, { cause: error });
    }
  }
}

function requireWithin(values: Uint32Array, most: number, what: string): void {
  for (const value of values) if (value >= most) throw new RangeError(`${what} of it is ${value} of ${most}`);
}

/** The stored names of a county. @throws Fault or DamagedFile when their file is missing or damaged. */
export function openNames(layers: Layers, file: ReleaseFile): NamesOfParcels | Promise<NamesOfParcels> {
  return layers.open(file, path => {
    const value = NamesOfParcels.open(path);
    return { value, bytes: value.bytes };
  });
}
