import { join } from 'node:path';
import type { Value } from '../datasets/dataset.ts';
import type { PlaceLayer } from '../datasets/place.ts';
import { openSource } from '../ingest/format.ts';
import { compileExpression, type Properties } from './normalise.ts';
import { Misfit } from './value.ts';

/** The rows of a second file by their `key`, matched with the main row's `to`. Held whole: it is the small side of the join. */
export class Joined {
  readonly #prefix: string;
  readonly #required: boolean;
  readonly #to: (row: Properties) => Value;
  /** `several` marks a key that more than one row has: joining either would be a guess. */
  readonly #rows: ReadonlyMap<string, Properties | 'several'>;

  private constructor(
    spec: NonNullable<PlaceLayer['join']>,
    rows: ReadonlyMap<string, Properties | 'several'>,
    asOf: string,
  ) {
    this.#prefix = `${spec.prefix}.`;
    this.#required = spec.required ?? false;
    this.#to = compileExpression(spec.to, 'string', asOf);
    this.#rows = rows;
  }

  /** @throws ReadError when the file cannot be read. */
  static async load(
    spec: NonNullable<PlaceLayer['join']>,
    sources: string,
    asOf: string,
    signal?: AbortSignal,
  ): Promise<Joined> {
    const keyOf = compileExpression(spec.key, 'string', asOf);
    const source = await openSource(join(sources, spec.file), { format: spec.format, options: spec.options ?? {} });
    const rows = new Map<string, Properties | 'several'>();
    try {
      for await (const batch of source.rows(signal))
        for (const { properties } of batch) {
          const key = keyOf(properties);
          if (key === null) continue;
          const named: Properties = {};
          for (const [name, value] of Object.entries(properties)) named[`${spec.prefix}.${name}`] = value;
          rows.set(String(key), rows.has(String(key)) ? 'several' : named);
        }
    } finally {
      await source.close();
    }
    return new Joined(spec, rows, asOf);
  }

  /** Whether a column of the mapping comes from this file. */
  owns(column: string): boolean {
    return column.startsWith(this.#prefix);
  }

  /**
   * The row with the joined columns added.
   * @throws Misfit when several rows share the key, or none has it and the join is required.
   */
  extend(row: Properties): Properties {
    const key = this.#to(row);
    const match = key === null ? undefined : this.#rows.get(String(key));
    if (match === 'several') throw new Misfit(`several joined rows have the key ${key}`);
    if (match) return { ...row, ...match };
    if (this.#required) throw new Misfit(`no joined row has the key ${key ?? '(empty)'}`);
    return row;
  }
}
