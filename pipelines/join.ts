import { join } from 'node:path';
import type { Value } from '../datasets/dataset.ts';
import { type Join, joinsOf, type PlaceLayer } from '../datasets/place.ts';
import { openSource } from '../ingest/format.ts';
import { ReadError } from '../ingest/reader.ts';
import { columnsOfExpression, compileExpression, type Properties, scalar } from './normalise.ts';
import type { Tally } from './quality/tally.ts';
import { Misfit } from './value.ts';

/** A published number, also one that is published as text; null where there is none. */
function numberOf(row: Properties, column: string): number | null {
  const value = scalar(row[column], column);
  const number = value === null ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Which of two rows that share a key is taken: more than 0 for the first. */
function compare(a: Properties, b: Properties, { of, ties }: NonNullable<Join['greatest']>): number {
  const [x, y] = [numberOf(a, of) ?? -Infinity, numberOf(b, of) ?? -Infinity];
  if (x !== y) return x - y;
  const [p, q] = [numberOf(a, ties), numberOf(b, ties)];
  if (p !== null && q !== null) return q - p;
  return String(b[ties]) < String(a[ties]) ? -1 : 1;
}

/** The slices of one key as one row that holds the mean alone; null where no slice within the depths has a value. */
function meanOf(rows: readonly Properties[], { value, top, bottom, within }: NonNullable<Join['mean']>): Properties {
  let weight = 0;
  let sum = 0;
  for (const row of rows) {
    const [from, to, held] = [numberOf(row, top), numberOf(row, bottom), numberOf(row, value)];
    if (from === null || to === null || held === null) continue;
    const part = Math.min(to, within[1]) - Math.max(from, within[0]);
    if (part <= 0) continue;
    weight += part;
    sum += part * held;
  }
  return { [value]: weight > 0 ? sum / weight : null };
}

/** The row that joins of those that share a key; `several` where taking one would be a guess. */
function oneOf(rows: readonly Properties[], { greatest, mean }: Join): Properties | 'several' {
  if (mean) return meanOf(rows, mean);
  if (greatest) return rows.reduce((best, row) => (compare(row, best, greatest) > 0 ? row : best));
  return rows.length === 1 ? rows[0]! : 'several';
}

/** Columns of a joined file that its join and the mapping read. @param needed source columns that the mapping reads. */
export function columnsOfJoin({ prefix, key, greatest, mean }: Join, needed: readonly string[]): string[] {
  const read = needed.filter(name => name.startsWith(`${prefix}.`)).map(name => name.slice(prefix.length + 1));
  read.push(...columnsOfExpression(key));
  if (greatest) read.push(greatest.of, greatest.ties);
  if (mean) read.push(mean.value, mean.top, mean.bottom);
  return [...new Set(read)];
}

/** The rows of a second file by their `key`, matched with the main row's `to`. Held whole: it is the small side of the join. */
class Joined {
  readonly #spec: Join;
  readonly #to: (row: Properties) => Value;
  readonly #rows: ReadonlyMap<string, Properties | 'several'>;
  /** Of the header or, where there is none, of its rows; null when there are neither. */
  readonly #columns: ReadonlySet<string> | null;
  readonly #tally: Tally | undefined;

  private constructor(
    spec: Join,
    rows: ReadonlyMap<string, Properties | 'several'>,
    columns: ReadonlySet<string> | null,
    asOf: string,
    tally: Tally | undefined,
  ) {
    this.#spec = spec;
    this.#tally = tally;
    this.#rows = rows;
    this.#columns = columns;
    this.#to = compileExpression(spec.to, 'string', asOf);
  }

  /** @throws ReadError when the file cannot be read. */
  static async load(spec: Join, sources: string, asOf: string, signal?: AbortSignal, tally?: Tally): Promise<Joined> {
    const keyOf = compileExpression(spec.key, 'string', asOf);
    const source = await openSource(join(sources, spec.file), { format: spec.format, options: spec.options ?? {} });
    const known = new Set(source.columns);
    const headless = known.size === 0;
    const groups = new Map<string, Properties[]>();
    try {
      for await (const batch of source.rows(signal))
        for (const { properties } of batch) {
          if (headless) for (const name of Object.keys(properties)) known.add(name);
          const key = keyOf(properties);
          if (key === null) continue;
          const group = groups.get(String(key));
          if (group) group.push(properties);
          else groups.set(String(key), [properties]);
        }
    } finally {
      await source.close();
    }
    const rows = new Map<string, Properties | 'several'>();
    for (const [key, group] of groups) {
      const one = oneOf(group, spec);
      if (one === 'several') rows.set(key, one);
      else
        rows.set(
          key,
          Object.fromEntries(Object.entries(one).map(([name, value]) => [`${spec.prefix}.${name}`, value])),
        );
    }
    return new Joined(spec, rows, known.size > 0 ? known : null, asOf, tally);
  }

  owns(column: string): boolean {
    return column.startsWith(`${this.#spec.prefix}.`);
  }

  /** @throws ReadError when the file lacks one of its columns that the mapping or the join reads. */
  require(columns: readonly string[]): void {
    const { file } = this.#spec;
    const known = this.#columns;
    const missing = known ? columnsOfJoin(this.#spec, columns).filter(name => !known.has(name)) : [];
    if (missing.length > 0)
      throw new ReadError(
        'column_missing',
        file,
        null,
        `no column ${missing.join(', ')}; the file has ${[...known!].join(', ')}`,
      );
  }

  extend(row: Properties): Properties {
    const key = this.#to(row);
    const match = key === null ? undefined : this.#rows.get(String(key));
    if (key !== null) this.#tally?.count(key, match !== undefined);
    if (match === 'several') throw new Misfit(`several joined rows have the key ${key}`);
    if (match) return { ...row, ...match };
    if (this.#spec.required) throw new Misfit(`no joined row has the key ${key ?? '(empty)'}`);
    return row;
  }
}

/** The files that are joined to those of a layer. */
export class Joins {
  readonly #joins: readonly Joined[];

  private constructor(joins: readonly Joined[]) {
    this.#joins = joins;
  }

  /**
   * @param columns source columns that the mapping reads.
   * @param tallyOf counts by prefix for how many of the rows that have a key something joins.
   * @throws ReadError when a file cannot be read or lacks one of them.
   */
  static async load(
    layer: Pick<PlaceLayer, 'join'>,
    columns: readonly string[],
    sources: string,
    asOf: string,
    signal?: AbortSignal,
    tallyOf?: (prefix: string) => Tally,
  ): Promise<Joins> {
    const joins: Joined[] = [];
    for (const spec of joinsOf(layer)) {
      const joined = await Joined.load(spec, sources, asOf, signal, tallyOf?.(spec.prefix));
      joined.require(columns);
      joins.push(joined);
    }
    return new Joins(joins);
  }

  /** Whether a column of the mapping comes from one of the files. */
  owns(column: string): boolean {
    return this.#joins.some(joined => joined.owns(column));
  }

  /**
   * The row with the joined columns added.
   * @throws Misfit when several rows share the key and no rule tells which is taken, or none has it and the join is required.
   */
  extend(row: Properties): Properties {
    return this.#joins.reduce((extended, joined) => joined.extend(extended), row);
  }
}
