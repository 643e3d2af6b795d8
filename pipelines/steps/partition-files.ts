import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TableLayer, VectorLayer } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import type { OutputRow, Writer, WrittenFile } from '../../ingest/writer.ts';
import { createFlatGeobuf } from '../../ingest/writers/flatgeobuf.ts';
import { createGeoParquet } from '../../ingest/writers/geoparquet.ts';
import type { AddressSource } from '../../query/geocode/index/address-row.ts';
import type { StagedFile } from '../../query/release/home/store.ts';
import { AddressFile } from './address-file.ts';

interface Part {
  readonly role: 'features' | 'rows' | 'addresses';
  readonly writer: Writer;
}

/**
 * The files of one partition being written: FlatGeobuf for features, Parquet for tables and scanned layers, an index
 * where the layer holds addresses.
 */
export class PartitionFiles {
  readonly #parts: readonly Part[];
  #rows = 0;

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /**
   * @param options `inputOrder` keeps the rows as they come; otherwise FlatGeobuf sorts them along a Hilbert curve; `filled`
   *   names the columns that may hold values; `addresses` reads the layer's addresses, where it has any, of the partition
   *   with that key.
   */
  static async open(
    folder: string,
    layer: VectorLayer | TableLayer,
    options: {
      readonly name: string;
      readonly inputOrder: boolean;
      readonly filled: ReadonlySet<string>;
      readonly addresses: { readonly source: AddressSource; readonly key: string } | null;
    },
  ): Promise<PartitionFiles> {
    mkdirSync(folder, { recursive: true });
    // The store waits for the disk when it adopts the files.
    const common = { name: options.name, columns: layer.columns, filled: options.filled, durable: false };
    const parts: Part[] = [];
    if (layer.kind === 'vector')
      parts.push({
        role: 'features',
        writer: await createFlatGeobuf(join(folder, 'features.fgb'), {
          ...common,
          order: options.inputOrder ? 'input' : 'hilbert',
        }),
      });
    if (layer.kind === 'table' || layer.parquet || options.inputOrder)
      parts.push({
        role: 'rows',
        writer: await createGeoParquet(join(folder, 'rows.parquet'), {
          ...common,
          geometry: layer.kind === 'vector',
          order: options.inputOrder ? 'input' : 'hilbert',
        }),
      });
    if (options.addresses)
      parts.push({
        role: 'addresses',
        writer: new AddressFile(join(folder, 'addresses.adr'), options.addresses.source, options.addresses.key),
      });
    return new PartitionFiles(parts);
  }

  async write(row: OutputRow): Promise<void> {
    this.#rows++;
    for (const { writer } of this.#parts) {
      const pending = writer.write(row);
      if (pending) await pending;
    }
  }

  /** @throws Error when a writer holds another number of rows than it was given. */
  async finish(): Promise<{ rows: number; box: Box | null; files: StagedFile[] }> {
    const files: StagedFile[] = [];
    let box: Box | null = null;
    // The Parquet file is written outside the JavaScript thread, so it begins first; one failure must not leave the other behind.
    const pending = this.#parts.toReversed().map(({ writer }) => writer.finish());
    const settled = (await Promise.allSettled(pending)).reverse();
    for (const [i, { role }] of this.#parts.entries()) {
      const outcome = settled[i]!;
      if (outcome.status === 'rejected') throw outcome.reason;
      const written: WrittenFile = outcome.value;
      if (written.rows !== this.#rows)
        throw new Error(`${written.path}: ${this.#rows} rows were given to the writer, it wrote ${written.rows}`);
      box ??= written.box;
      files.push({ role, path: written.path, rows: written.rows });
    }
    return { rows: this.#rows, box, files };
  }

  async abort(): Promise<void> {
    for (const { writer } of this.#parts) await writer.abort().catch(() => {});
  }
}
