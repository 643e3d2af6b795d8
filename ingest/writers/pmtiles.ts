import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import type { Box } from '../../datasets/geometry.ts';
import { Sink } from './sink.ts';

const HEADER_BYTES = 127;
/** The root directory must end before this byte, so that readers get it with the header. Here the tiles begin. */
const HEAD_BYTES = 16_384;
/** Entries of a directory below the root. With more of them the root stays small: it has room for 100 million tiles and more. */
const LEAF_ENTRIES = 32_768;

const GZIP = 2;
const MVT = 1;

/** An entry of a directory: a tile (run 1) or a leaf directory (run 0). */
interface Entry {
  readonly id: number;
  readonly run: 0 | 1;
  readonly offset: number;
  readonly length: number;
}

/** What the header and the metadata of an archive say of its tiles. */
export interface TilesAbout {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Degrees; null when there are no tiles. */
  readonly box: Box | null;
  /** The metadata: JSON, with `vector_layers` as TileJSON has them. */
  readonly metadata: object;
}

/** A directory in gzip: numbers of entries, differences of ids, runs, lengths, offsets. */
function directory(entries: readonly Entry[]): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeVarint(entries.length);
  for (const [i, { id }] of entries.entries()) pbf.writeVarint(id - (entries[i - 1]?.id ?? 0));
  for (const { run } of entries) pbf.writeVarint(run);
  for (const { length } of entries) pbf.writeVarint(length);
  for (const [i, { offset }] of entries.entries()) {
    const last = entries[i - 1];
    pbf.writeVarint(last && offset === last.offset + last.length ? 0 : offset + 1);
  }
  return gzipSync(pbf.finish());
}

/**
 * Writes a PMTiles archive, version 3 of its specification: vector tiles in gzip, in the order of their ids (clustered). The same
 * tiles make the same bytes with one version of zlib. Tiles that are alike are stored each: storing them once saved 2 % of a city.
 */
export class PmtilesWriter {
  readonly #sink: Sink;
  readonly #leaves: Uint8Array[] = [];
  /** Of the root, when there are leaves. */
  readonly #pointers: Entry[] = [];
  #entries: Entry[] = [];
  #leafBytes = 0;
  #dataBytes = 0;
  #tiles = 0;

  constructor(path: string) {
    this.#sink = new Sink(path);
    this.#sink.write(new Uint8Array(HEAD_BYTES));
  }

  /** Adds a tile. @param id along the Hilbert curves of all zooms, greater than the one before. @param bytes in gzip. */
  add(id: number, bytes: Uint8Array): void {
    if (this.#entries.length === LEAF_ENTRIES) this.#closeLeaf();
    this.#entries.push({ id, run: 1, offset: this.#dataBytes, length: bytes.length });
    this.#sink.write(bytes);
    this.#dataBytes += bytes.length;
    this.#tiles++;
  }

  /** Writes the directories and the header, and closes the file. @returns the number of tiles. */
  finish({ minZoom, maxZoom, box, metadata }: TilesAbout): number {
    if (this.#leaves.length > 0 && this.#entries.length > 0) this.#closeLeaf();
    let root = directory(this.#leaves.length > 0 ? this.#pointers : this.#entries);
    if (this.#leaves.length === 0 && root.length > HEAD_BYTES - HEADER_BYTES) {
      this.#closeLeaf();
      root = directory(this.#pointers);
    }
    if (root.length > HEAD_BYTES - HEADER_BYTES)
      throw new RangeError(`${this.#tiles} tiles are too many for one archive`);
    const about = gzipSync(JSON.stringify(metadata));
    const aboutAt = HEAD_BYTES + this.#dataBytes;
    this.#sink.write(about);
    for (const leaf of this.#leaves) this.#sink.write(leaf);
    this.#sink.commit(false);
    const head = Buffer.alloc(HEADER_BYTES);
    head.write('PMTiles', 0, 'latin1');
    head.writeUInt8(3, 7);
    const numbers = [
      ...[HEADER_BYTES, root.length],
      ...[aboutAt, about.length],
      ...[aboutAt + about.length, this.#leafBytes],
      ...[HEAD_BYTES, this.#dataBytes],
      // Addressed tiles, entries, contents.
      ...[this.#tiles, this.#tiles, this.#tiles],
    ];
    for (const [i, number] of numbers.entries()) head.writeBigUInt64LE(BigInt(number), 8 + 8 * i);
    for (const [i, byte] of [1, GZIP, GZIP, MVT, minZoom, maxZoom].entries()) head.writeUInt8(byte, 96 + i);
    const [west, south, east, north] = box ?? [0, 0, 0, 0];
    const degrees = (value: number, at: number) => head.writeInt32LE(Math.round(value * 1e7), at);
    for (const [i, value] of [west, south, east, north].entries()) degrees(value, 102 + 4 * i);
    head.writeUInt8(minZoom, 118);
    degrees((west + east) / 2, 119);
    degrees((south + north) / 2, 123);
    const file = openSync(this.#sink.path, 'r+');
    try {
      writeSync(file, head, 0, head.length, 0);
      writeSync(file, root, 0, root.length, HEADER_BYTES);
    } finally {
      closeSync(file);
    }
    return this.#tiles;
  }

  /** Closes the file, finished or not. */
  close(): void {
    this.#sink.close();
  }

  #closeLeaf(): void {
    const leaf = directory(this.#entries);
    this.#leaves.push(leaf);
    this.#pointers.push({ id: this.#entries[0]!.id, run: 0, offset: this.#leafBytes, length: leaf.length });
    this.#leafBytes += leaf.length;
    this.#entries = [];
  }
}
