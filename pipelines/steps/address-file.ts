import { rmSync, writeFileSync } from 'node:fs';
import type { OutputRow, Writer, WrittenFile } from '../../ingest/writer.ts';
import { AddressIndexBuilder } from '../../query/geocode/index/address-index-builder.ts';
import { whereOf } from '../../query/geocode/index/address-partition.ts';
import type { AddressSource } from '../../query/geocode/index/address-row.ts';

/** Writes the address index of a partition beside its features (docs/geocoding.md). */
export class AddressFile implements Writer {
  readonly #path: string;
  readonly #source: AddressSource;
  readonly #builder: AddressIndexBuilder;
  #rows = 0;

  /** @param partition key of the partition, `ME` or `ME/23019`. */
  constructor(path: string, source: AddressSource, partition: string) {
    this.#path = path;
    this.#source = source;
    this.#builder = new AddressIndexBuilder(whereOf(partition));
  }

  write({ properties, geometry }: OutputRow): void {
    this.#rows++;
    if (!geometry) return;
    const { points, segments } = this.#source.rows(properties, geometry);
    for (const point of points) this.#builder.add(point);
    for (const segment of segments) this.#builder.addSegment(segment);
  }

  /** Finishes the file. Its number of rows counts rows without an address too, because the store compares it with the features. */
  async finish(): Promise<WrittenFile> {
    const bytes = this.#builder.finish();
    writeFileSync(this.#path, bytes);
    return { path: this.#path, bytes: bytes.length, rows: this.#rows, box: null };
  }

  async abort(): Promise<void> {
    rmSync(this.#path, { force: true });
  }
}
