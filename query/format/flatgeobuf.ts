import type { Value } from '../../datasets/dataset.ts';
import type { Box, Geometry } from '../../datasets/geometry.ts';
import type { ColumnPick } from './column-pick.ts';
import type { DamagedFile } from './damaged-file.ts';
import { decodeHeader, type FeatureHeader, isVersion3 } from './feature-header.ts';
import { FeatureRecord, type StoredColumn } from './feature-record.ts';
import { indexBytesOf, NODE_BYTES, PackedRTree, type SharedTree } from './packed-rtree.ts';
import { PositionedFile } from './positioned-file.ts';

/** Marks the values of a row of which some columns are withheld. */
const WITHHELD = Symbol('withheld');

/** Whether values are those of a row of which some columns are withheld. */
export const isWithheldRow = (values: object): boolean => Object.hasOwn(values, WITHHELD);

const PREFIX_BYTES = 12;
/** Same limit as FlatGeobuf's own readers: no honest header is larger. */
const MAX_HEADER_BYTES = 10 << 20;
/** Read at once while features are read in order: some thirty parcels. */
const AHEAD_BYTES = 1 << 14;
/** Bytes between two reads up to which more are expected to follow: a few parcels. */
const NEAR_BYTES = 1 << 12;
/** Smallest possible feature: size prefix, root offset, vtable and table. */
const MIN_FEATURE_BYTES = 16;

interface Feature {
  readonly geometry: Geometry;
  readonly properties: Record<string, Value>;
}

/**
 * A FlatGeobuf file of a release, open for reading. The header and the packed index are read once (40 bytes a
 * feature stay in memory); features are read one at a time by position. Coordinates are lng,lat WGS84 degrees.
 * Whatever happened to the file, a method answers or throws DamagedFile; it never reads outside the record.
 */
export class FeatureFile {
  /** Layer title or name, as the writer gave it. */
  readonly title: string | null;
  /** Number of features, numbered 0..count-1 in file order. */
  readonly count: number;
  readonly columns: readonly string[];
  readonly index: PackedRTree;
  readonly #header: FeatureHeader;
  readonly #dataStart: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #file: PositionedFile;
  /** Bytes read ahead, in memory used again: features that are asked for one after another mostly lie side by side. */
  #ahead = new Uint8Array(0);
  /** The part of the file that stands in #ahead. */
  #aheadStart = 0;
  #aheadLength = 0;
  readonly #record: FeatureRecord;
  /** Rows of which some columns are told to nobody, and these by their places; null where there are none. */
  #withheld: { readonly rows: Uint8Array; readonly columns: ColumnPick } | null = null;
  /** Values that were corrected, by row and name: for who tells values, beside what the records say. */
  corrected: ReadonlyMap<number, ReadonlyMap<string, Value>> | null = null;
  /** What the lists are known by that say what of it is withheld and corrected. */
  lists = '';
  /** What it stands on, because geometry(i) and properties(i) mostly come in pairs; -1 is nothing. */
  #feature = -1;
  /** Its geometry once decoded, and whether only until another one is. */
  #geometry: Geometry | null = null;
  #isSpare = false;

  /**
   * @param tree the index of the same bytes, where another thread has read it.
   * @throws DamagedFile when it cannot be opened, is no FlatGeobuf 3 with an index (an empty layer needs none), or
   *   its parts contradict each other or its size.
   */
  constructor(path: string, tree: SharedTree | null = null) {
    this.#file = new PositionedFile(path);
    try {
      const { size } = this.#file;
      const prefix = this.#file.read(0, PREFIX_BYTES, size);
      if (!isVersion3(prefix)) throw this.#file.damaged('it is no FlatGeobuf version 3');
      const headerBytes = prefix.readUInt32LE(8);
      if (headerBytes < 8 || headerBytes > MAX_HEADER_BYTES)
        throw this.#file.damaged(`its header cannot be ${headerBytes} bytes long`);
      const bytes = this.#file.read(8, 4 + headerBytes, size);
      const header = this.#file.guard('its header cannot be decoded', () => decodeHeader(bytes));
      this.#header = header;
      this.#record = new FeatureRecord(header.columns);
      this.title = header.title;
      this.count = header.count;
      this.columns = header.columns.map(column => column.name);
      this.#places = new Map(this.columns.map((name, i) => [name, i]));
      if (this.#places.size < this.columns.length) throw this.#file.damaged('its header names a column twice');
      const indexStart = PREFIX_BYTES + headerBytes;
      // Bounds what follows before anything is allocated for it.
      if (this.count * (NODE_BYTES + MIN_FEATURE_BYTES) > size - indexStart)
        throw this.#file.damaged(`it is too short for the ${this.count} features that its header says`);
      if (this.count && header.nodeSize < 2) throw this.#file.damaged('it has no index');
      const indexBytes = indexBytesOf(this.count, header.nodeSize);
      this.#dataStart = indexStart + indexBytes;
      if (this.count === 0 && this.#dataStart !== size) throw this.#file.damaged('its header says that it is empty');
      if (tree) {
        this.index = new PackedRTree(tree);
        return;
      }
      const index = this.#file.read(indexStart, indexBytes, size);
      this.index = this.#file.guard('its index is inconsistent', () =>
        PackedRTree.read(index, this.count, header.nodeSize, size - this.#dataStart),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Visits every feature whose box meets the given one (edges count), in file order.
   * @param visit gets the number of the feature; returning false ends the search.
   * @param from features before it are passed over.
   */
  search(box: Box, visit: (feature: number) => unknown, from = 0): void {
    this.index.search(box, visit, from);
  }

  /** Box of a feature, from the index. @throws RangeError when there is no such feature. */
  box(feature: number): Box {
    this.#check(feature);
    const at = this.index.leafOf(feature) * 4;
    const { boxes } = this.index;
    return [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!];
  }

  /**
   * Geometry of a feature; its box is exactly that of the index.
   * @throws DamagedFile when it cannot be read or does not fill its box, RangeError when there is no such feature.
   */
  geometry(feature: number): Geometry {
    return this.#decoded(feature, false);
  }

  /** Bytes of a feature's record. @throws RangeError when there is no such feature. */
  bytesOf(feature: number): number {
    this.#check(feature);
    return this.index.offsets[feature + 1]! - this.index.offsets[feature]!;
  }

  /** As geometry, good until another one of this file is read: to judge parcels by the thousand. */
  boundary(feature: number): Geometry {
    return this.#decoded(feature, true);
  }

  #decoded(feature: number, spare: boolean): Geometry {
    const record = this.#read(feature);
    if (this.#geometry && (spare || !this.#isSpare)) return this.#geometry;
    try {
      const geometry = record.geometry(this.#header.type, spare);
      if (!geometry) throw new RangeError('it has no geometry');
      if (!fills(geometry.xy, this.index.boxes, this.index.leafOf(feature) * 4))
        throw new RangeError('its coordinates do not fill its box in the index');
      this.#geometry = geometry;
      this.#isSpare = spare;
      return geometry;
    } catch (error) {
      throw this.undecoded(feature, error);
    }
  }

  /**
   * Values of a feature under all column names, null where it has none. Dates are YYYY-MM-DD, timestamps ISO 8601
   * UTC, integers numbers.
   * @throws DamagedFile when it cannot be read, RangeError when there is no such feature.
   */
  properties(feature: number): Record<string, Value> {
    const record = this.#read(feature);
    try {
      return this.#told(feature, record.properties());
    } catch (error) {
      throw this.undecoded(feature, error);
    }
  }

  /** Withholds columns of some rows, by 1: from then on they read as rows without a value. */
  withhold(rows: Uint8Array, columns: Iterable<string>): void {
    this.#withheld = { rows, columns: this.columnPick(columns) };
  }

  /** The rows of which columns are withheld, by 1; null where there are none. */
  get withheldRows(): Uint8Array | null {
    return this.#withheld?.rows ?? null;
  }

  /** Whether columns of a row are withheld. */
  isWithheld(feature: number): boolean {
    return this.#withheld?.rows[feature] === 1;
  }

  #told(feature: number, values: Record<string, Value>): Record<string, Value> {
    if (!this.isWithheld(feature)) return values;
    for (const place of this.#withheld!.columns.places) {
      const name = this.columns[place]!;
      if (Object.hasOwn(values, name)) values[name] = null;
    }
    return Object.assign(values, { [WITHHELD]: true });
  }

  /** Which columns a pick decodes; names that the file lacks are passed over. */
  columnPick(names: Iterable<string>): ColumnPick {
    const mask = new Uint8Array(this.columns.length);
    const places: number[] = [];
    for (const name of names) {
      const place = this.#places.get(name);
      if (place === undefined || mask[place] === 1) continue;
      mask[place] = 1;
      places.push(place);
    }
    return { mask, places: Int32Array.from(places).sort() };
  }

  /** Whether the file has a column. */
  hasColumn(name: string): boolean {
    return this.#places.has(name);
  }

  /** Number of a column in `stored`; -1 where the file lacks it. */
  placeOf(name: string): number {
    return this.#places.get(name) ?? -1;
  }

  /**
   * As properties, but only some columns (columnPick).
   * @throws as properties does.
   */
  pick(feature: number, wanted: ColumnPick): Record<string, Value> {
    const record = this.#read(feature);
    try {
      return this.#told(feature, record.pick(wanted));
    } catch (error) {
      throw this.undecoded(feature, error);
    }
  }

  /** Columns as they are stored, in their order. */
  get stored(): readonly StoredColumn[] {
    return this.#header.columns;
  }

  /**
   * Where the values of some columns stand in a feature's record, for a caller that writes them on.
   * @param at, widths as FeatureRecord.locate fills them.
   * @returns the record, good until another one of this file is read.
   * @throws DamagedFile when it cannot be read, RangeError when there is no such feature.
   */
  locate(feature: number, wanted: ColumnPick, at: Int32Array, widths: Int32Array): FeatureRecord {
    const record = this.#read(feature);
    try {
      record.locate(wanted, at, widths);
      if (this.isWithheld(feature)) for (const place of this.#withheld!.columns.places) at[place] = -1;
      return record;
    } catch (error) {
      throw this.undecoded(feature, error);
    }
  }

  /** What is thrown where a value of a located record turns out to be none. */
  undecoded(feature: number, error: unknown): DamagedFile {
    return this.#file.failed(`feature ${feature} cannot be decoded`, error);
  }

  /** Both geometry and properties with one read. */
  feature(feature: number): Feature {
    return { geometry: this.geometry(feature), properties: this.properties(feature) };
  }

  /** Releases the file; harmless when closed already. */
  close(): void {
    this.#file.close();
    this.#feature = -1;
    this.#geometry = null;
    this.#ahead = new Uint8Array(0);
    this.#aheadLength = 0;
  }

  #read(feature: number): FeatureRecord {
    this.#check(feature);
    if (this.#feature === feature) return this.#record;
    const { offsets } = this.index;
    const start = offsets[feature]!;
    const length = offsets[feature + 1]! - start;
    // Nothing is stood on should the read fail.
    this.#feature = -1;
    this.#geometry = null;
    const at = this.#reach(start, length);
    try {
      this.#record.open(this.#ahead, at, length);
    } catch (error) {
      throw this.#file.failed(`feature ${feature} is cut wrong`, error);
    }
    this.#feature = feature;
    return this.#record;
  }

  /**
   * Where a record stands in what was read ahead; where the last read was near, more than asked for is read. Good until
   * the next read.
   */
  #reach(start: number, length: number): number {
    const from = start - this.#aheadStart;
    if (from >= 0 && from + length <= this.#aheadLength) return from;
    const near = this.#aheadLength > 0 && from >= 0 && from < this.#aheadLength + NEAR_BYTES;
    const end = this.index.offsets[this.count]!;
    const wanted = near ? Math.min(Math.max(length, AHEAD_BYTES), end - start) : length;
    this.#aheadLength = 0;
    if (this.#ahead.length < wanted) this.#ahead = new Uint8Array(Math.max(wanted, AHEAD_BYTES));
    this.#file.readInto(this.#ahead, this.#dataStart + start, wanted);
    this.#aheadStart = start;
    this.#aheadLength = wanted;
    return 0;
  }

  #check(feature: number): void {
    if (!Number.isInteger(feature) || feature < 0 || feature >= this.count)
      throw new RangeError(`Feature ${feature} does not exist; expected a whole number below ${this.count}`);
  }
}

/** Whether coordinates are numbers whose box is the one that stands in `boxes` at `at`. */
function fills(xy: Float64Array, boxes: Float64Array, at: number): boolean {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (Number.isNaN(x) || Number.isNaN(y)) return false;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return minX === boxes[at] && minY === boxes[at + 1] && maxX === boxes[at + 2] && maxY === boxes[at + 3];
}
