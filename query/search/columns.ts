import { PARCEL_ATTRIBUTES } from '../../datasets/parcel-attributes.ts';
import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import type { Cache } from '../cache.ts';
import { Fault } from '../fault.ts';
import type { Layers } from '../layer.ts';
import { requireUnchanged, verify } from '../verified-file.ts';
import { ACRE_M2 } from './acre.ts';
import type { Test } from './filter.ts';
import { ColumnBuilder, type HeldColumn } from './held-column.ts';
import { PARCEL_AREA } from './name.ts';
import { chunks } from './scan.ts';
import { selectColumn } from './sql.ts';

/** Columns of one county's parcels, read from Parquet once and then held in memory, least recently used ones let go. */
export class Columns {
  readonly #layers: Layers;
  readonly #cache: Cache;
  readonly #partition: Partition;
  readonly #count: number;
  readonly #check: () => void;

  /** @param check throws when the search must stop. */
  constructor(layers: Layers, partition: Partition, count: number, check: () => void) {
    this.#layers = layers;
    this.#cache = layers.cache;
    this.#partition = partition;
    this.#count = count;
    this.#check = check;
  }

  /** Path of the county's Parquet file. @throws Fault as `verify` does. */
  async rows(): Promise<string> {
    return (await verify(this.#layers.release, this.#layers.file(this.#partition, 'rows'))).path;
  }

  /**
   * The column that a test compares.
   * @throws Fault when its file is missing or damaged; what `check` throws.
   */
  held({ name, kind }: Pick<Test, 'name' | 'kind'>): Promise<HeldColumn> {
    const file = this.#layers.file(this.#partition, 'rows');
    if (name === PARCEL_AREA) return this.#load(file, 'acreage', 'number', acres => Number(acres) * ACRE_M2, name);
    if (!Object.hasOwn(PARCEL_ATTRIBUTES, name)) throw new Fault(`no column of ${name} was built`);
    return this.#load(file, name, kind);
  }

  async #load(
    file: ReleaseFile,
    column: string,
    kind: Test['kind'],
    convert: ((value: unknown) => number) | null = null,
    name = column,
  ): Promise<HeldColumn> {
    const at = await verify(this.#layers.release, file);
    const key = `column ${at.id} ${name} ${kind}`;
    const known = this.#cache.get(key) as HeldColumn | undefined;
    if (known) return known;
    const builder = new ColumnBuilder(kind, this.#count);
    for await (const chunk of chunks(selectColumn(at.path, column, kind, null), this.#check)) {
      const ords = chunk.getColumnValues(0) as number[];
      const values = chunk.getColumnValues(1);
      for (let i = 0; i < ords.length; i++) {
        if (ords[i] !== builder.length) throw new Fault('the rows of a parcel file do not stand in their stored order');
        const value = values[i] ?? null;
        builder.add(convert && value !== null ? convert(value) : value);
      }
    }
    requireUnchanged(file, at);
    if (builder.length !== this.#count)
      throw new Fault(`a parcel rows file holds ${builder.length} rows, its features file ${this.#count}`);
    const held = builder.finish();
    this.#cache.set(key, held, held.bytes);
    return held;
  }
}
