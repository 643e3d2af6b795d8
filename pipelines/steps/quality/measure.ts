import type { Column, Value } from '../../../datasets/dataset.ts';
import type { Box, Geometry } from '../../../datasets/geometry.ts';
import type { LayerQuality, Placed } from '../../../datasets/release.ts';
import { Locator } from './location.ts';
import { Tally } from './tally.ts';

/** Examples of possible faults in the rows of a file, by measure. It is plain data, because a thread sends it. */
export type Examples = Readonly<Record<string, readonly string[]>>;

const EXAMPLES = 5;
/** Most kinds of rejection that are counted separately. */
const KINDS = 20;

/** Returns the kind of a rejection: its reason without values. */
const kindOf = (reason: string) => reason.replace(/"[^"]*"/g, '"…"').replace(/-?\d+(\.\d+)?/g, '#');

const nonZero = (counts: ReadonlyMap<string, number>) => Object.fromEntries([...counts].filter(([, n]) => n > 0));

/** Where the features of a layer are expected. */
export interface Whereabouts {
  /** lng,lat box; null if none is known. */
  readonly ground: { readonly of: NonNullable<Placed['within']>; readonly box: Box } | null;
  readonly metres: number;
  /** False for layers that are stored for the whole country. */
  readonly local: boolean;
}

/** Measures the rows of one file while they are read. */
export class Measure {
  readonly #columns: readonly { readonly name: string; readonly values: ReadonlySet<Value> | null }[];
  readonly #nulls: number[];
  readonly #unlisted: Map<string, number>;
  readonly #tallies = new Map<string, Tally>();
  readonly #locator: Locator | null;
  readonly #within: Placed['within'];
  readonly #examples = new Map<string, string[]>();
  readonly #reasons = new Map<string, { rows: number; readonly first: string }>();
  #rows = 0;

  /**
   * @param mapped names of the columns that the place maps, @param columns the layer's.
   * @param where null for a table; else where features are expected (null where that is nowhere in particular), the metres
   *   that they may lie beyond it, and whether the layer is cut by places at all.
   */
  constructor(mapped: readonly string[], columns: Readonly<Record<string, Column>>, where: Whereabouts | null) {
    this.#columns = mapped
      .filter(name => Object.hasOwn(columns, name))
      .map(name => ({ name, values: columns[name]!.values ? new Set<Value>(columns[name]!.values) : null }));
    this.#nulls = this.#columns.map(() => 0);
    this.#unlisted = new Map(this.#columns.filter(c => c.values).map(c => [c.name, 0]));
    this.#locator = where && new Locator(where.ground?.box ?? null, where.metres);
    this.#within = where?.local ? (where.ground?.of ?? 'country') : undefined;
  }

  /** Returns the tally of a mapped column, or of the join with this prefix. */
  tallyOf(name: string): Tally {
    let tally = this.#tallies.get(name);
    if (!tally) {
      tally = new Tally();
      this.#tallies.set(name, tally);
    }
    return tally;
  }

  /** Counts a row that is kept, in the normal schema. */
  row(number: number, values: Readonly<Record<string, Value>>): void {
    this.#rows++;
    for (let i = 0; i < this.#columns.length; i++) {
      const { name, values: list } = this.#columns[i]!;
      const value = values[name] ?? null;
      if (value === null) this.#nulls[i]!++;
      else if (list && !list.has(value)) {
        this.#unlisted.set(name, this.#unlisted.get(name)! + 1);
        this.#example(`unlisted/${name}`, `${JSON.stringify(value)} in row ${number}`);
      }
    }
  }

  /** Counts a projected geometry before its validity is checked; lng,lat degrees if the CRS is right. */
  place(number: number, geometry: Geometry): void {
    if (geometry.xy.length === 0) return;
    const kind = this.#locator?.add(geometry) ?? 'inside';
    if (kind === 'inside') return;
    const [x, y] = [geometry.xy[0]!, geometry.xy[1]!].map(v => Number(v.toFixed(5)));
    this.#example(kind === 'outside' ? 'outside' : 'crs', `row ${number} at ${x} ${y}`);
  }

  rejected(number: number, reason: string): void {
    const kind = kindOf(reason);
    const counted = this.#reasons.get(kind);
    if (counted) counted.rows++;
    else if (this.#reasons.size < KINDS) this.#reasons.set(kind, { rows: 1, first: `row ${number}: ${reason}` });
  }

  #example(measure: string, text: string): void {
    const list = this.#examples.get(measure) ?? [];
    if (list.length < EXAMPLES) this.#examples.set(measure, [...list, text]);
  }

  get placed(): LayerQuality['placed'] {
    if (!this.#locator) return null;
    const { placed } = this.#locator;
    return this.#within ? { ...placed, within: this.#within } : placed;
  }

  /** Returns a few rows or values with possible faults, by measure, such as `rejected` or `nulls/apn`. */
  examples(): Examples {
    const reasons = [...this.#reasons.values()].sort((a, b) => b.rows - a.rows).slice(0, EXAMPLES);
    const examples: Record<string, readonly string[]> = Object.fromEntries(this.#examples);
    if (reasons.length > 0)
      examples.rejected = reasons.map(r => (r.rows > 1 ? `${r.first} (${r.rows} rows alike)` : r.first));
    for (const [name, tally] of this.#tallies) {
      const misses = tally.misses().slice(0, EXAMPLES);
      if (misses.length > 0)
        examples[`hits/${name}`] = misses.map(([value, rows]) => `${JSON.stringify(value)} in ${rows} rows`);
    }
    return examples;
  }

  /** Returns the measures. @param vintage of the file, as the place states it. */
  quality(vintage: string): LayerQuality {
    const lookups = [...this.#tallies].filter(([, tally]) => tally.lookups > 0);
    return {
      vintage,
      rows: this.#rows,
      nulls: Object.fromEntries(this.#columns.map(({ name }, i) => [name, this.#nulls[i]!])),
      hits: Object.fromEntries(lookups.map(([name, tally]) => [name, [tally.lookups, tally.found] as const])),
      blanks: nonZero(new Map([...this.#tallies].map(([name, tally]) => [name, tally.blanks]))),
      unlisted: nonZero(this.#unlisted),
      placed: this.placed,
    };
  }
}
