import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DamagedFile } from '../../format/damaged-file.ts';
import { cityKey, withoutKind } from '../address/city.ts';
import { editDistance, letterMask, maskDifference } from '../address/edit-distance.ts';
import { capitals } from '../address/text.ts';
import {
  areasOf,
  entryOf,
  headerOf,
  layoutOf,
  NO_NUMBER,
  namesOf,
  POINT_INTS,
  SEGMENT_INTS,
  type StreetEntry,
} from './address-index-format.ts';
import { POINT_KINDS, type PointKind } from './address-row.ts';

/** A house number of a street. Coordinates lng,lat WGS84 degrees. */
export interface IndexedPoint {
  readonly value: number;
  readonly high: number;
  /** `A`, `1/2`, `N6W/` of a grid; empty where there is none. */
  readonly suffix: string;
  readonly kind: PointKind;
  readonly lng: number;
  readonly lat: number;
}

/** A segment of a street; -1 stands for numbers that are not known. */
export interface IndexedSegment {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
  readonly zipLeft: string | null;
  readonly zipRight: string | null;
  /** lng,lat of its vertices: read when they are asked for, because most streets are asked for their numbers alone. */
  readonly xy: Float64Array;
}

/** Names of areas: cities and counties as cityKey has them, counties without their kind, ZIP codes of five digits. */
interface NamedAreas {
  readonly cities: ReadonlySet<string>;
  readonly zips: ReadonlySet<string>;
  readonly counties: ReadonlySet<string>;
  /** How many streets each city has, by its name in capitals. */
  readonly streets: ReadonlyMap<string, number>;
  /** The cities that rows of a ZIP code name. */
  readonly citiesOf: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Fills a buffer with the bytes from a place of the file on. */
type Reader = (start: number, into: Uint8Array) => void;

/** Numbers of one street on their way from the file: a buffer for each would be most of what an address costs. */
let scratch = new Int32Array(4096);

/** Texts of one kind with the streets that have them, searchable with typing errors. */
class Names {
  /** A street's number, or several: most names are one street's. */
  readonly #ids = new Map<string, number | number[]>();
  readonly #texts: string[] = [];
  #masks = new Int32Array(0);
  /** Where the texts of each length begin, which are sorted by it. */
  #lengths = new Uint32Array(0);

  add(text: string, id: number): void {
    const ids = this.#ids.get(text);
    if (ids === undefined) {
      this.#ids.set(text, id);
      this.#texts.push(text);
    } else if (typeof ids === 'number') this.#ids.set(text, [ids, id]);
    else ids.push(id);
  }

  seal(): void {
    this.#texts.sort((a, b) => a.length - b.length);
    this.#masks = Int32Array.from(this.#texts, letterMask);
    this.#lengths = new Uint32Array((this.#texts.at(-1)?.length ?? 0) + 2);
    for (const { length } of this.#texts) this.#lengths[length + 1]!++;
    for (let i = 1; i < this.#lengths.length; i++) this.#lengths[i]! += this.#lengths[i - 1]!;
  }

  exact(text: string): readonly number[] {
    const ids = this.#ids.get(text) ?? [];
    return typeof ids === 'number' ? [ids] : ids;
  }

  /** Streets within so many edits, the text itself left out. */
  *near(text: string, most: number): Generator<number> {
    const mask = letterMask(text);
    const longest = this.#lengths.length - 2;
    const from = this.#lengths[Math.max(0, text.length - most)] ?? this.#texts.length;
    const to = text.length + most > longest ? this.#texts.length : this.#lengths[text.length + most + 1]!;
    for (let i = from; i < to; i++) {
      if (maskDifference(this.#masks[i]!, mask) > 2 * most) continue;
      const other = this.#texts[i]!;
      if (other !== text && editDistance(text, other, most) <= most) yield* this.exact(other);
    }
  }
}

/**
 * The address index of one partition. Street names stay in memory (about 300 bytes each); house numbers and lines are
 * read street by street.
 */
export class AddressIndex {
  /** Number of streets; they are numbered from 0. */
  readonly streets: number;
  readonly #lines: readonly string[];
  readonly #entries = new Map<number, StreetEntry>();
  readonly points: number;
  readonly keys = new Names();
  readonly wholes = new Names();
  /** What it keeps in memory, about. */
  readonly bytes: number;
  readonly #read: Reader;
  readonly #suffixes: readonly string[];
  readonly #counties: ReadonlySet<string>;
  #named: NamedAreas | null = null;
  readonly #at: ReturnType<typeof layoutOf>;
  readonly #pointStarts: Uint32Array;
  readonly #segmentStarts: Uint32Array;
  readonly #fd: number | null;

  private constructor(read: Reader, size: number, fd: number | null) {
    this.#read = read;
    this.#fd = fd;
    const bytesAt = (start: number, length: number) => {
      const bytes = new Uint8Array(length);
      read(start, bytes);
      return bytes;
    };
    const { header, end } = headerOf(bytesAt, size);
    this.#at = layoutOf(header, end);
    this.#suffixes = header.suffixes;
    this.#counties = new Set(header.counties?.map(name => cityKey(withoutKind(capitals(name)))));
    this.points = header.points;
    const text = Buffer.from(bytesAt(this.#at.text, header.textBytes)).toString();
    this.streets = header.streets;
    this.#lines = header.streets ? text.split('\n') : [];
    if (this.#lines.length !== header.streets)
      throw new RangeError(`it has ${this.#lines.length} streets of ${header.streets}`);
    this.#pointStarts = this.#starts(this.#at.pointStarts, header.streets, header.points);
    this.#segmentStarts = this.#starts(this.#at.segmentStarts, header.streets, header.segments);
    for (const [id, line] of this.#lines.entries()) {
      const { key, whole } = namesOf(line);
      this.keys.add(key, id);
      this.wholes.add(whole, id);
    }
    this.keys.seal();
    this.wholes.seal();
    this.bytes = 4000 + header.streets * 500 + (fd === null ? size : 0);
  }

  /** @throws DamagedFile when it cannot be opened or is no index. */
  static open(path: string): AddressIndex {
    let fd: number | null = null;
    try {
      fd = openSync(path, 'r');
      const file = fd;
      const read: Reader = (start, into) => {
        const { length } = into;
        for (let done = 0; done < length; ) {
          const got = readSync(file, into, done, length - done, start + done);
          if (got === 0) throw new DamagedFile(path, `it ends before byte ${start + length}`);
          done += got;
        }
      };
      return new AddressIndex(read, fstatSync(fd).size, fd);
    } catch (error) {
      if (fd !== null) closeSync(fd);
      if (error instanceof DamagedFile) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new DamagedFile(path, `it is no address index (${code ?? message})`, { cause: error });
    }
  }

  /** An index that was just built and stays in memory. */
  static of(bytes: Uint8Array): AddressIndex {
    return new AddressIndex((start, into) => into.set(bytes.subarray(start, start + into.length)), bytes.length, null);
  }

  /** A street with its city and ZIP code. */
  entry(street: number): StreetEntry {
    let entry = this.#entries.get(street);
    if (!entry) {
      entry = entryOf(this.#lines[street]!);
      this.#entries.set(street, entry);
    }
    return entry;
  }

  /** The areas that its rows name, as names are compared; gathered on first use. */
  get named(): NamedAreas {
    if (this.#named) return this.#named;
    const cities = new Set<string>();
    const zips = new Set<string>();
    const streets = new Map<string, number>();
    const citiesOf = new Map<string, Set<string>>();
    for (const line of this.#lines) {
      const [city, zip, postal] = areasOf(line);
      if (city) streets.set(city, (streets.get(city) ?? 0) + 1);
      if (zip) zips.add(zip);
      for (const name of [city, postal]) {
        if (!name) continue;
        const key = cityKey(name);
        cities.add(key);
        if (!zip) continue;
        const of = citiesOf.get(zip);
        if (of) of.add(key);
        else citiesOf.set(zip, new Set([key]));
      }
    }
    this.#named = { cities, zips, counties: this.#counties, streets, citiesOf };
    return this.#named;
  }

  /**
   * House numbers of a street, by value and suffix.
   * @param very where the street has this very number, its places alone are read: then the others say nothing of it. No
   * place is number 0.
   */
  pointsOf(street: number, very?: Pick<IndexedPoint, 'value' | 'high' | 'suffix'>): IndexedPoint[] {
    const ints = this.#pointInts(street);
    const same: IndexedPoint[] = [];
    for (let i = 0; very && very.value !== NO_NUMBER && i < ints.length; i += POINT_INTS)
      if (ints[i] === very.value && ints[i + 1] === very.high && this.#suffixAt(ints, i) === very.suffix)
        same.push(this.#pointAt(ints, i));
    return same.length > 0 ? same : this.#pointsFrom(ints).filter(point => point.value !== NO_NUMBER);
  }

  /** Its house numbers and the places on it that have none. */
  placesOf(street: number): IndexedPoint[] {
    return this.#pointsFrom(this.#pointInts(street));
  }

  #pointInts(street: number): Int32Array {
    const [from, to] = [this.#pointStarts[street]!, this.#pointStarts[street + 1]!];
    return this.#ints(this.#at.points + 4 * POINT_INTS * from, POINT_INTS * (to - from));
  }

  #suffixAt(ints: Int32Array, at: number): string {
    return this.#suffixes[ints[at + 4]! >>> 16] ?? '';
  }

  #pointAt(ints: Int32Array, at: number): IndexedPoint {
    return {
      value: ints[at]!,
      high: ints[at + 1]!,
      lng: ints[at + 2]! / 1e7,
      lat: ints[at + 3]! / 1e7,
      kind: POINT_KINDS[ints[at + 4]! & 0xffff] ?? 'address_point',
      suffix: this.#suffixAt(ints, at),
    };
  }

  #pointsFrom(ints: Int32Array): IndexedPoint[] {
    const points: IndexedPoint[] = [];
    for (let i = 0; i < ints.length; i += POINT_INTS) points.push(this.#pointAt(ints, i));
    return points;
  }

  /** The pieces of a street that have a line. */
  segmentsOf(street: number): IndexedSegment[] {
    const [from, to] = [this.#segmentStarts[street]!, this.#segmentStarts[street + 1]!];
    if (from === to) return [];
    const ints = this.#ints(this.#at.segments + 4 * SEGMENT_INTS * from, SEGMENT_INTS * (to - from));
    const first = ints[6]!;
    const last = ints[ints.length - 1]!;
    let vertices: Int32Array | null = null;
    const line = (begin: number, end: number) => {
      vertices ??= this.#ints(this.#at.vertices + 8 * first, 2 * (last - first)).slice();
      return Float64Array.from(vertices.subarray(2 * (begin - first), 2 * (end - first)), v => v / 1e7);
    };
    const zip = (code: number) => (code < 0 ? null : String(code).padStart(5, '0'));
    const segments: IndexedSegment[] = [];
    for (let i = 0; i < ints.length; i += SEGMENT_INTS) {
      const [begin, end] = [ints[i + 6]!, ints[i + 7]!];
      segments.push({
        left: [ints[i]!, ints[i + 1]!],
        right: [ints[i + 2]!, ints[i + 3]!],
        zipLeft: zip(ints[i + 4]!),
        zipRight: zip(ints[i + 5]!),
        get xy() {
          return line(begin, end);
        },
      });
    }
    return segments;
  }

  /** Releases the file; harmless without one. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }

  /** Integers of the file, until the next ones are read. */
  #ints(start: number, count: number): Int32Array {
    if (count === 0) return scratch.subarray(0, 0);
    if (count > scratch.length) scratch = new Int32Array(2 * count);
    this.#read(start, new Uint8Array(scratch.buffer, 0, 4 * count));
    return scratch.subarray(0, count);
  }

  #starts(start: number, streets: number, most: number): Uint32Array {
    const starts = Uint32Array.from(this.#ints(start, streets + 1));
    if (starts[streets] !== most || starts.some((from, i) => i > 0 && from < starts[i - 1]!))
      throw new RangeError('its streets do not follow one another');
    return starts;
  }
}
