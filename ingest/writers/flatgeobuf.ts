import { renameSync, rmSync } from 'node:fs';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { type Box, boxOf } from '../../datasets/geometry.ts';
import { FeatureEncoder } from '../../query/format/feature-encoder.ts';
import { encodeHeader, MAGIC } from '../../query/format/feature-header.ts';
import { writePackedRTree } from '../../query/format/packed-rtree.ts';
import { hilbertOf } from '../../query/geometry/hilbert.ts';
import type { OutputRow, Writer, WrittenFile } from '../writer.ts';
import { FeatureTable } from './feature-table.ts';
import { checkGeometry, checkProperties, type FeatureOptions, filledColumns } from './row.ts';
import { Scratch } from './scratch.ts';
import { Sink, syncFolder } from './sink.ts';

/** Children of a node of the index; FlatGeobuf's default. */
const NODE_SIZE = 16;
const COPY_BYTES = 4 << 20;

class FlatGeobufWriter implements Writer {
  readonly #path: string;
  readonly #options: FeatureOptions;
  readonly #encoder: FeatureEncoder;
  readonly #spool: Scratch;
  readonly #table = new FeatureTable();
  readonly #types = new Set<GeometryType>();
  readonly #box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  #part: Sink | null = null;
  #open = true;

  constructor(path: string, options: FeatureOptions) {
    this.#path = path;
    this.#options = options;
    const numbers = new Map(Object.keys(options.columns).map((name, i) => [name, i]));
    this.#encoder = new FeatureEncoder(
      filledColumns(options).map(([name, column]) => [name, column.type, numbers.get(name)!]),
    );
    this.#spool = new Scratch(`${path}.spool`);
  }

  write(row: OutputRow): void {
    if (!this.#open) throw new Error(`${this.#path} is finished or aborted; no row can be added`);
    const { geometry } = row;
    checkGeometry(geometry, this.#options.geometryType);
    checkProperties(row, this.#options);
    const bytes = this.#encoder.encode(row.properties, geometry);
    const box = boxOf(geometry);
    this.#table.add(hilbertOf((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), this.#spool.position, bytes.length, box);
    this.#spool.write(bytes);
    this.#types.add(GeometryType[geometry.type]);
    for (let i = 0; i < 2; i++) {
      if (box[i]! < this.#box[i]!) this.#box[i] = box[i]!;
      if (box[i + 2]! > this.#box[i + 2]!) this.#box[i + 2] = box[i + 2]!;
    }
  }

  async finish(): Promise<WrittenFile> {
    if (!this.#open) throw new Error(`${this.#path} is finished or aborted already`);
    this.#open = false;
    try {
      return await this.#assemble();
    } catch (error) {
      this.#discard();
      throw error;
    }
  }

  async abort(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#discard();
  }

  async #assemble(): Promise<WrittenFile> {
    const table = this.#table;
    const part = new Sink(`${this.#path}.part`);
    this.#part = part;
    const order = table.order(this.#options.order ?? 'hilbert');
    const box: Box | null = table.count ? [...this.#box] : null;
    part.write(MAGIC);
    part.write(
      encodeHeader(this.#options, {
        geometryType: this.#types.size === 1 ? [...this.#types][0]! : GeometryType.Unknown,
        count: table.count,
        box,
        // The index of an empty layer has no root, so there is none: a node size of 0 says this.
        nodeSize: table.count ? NODE_SIZE : 0,
      }),
    );
    if (table.count)
      writePackedRTree(
        table.count,
        NODE_SIZE,
        table.box,
        feature => order[feature]! * 4,
        feature => table.size[order[feature]!]!,
        node => part.write(node),
      );
    await this.#copyFeatures(order, part);
    const durable = this.#options.durable ?? true;
    part.commit(durable);
    renameSync(part.path, this.#path);
    if (durable) syncFolder(this.#path);
    this.#discard();
    return { path: this.#path, bytes: part.position, rows: table.count, box };
  }

  /** Copies the features in order. Features that are neighbours in the spool are read at once. */
  async #copyFeatures(order: Uint32Array, part: Sink): Promise<void> {
    const { offset, size } = this.#table;
    for (let i = 0; i < order.length; ) {
      const from = offset[order[i]!]!;
      let length = size[order[i]!]!;
      for (i++; i < order.length && offset[order[i]!] === from + length; i++) {
        if (length + size[order[i]!]! > COPY_BYTES) break;
        length += size[order[i]!]!;
      }
      part.write(this.#spool.read(from, length));
      // Let progress bars and signals run.
      if (i % 65_536 === 0) await new Promise(setImmediate);
    }
  }

  #discard(): void {
    this.#spool.discard();
    this.#part?.close();
    if (this.#part) rmSync(this.#part.path, { force: true });
  }
}

/**
 * Opens a FlatGeobuf 3 writer with a packed Hilbert R-tree of node size 16. It encodes features as they come and keeps them in
 * memory within a budget, then in `path + '.spool'`. Beyond the budget, memory holds 48 bytes for each feature (and 4 for
 * sorting), whatever its geometry. The same rows in the same order give the same bytes.
 *
 * Columns: string → String, number → Double, integer → Long, boolean → Bool, date and timestamp → DateTime (as
 * YYYY-MM-DD and ISO 8601 UTC; the column's metadata `{"type": …, "unit": …}` tells which). Null values are left
 * out. If a layer mixes geometry types, the header says Unknown; every feature has its own type.
 *
 * @param path of the file, which is there once finish() resolves (it writes a `.part` beside it, fsyncs and renames).
 * @param options `order` is `hilbert` on a fixed grid over the world (query/geometry/hilbert.ts), or `input` for rows that are
 *   already ordered; `geometryType` refuses rows of another kind.
 * @returns a writer. Its write() throws RowRefused for a row without a geometry, with an empty or inconsistent geometry, or
 *   with values that do not fit their columns. Such a row is not written.
 */
export async function createFlatGeobuf(path: string, options: FeatureOptions): Promise<Writer> {
  return new FlatGeobufWriter(path, options);
}
