import type { Column } from '../../../datasets/dataset.ts';
import { type Box, boxOf, type Geometry, union } from '../../../datasets/geometry.ts';
import type { Writer } from '../../../ingest/writer.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { REJECTED_COLUMNS } from '../../../query/evaluate/rejected/columns.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import type { Reject, RejectedRow } from './reject.ts';

/** Where rows without a usable geometry stand. */
const NOWHERE: Geometry = {
  type: 'Point',
  xy: Float64Array.of(0, 0),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
};

/** Writes the rejected rows of a layer to a FlatGeobuf of its own, made with the first of them. */
export class RejectedRows {
  readonly #path: string;
  readonly #name: string;
  readonly #columns: Readonly<Record<string, Column>>;
  #writer: Writer | null = null;
  /** Of the rows whose ground is known. */
  #box: Box | null = null;

  constructor(path: string, name: string, columns: Readonly<Record<string, Column>>) {
    this.#path = path;
    this.#name = name;
    this.#columns = { ...columns, ...REJECTED_COLUMNS };
  }

  /** @param row whose geometry is the ground that it may concern; null where nobody can tell. */
  async add({ file, row, reason }: Pick<Reject, 'file' | 'row' | 'reason'>, kept: RejectedRow): Promise<void> {
    const options = { name: this.#name, columns: this.#columns, durable: false };
    if (kept.geometry) this.#box = union(this.#box, boxOf(kept.geometry));
    this.#writer ??= await createFlatGeobuf(this.#path, options);
    await this.#writer.write({
      geometry: kept.geometry ?? NOWHERE,
      properties: {
        ...kept.properties,
        rejected_file: file,
        rejected_row: row,
        rejected_reason: reason,
        rejected_located: kept.geometry !== null,
        rejected_complete: kept.complete,
      },
    });
  }

  /** @returns null where no row was rejected. */
  async finish(): Promise<StagedFile | null> {
    if (!this.#writer) return null;
    const { path, rows } = await this.#writer.finish();
    return { role: 'rejected', path, rows, box: this.#box };
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }
}
