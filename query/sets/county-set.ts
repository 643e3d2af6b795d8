import { acresApart, DISAGREEING } from '../../datasets/parcel/disagreement.ts';
import type { ColumnPick } from '../format/column-pick.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import { parcelId } from '../format/parcel-id.ts';
import { sharedBytes, sharedWords } from '../format/shared-memory.ts';
import { Calculated } from '../parcel/calculated-values.ts';
import type { Features } from '../release/features.ts';
import { partsOf } from '../release/part.ts';
import { Columns } from '../search/columns/columns.ts';
import { type HeldCodes, type HeldColumn, unknownColumn } from '../search/columns/held-column.ts';
import { holds } from '../search/page/page-search.ts';
import type { MatchSource } from '../search/page/page-writer.ts';
import type { County } from '../search/predicate/counties.ts';
import { rowTest } from '../search/predicate/row-tests.ts';
import type { PreparedTest, Test } from '../search/request/filter.ts';
import { numbersOf, TextNumbers } from './column-values.ts';
import { OutlineGround } from './ground/outline-ground.ts';
import type { SetGround } from './ground/set-ground.ts';
import { RowBits } from './row-bits.ts';
import { type RowStates, statesOfTest, statesOfValue } from './row-states.ts';
import { isArea, isValueTest, type SetFilter, type ValueTest, valueOfCounty } from './set-filter.ts';

/** Candidates of an area that are judged between two steps. */
const STEP = 64;

/** A column of which every row has the same text. */
function constantColumn(value: string, count: number): HeldColumn {
  const codes = sharedBytes(count).fill(1);
  const none = sharedWords(0);
  const form: HeldCodes = {
    form: 'codes',
    codes,
    dictionary: [null, value],
    counts: Uint32Array.of(0, count),
    rows: none,
    starts: none,
  };
  return { ...form, count, failed: null, bytes: count };
}

/** One county's parcels, open for questions about all of them. */
export class CountySet {
  readonly county: County;
  readonly parcels: FeatureFile;
  readonly calculated: Calculated;
  readonly #ground: SetGround;
  readonly #features: Features;
  readonly #columns: Columns;
  #key: ColumnPick | null = null;

  private constructor(county: County, ground: SetGround, features: Features) {
    const { layers, catalog, check } = ground;
    this.county = county;
    this.parcels = features.file;
    this.#ground = ground;
    this.#features = features;
    this.calculated = new Calculated(layers, catalog, county.partition);
    this.#columns = new Columns(layers, this.calculated, county.partition, this.parcels.count, check);
  }

  /** @throws Fault or DamagedFile when its parcels cannot be read. */
  static async open(county: County, ground: SetGround): Promise<CountySet> {
    return new CountySet(county, ground, await ground.layers.features(county.partition));
  }

  get count(): number {
    return this.parcels.count;
  }

  /** Where its matches come from. */
  get source(): MatchSource {
    const { state, fips, partition } = this.county;
    const sources = partsOf(partition).map(({ provenance }) => provenance.source);
    return { state, fips, key: partition.key, sources };
  }

  /**
   * What a filter says of each row.
   * @param filter which the county's key has not answered.
   * @throws Fault or DamagedFile when a column or an outline cannot be read.
   */
  async states(filter: SetFilter): Promise<RowStates> {
    await this.#ground.step();
    if (isArea(filter)) return this.#statesOfArea(this.#ground.areas.get(filter)!);
    if (isValueTest(filter)) {
      if (filter.op === 'disagrees') return this.#statesOfDisagreement(filter);
      const whole = filter.op === 'starts_with' || filter.op === 'contains';
      const column = await this.column(filter, whole);
      if (column) return statesOfValue(filter, column);
      const passes = filter.op === 'is_null' ? RowBits.all(this.count) : new RowBits(this.count);
      return { passes, unknown: null };
    }
    if (!this.#columns.has(filter.name, this.parcels)) return { passes: new RowBits(this.count), unknown: null };
    const column = await this.#columns.held(filter);
    return statesOfTest(rowTest(filter, column, this.#columns.reader(filter.name, this.parcels)), this.count);
  }

  /**
   * A column of the county; null where its file was made without it.
   * @param whole whether the values themselves are wanted, not only hashes of them.
   * @throws Fault when its file is missing or damaged.
   */
  async column({ name, kind }: Pick<Test, 'name' | 'kind'>, whole = true): Promise<HeldColumn | null> {
    const constant = valueOfCounty(name, this.county);
    if (constant !== undefined) return constantColumn(constant, this.count);
    if (!this.#columns.has(name, this.parcels)) return null;
    const column = await this.#columns.held({ name, kind });
    return whole && column.form === 'hashes' ? this.#columns.held({ name, kind }, true) : column;
  }

  /** As `column`, a column without any value where there is none. */
  async columnOrNone(test: Pick<Test, 'name' | 'kind'>): Promise<HeldColumn> {
    return (await this.column(test)) ?? { ...unknownColumn(this.count), failed: null };
  }

  /** @throws DamagedFile when an outline cannot be read. */
  outlines(): Promise<OutlineGround> {
    return this.factOf('outlines', () => OutlineGround.of(this.parcels, this.#ground.step));
  }

  /** The public id of a row's parcel. @throws DamagedFile when the row cannot be read. */
  parcelId(row: number): string {
    this.#key ??= this.parcels.columnPick(['parcel_key']);
    return parcelId(this.parcels.pick(row, this.#key).parcel_key ?? null);
  }

  /** What is kept of this county's rows under a name, made where it is not. */
  async factOf<T extends object & { readonly bytes: number }>(name: string, make: () => Promise<T>): Promise<T> {
    const { cache } = this.#ground.layers;
    const key = `${name} ${this.#features.id}`;
    const cached = cache.get(key) as T | undefined;
    if (cached) return cached;
    const value = await make();
    cache.set(key, value, value.bytes);
    return value;
  }

  /** Rows of which another column says something else; nothing is said where one of both is empty. */
  async #statesOfDisagreement({ name, kind }: ValueTest): Promise<RowStates> {
    const texts = new TextNumbers();
    const own = numbersOf(await this.columnOrNone({ name, kind }), texts);
    const passes = new RowBits(this.count);
    for (const other of DISAGREEING[name]!) {
      const said = numbersOf(await this.columnOrNone({ name: other, kind }), texts);
      for (let row = 0; row < this.count; row++) if (acresApart(own[row], said[row]) !== null) passes.add(row);
    }
    return { passes, unknown: null };
  }

  async #statesOfArea(test: PreparedTest): Promise<RowStates> {
    const passes = new RowBits(this.count);
    const found: number[] = [];
    this.parcels.search(test.area.grid.box, row => found.push(row));
    const tests = [test];
    for (const [i, row] of found.entries()) {
      if (i % STEP === STEP - 1) await this.#ground.step();
      if (holds(tests, this.#features, row)) passes.add(row);
    }
    return { passes, unknown: null };
  }
}
