import type { Catalog } from '../../../datasets/catalog.ts';
import { Calculated } from '../../parcel/calculated-values.ts';
import type { Layers } from '../../release/layers.ts';
import { lacksRows } from '../../release/pack/pack.ts';
import { firstFrom } from '../columns/ascending.ts';
import { Columns, isMissing } from '../columns/columns.ts';
import { type HeldColumn, hashOf, MOST_HASHED } from '../columns/held-column.ts';
import { boxesOf, commonBox } from '../predicate/candidates.ts';
import { type County, countiesAbout, countiesOf } from '../predicate/counties.ts';
import { FIPS, type PreparedTest, type Test, testsWithin } from '../request/filter.ts';

/** What the filters of a search that found all there is could not tell: nobody shall take it for a finding. */
export type Notice =
  /** The release has no parcels of any county that the filters leave. */
  | { readonly kind: 'no_county' }
  /** The calculation was not carried out for the parcels of a county that was searched: whether they pass is not known. */
  | { readonly kind: 'not_calculated'; readonly name: string }
  /** No parcel of the counties that were searched, by FIPS code, has a value of the column. */
  | { readonly kind: 'no_value'; readonly name: string; readonly counties: readonly string[] }
  /** A text that no parcel has where it was searched, and the one that differs from it by case only. */
  | { readonly kind: 'no_such_value'; readonly name: string; readonly value: string; readonly but: string | null };

/** Counties up to which columns are read that the search itself did not need. */
const MOST_COUNTIES = 64;
/** Notices of one search at most. */
const MOST_NOTICES = 8;

const isText = ({ kind, op }: Test): boolean =>
  (kind === 'string' || kind === 'city' || kind === 'county') && (op === 'eq' || op === 'ne' || op === 'in');

/** The values of a column of one county as notices ask for them. */
class ColumnValues {
  readonly #column: HeldColumn;
  readonly #valueAt: (row: number) => unknown;

  constructor(column: HeldColumn, valueAt: (row: number) => unknown) {
    this.#column = column;
    this.#valueAt = valueAt;
  }

  /** Whether no row has a value; one that could not be computed may be any. */
  get isEmpty(): boolean {
    const column = this.#column;
    if (column.failed) return false;
    if (column.form === 'numbers') return column.least.every(value => value === Number.POSITIVE_INFINITY);
    return column.form === 'codes' ? column.dictionary.length === 1 : column.keys.length === 0;
  }

  has(text: string): boolean {
    const column = this.#column;
    if (column.failed || column.form === 'numbers') return true;
    return column.form === 'codes' ? column.dictionary.includes(text) : this.#hashed(text);
  }

  /** A value that differs by case only. Of many values only those all in one case, or with capitals, are looked for. */
  otherCase(text: string): string | null {
    const column = this.#column;
    const lower = text.toLowerCase();
    if (column.form === 'codes') {
      const differs = (value: unknown) =>
        typeof value === 'string' && value.length === text.length && value.toLowerCase() === lower;
      return (column.dictionary.find(differs) as string | undefined) ?? null;
    }
    const titled = lower.replace(/\b\p{L}/gu, letter => letter.toUpperCase());
    return [text.toUpperCase(), lower, titled].find(other => other !== text && this.has(other)) ?? null;
  }

  /** Equal hashes are not equal texts: the row has the last word. */
  #hashed(text: string): boolean {
    const { keys } = this.#column as Extract<HeldColumn, { form: 'hashes' }>;
    const first = hashOf(text) * MOST_HASHED;
    for (let i = firstFrom(keys, first); i < keys.length && keys[i]! < first + MOST_HASHED; i++)
      if (this.#valueAt(keys[i]! - first) === text) return true;
    return false;
  }
}

/** What notices are found with. */
interface NoticeGround {
  readonly layers: Layers;
  readonly catalog: Catalog;
  readonly tests: readonly Test[];
  /** The areas of the search, sound. */
  readonly areas: readonly PreparedTest[];
  /** Whether the walk has no match at all, as far as this page knows. */
  readonly empty: boolean;
  /** Whether columns may be read; otherwise those in memory must do. */
  readonly reads: boolean;
  /** Gets the columns that are looked at. */
  readonly used: Map<string, HeldColumn> | null;
  readonly check: () => void;
}

/**
 * Finds what a search that has come to its end must say of its filters. Columns are looked at by whole counties, so a value that
 * occurs only elsewhere in the county is not told.
 * @returns null where a column is not in memory and may not be read.
 * @throws Fault or DamagedFile when a column cannot be read; what `check` throws.
 */
export async function findNotices(ground: NoticeGround): Promise<readonly Notice[] | null> {
  const { layers, tests, areas, empty } = ground;
  const telling = tests.filter(test => empty || (isText(test) && test.op !== 'eq'));
  const box = commonBox(boxesOf(areas));
  const all = countiesOf(layers.release).filter(({ partition }) => !lacksRows(layers.release, partition));
  const searched = (box ? countiesAbout(all, box) : all).flatMap(county => {
    const within = testsWithin(tests, county);
    return within ? [{ county, within, left: testsWithin(telling, county) ?? [] }] : [];
  });
  const unknown = new Set(
    searched.flatMap(({ county: { partition }, within }) => {
      const calculated = new Calculated(layers, ground.catalog, partition);
      return within.filter(({ name }) => isMissing(calculated, name)).map(({ name }) => name);
    }),
  );
  const notices: Notice[] = [...unknown].map(name => ({ kind: 'not_calculated', name }));
  if (!telling.length) return notices;
  if (!searched.length) return empty && all.length && !box ? [{ kind: 'no_county' }] : [];
  if (searched.length > MOST_COUNTIES) return notices.slice(0, MOST_NOTICES);
  const columns = new Map<string, { readonly test: Test; readonly values: ColumnValues[] }>();
  for (const { county, left } of searched)
    for (const test of left) {
      const values = await valuesIn(ground, county, test);
      if (values === undefined) return null;
      const key = `${test.name} ${test.kind}`;
      const column = columns.get(key) ?? { test, values: [] };
      columns.set(key, column);
      if (values) column.values.push(values);
    }
  for (const { test, values } of columns.values()) {
    const { name, kind } = test;
    if (values.every(column => column.isEmpty)) {
      if (empty) notices.push({ kind: 'no_value', name, counties: searched.map(({ county }) => county.fips) });
      continue;
    }
    for (const text of textsOf(telling, test)) {
      if (values.some(column => column.has(text))) continue;
      const but = kind === 'string' ? values.map(column => column.otherCase(text)).find(other => other !== null) : null;
      notices.push({ kind: 'no_such_value', name, value: text, but: but ?? null });
    }
  }
  return notices.slice(0, MOST_NOTICES);
}

/** The texts that tests compare one column with, each once. */
const textsOf = (tests: readonly Test[], { name, kind }: Test): ReadonlySet<string> =>
  new Set(
    tests
      .filter(test => test.name === name && test.kind === kind && isText(test))
      .flatMap(({ operands }) => operands.map(String))
      .filter(text => kind !== 'county' || !FIPS.test(text)),
  );

/** The column of a county; null where it has none, undefined where it is not in memory. */
async function valuesIn(
  { layers, catalog, reads, used, check }: NoticeGround,
  { partition }: County,
  test: Test,
): Promise<ColumnValues | null | undefined> {
  check();
  const parcels = (reads ? await layers.features(partition) : layers.featuresIfOpen(partition))?.file;
  if (!parcels) return undefined;
  const columns = new Columns(
    layers,
    new Calculated(layers, catalog, partition),
    partition,
    parcels.count,
    check,
    used,
  );
  if (!columns.has(test.name, parcels)) return null;
  const column = columns.heldAlready(test) ?? (reads ? await columns.held(test) : null);
  return column ? new ColumnValues(column, columns.reader(test.name, parcels)) : undefined;
}
