import type { Value } from '../../../datasets/dataset.ts';
import { OWNER_COLUMNS, OWNER_FIELD } from '../../../datasets/parcel/owner-columns.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { Partition, ReleaseFile } from '../../../datasets/release.ts';
import type { ColumnPick } from '../../format/column-pick.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { parcelSquareMetres } from '../../geometry/acre.ts';
import type { Calculated } from '../../parcel/calculated-values.ts';
import type { Cache } from '../../release/cache.ts';
import { correctionsOf } from '../../release/corrections/correction-list.ts';
import { chunks } from '../../release/duckdb-scan.ts';
import { Fault } from '../../release/fault.ts';
import type { Layers } from '../../release/layers.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import { listsOf, requireUnchanged, soundFile, type Verified, verify } from '../../release/verified-file.ts';
import { comparable, type Test } from '../request/filter.ts';
import { PARCEL_AREA } from '../request/name.ts';
import { ColumnBuilder, type HeldColumn, unknownColumn } from './held-column.ts';
import { isShareable } from './shared-columns.ts';
import { selectColumn } from './sql.ts';

/** Values of one row of a Parquet file; a failed one could not be computed. */
type Convert = (value: unknown, code: number) => { readonly value: unknown; readonly failed: boolean };

const isInstant = (kind: Test['kind']): boolean => kind === 'date' || kind === 'timestamp';

const AS_STORED: Convert = value => ({ value, failed: false });

/** @param table what the table is known by that a column of area keys is looked up in. */
const columnKey = ({ id }: Verified, name: string, kind: Test['kind'], table = ''): string =>
  `column ${id} ${name} ${kind}${table}`;

/** Whether nothing is known of a name for any parcel of a county, because its calculation was not carried out there. */
export const isMissing = (calculated: Calculated, name: string): boolean =>
  name !== PARCEL_AREA && calculated.isMissing(name);

/** Columns of one county's parcels, read from Parquet once and then held in memory, least recently used ones let go. */
export class Columns {
  readonly #layers: Layers;
  readonly #calculated: Calculated;
  readonly #cache: Cache;
  readonly #partition: Partition;
  readonly #count: number;
  readonly #check: () => void;
  readonly #used: Map<string, HeldColumn> | null;

  /**
   * @param check throws when the search must stop.
   * @param used gets the columns that are asked for, by the keys that caches know them by.
   */
  constructor(
    layers: Layers,
    calculated: Calculated,
    partition: Partition,
    count: number,
    check: () => void,
    used: Map<string, HeldColumn> | null = null,
  ) {
    this.#used = used;
    this.#layers = layers;
    this.#calculated = calculated;
    this.#cache = layers.cache;
    this.#partition = partition;
    this.#count = count;
    this.#check = check;
  }

  /** The county's Parquet file; what is read of it by its path counts once `requireSame` has not thrown. @throws Fault as `verify`. */
  async rows(): Promise<{ readonly path: string; readonly requireSame: () => void }> {
    const file = this.#layers.file(this.#partition, 'rows');
    const at = await verify(this.#layers.release, file);
    return { path: at.path, requireSame: () => requireUnchanged(file, at) };
  }

  /** Whether there is anything to compare; without a column every value is missing, and null passes nothing. */
  has(name: string, parcels: FeatureFile): boolean {
    if (name === PARCEL_AREA || parcels.hasColumn(name)) return true;
    return this.#calculated.locate(name) !== null || isMissing(this.#calculated, name);
  }

  /** The column that a test compares, where it is held and its file is known to be sound; null otherwise. */
  heldAlready({ name, kind }: Pick<Test, 'name' | 'kind'>): HeldColumn | null {
    if (isMissing(this.#calculated, name)) return unknownColumn(this.#count);
    const at = this.#calculated.locate(name);
    const sound = soundFile(this.#layers.release, at?.file ?? this.#layers.file(this.#partition, 'rows'));
    if (!sound) return null;
    const table = at?.kind === 'area_key' ? this.#tableOf(name) : '';
    return (this.#cache.get(columnKey(sound, name, kind, table)) as HeldColumn) ?? null;
  }

  #tableOf(name: string): string {
    return ` ${this.#calculated.tableOf(name)}`;
  }

  /** Whether a name stands in the parcels' own file, not in one of calculations. */
  isStored(name: string): boolean {
    return this.#calculated.locate(name) === null && !isMissing(this.#calculated, name);
  }

  /**
   * The column that a test compares.
   * @param whole whether the values of a stored column themselves are wanted, never hashes of them alone.
   * @throws Fault when its file is missing or damaged; what `check` throws.
   */
  async held({ name, kind }: Pick<Test, 'name' | 'kind'>, whole = false): Promise<HeldColumn> {
    if (isMissing(this.#calculated, name)) return unknownColumn(this.#count);
    const at = this.#calculated.locate(name);
    if (at?.kind === 'column') {
      return this.#load(at.file, { name, kind, column: at.column, code: `${at.column}:code` }, async () => {
        const reasons = await this.#calculated.reasons(name);
        const failed = Uint8Array.from(reasons, reason => (reason.status === 'failed' ? 1 : 0));
        return (value, code) => ({ value, failed: failed[code] === 1 });
      });
    }
    if (at) {
      const instant = isInstant(kind);
      const table = this.#tableOf(name);
      const what = { name, kind: 'string', column: at.column, code: null, as: kind, table } as const;
      return this.#load(at.file, what, async () => {
        const areas = new Map<unknown, ReturnType<Convert>>();
        for (const { area, finding } of await this.#calculated.areas(name)) {
          const value = finding.value === null || !instant ? finding.value : comparable(kind, finding.value);
          areas.set(area, { value, failed: finding.status === 'failed' });
        }
        const none = { value: null, failed: false };
        return area => areas.get(area) ?? none;
      });
    }
    const file = this.#layers.file(this.#partition, 'rows');
    if (name === PARCEL_AREA)
      return this.#load(file, { name, kind: 'number', column: 'acreage', code: null }, () => acres => ({
        value: acres === null ? null : parcelSquareMetres(Number(acres)),
        failed: false,
      }));
    if (!Object.hasOwn(PARCEL_ATTRIBUTES, name)) throw new Fault(`no column of ${name} was built`);
    return this.#load(file, { name, kind, column: name, code: null, whole }, () => AS_STORED);
  }

  /** Rows whose values of a stored column are told to nobody, by 1; null where there are none. @throws as Layers.features. */
  async #withheldRows(file: ReleaseFile, name: string): Promise<Uint8Array | null> {
    if (!(file.role === 'rows' ? OWNER_COLUMNS.has(name) : name === OWNER_FIELD)) return null;
    return (await this.#layers.features(this.#partition)).file.withheldRows;
  }

  /** Values of a name that were corrected, by row; null where there are none. @throws as Layers.features. */
  async #correctedValues(name: string): Promise<ReadonlyMap<number, Value> | null> {
    if (correctionsOf(this.#layers.release).entries.length === 0) return null;
    const { corrected } = (await this.#layers.features(this.#partition)).file;
    const own = [...(corrected ?? [])].flatMap(([row, of]) => (of.has(name) ? [[row, of.get(name)!] as const] : []));
    return own.length > 0 ? new Map(own) : null;
  }

  /**
   * Whether what is withheld and corrected here is that of the lists that a key names. They may have changed since this request opened the
   * features: other requests would find its column as long as the lists stay. @throws as Layers.features.
   */
  async #isToldBy(lists = ''): Promise<boolean> {
    if (lists === '' && listsOf(this.#layers.release) === '') return true;
    return (await this.#layers.features(this.#partition)).file.lists === lists;
  }

  /** Reads single rows of a stored column, to be sure where only hashes are held. */
  reader(name: string, parcels: FeatureFile): (row: number) => unknown {
    // Of most counties no row is ever read.
    let pick: ColumnPick | null = null;
    return row => {
      const fixed = parcels.corrected?.get(row)?.get(name);
      if (fixed !== undefined) return fixed;
      pick ??= parcels.columnPick([name]);
      return parcels.pick(row, pick)[name] ?? null;
    };
  }

  /**
   * @param what `kind` is how Parquet stores it, `as` how it is compared, `table` as columnKey's, `whole` as of `held`.
   * @param converter asked only where the column is not held.
   */
  async #load(
    file: ReleaseFile,
    what: {
      readonly name: string;
      readonly kind: Test['kind'];
      readonly column: string;
      readonly code: string | null;
      readonly as?: Test['kind'];
      readonly table?: string;
      readonly whole?: boolean;
    },
    converter: () => MaybePromise<Convert>,
  ): Promise<HeldColumn> {
    const { name, kind, column, code, whole = false } = what;
    const verified = this.#layers.verified(file);
    const at = 'then' in verified ? await verified : verified;
    const key = columnKey(at, name, what.as ?? kind, whole ? ' whole' : what.table);
    const cached = this.#cache.get(key) as HeldColumn | undefined;
    const use = (column: HeldColumn) => {
      if (isShareable(column)) this.#used?.set(key, column);
      return column;
    };
    if (cached) return use(cached);
    const convert = await converter();
    const withheld = await this.#withheldRows(file, name);
    const fixed = await this.#correctedValues(name);
    const instant = isInstant(what.as ?? kind);
    const builder = new ColumnBuilder(what.as ?? kind, this.#count, convert === AS_STORED && !whole);
    let anyFailed = false;
    for await (const chunk of chunks(selectColumn(at.path, column, kind, code), this.#check)) {
      const ords = chunk.getColumnValues(0) as number[];
      const values = chunk.getColumnValues(1);
      const codes = code === null ? null : (chunk.getColumnValues(2) as number[]);
      for (let i = 0; i < ords.length; i++) {
        if (ords[i] !== builder.length) throw new Fault('the rows of a parcel file do not stand in their stored order');
        const stored = withheld?.[ords[i]!] === 1 ? null : (values[i] ?? null);
        const { value, failed } = convert(stored, codes?.[i] ?? 0);
        anyFailed ||= failed;
        const own = failed ? undefined : fixed?.get(ords[i]!);
        builder.add(own === undefined ? value : instant ? comparable(kind, own) : own, failed);
      }
    }
    requireUnchanged(file, at);
    if (builder.length !== this.#count)
      throw new Fault(`a parcel rows file holds ${builder.length} rows, its features file ${this.#count}`);
    const held = builder.finish();
    // A failure may pass: it is asked for again.
    if ((anyFailed && what.as) || !(await this.#isToldBy(at.lists))) return held;
    this.#cache.set(key, held, held.bytes);
    return use(held);
  }
}
