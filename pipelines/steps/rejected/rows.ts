import type { Column, Value } from '../../../datasets/dataset.ts';
import { type Box, boxOf, type Geometry, union } from '../../../datasets/geometry.ts';
import type { Writer } from '../../../ingest/writer.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';

/** Where rows without a usable geometry stand. */
const NOWHERE: Geometry = {
  type: 'Point',
  xy: Float64Array.of(0, 0),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
};

/** Writes rows that stand beside the partition of a layer to a FlatGeobuf of their own, made with the first of them. */
export class RowsBeside {
  readonly #path: string;
  readonly #role: 'rejected' | 'ground';
  readonly #name: string;
  readonly #columns: Readonly<Record<string, Column>>;
  #writer: Writer | null = null;
  /** Of the rows whose ground is known. */
  #box: Box | null = null;

  constructor(path: string, role: 'rejected' | 'ground', name: string, columns: Readonly<Record<string, Column>>) {
    this.#path = path;
    this.#role = role;
    this.#name = name;
    this.#columns = columns;
  }

  /** @param geometry the ground that the row may concern; null where nobody can tell. */
  async add(properties: Readonly<Record<string, Value>>, geometry: Geometry | null): Promise<void> {
    const options = { name: this.#name, columns: this.#columns, durable: false };
    if (geometry) this.#box = union(this.#box, boxOf(geometry));
    this.#writer ??= await createFlatGeobuf(this.#path, options);
    await this.#writer.write({ geometry: geometry ?? NOWHERE, properties });
  }

  /** @returns null where there was no row. */
  async finish(): Promise<StagedFile | null> {
    if (!this.#writer) return null;
    const { path, rows } = await this.#writer.finish();
    return { role: this.#role, path, rows, box: this.#box };
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }
}
