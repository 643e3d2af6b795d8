import { ACRES_APART, DISAGREEING } from '../../../datasets/parcel/disagreement.ts';
import { toWkt } from '../../geometry/wkt.ts';
import { leftOf, SIGNS } from '../../search/columns/sql.ts';
import { FIPS, type Operand, type Test } from '../../search/request/filter.ts';
import { isArea, isValueTest, type SetFilter } from '../set-filter.ts';

/** A value of a statement. */
export type SqlValue = string | number | boolean | readonly (string | number | boolean)[];

/** A statement that `plat sql` runs, with the values of $1, $2 and so on. */
export interface SetStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** The columns that a release has of its parcels. */
export interface SqlColumns {
  /** Names that its parcels have values of. */
  readonly names: ReadonlySet<string>;
  /** The table of calculations that has a name; null where it stands among the parcels' own. */
  tableOf(name: string): string | null;
  /** Whether a name is looked up by the area in which a parcel lies: no column holds its values. */
  isLookedUp(name: string): boolean;
}

/** A question that no SQL over the tables of a release says. */
export class NoSql extends Error {
  override readonly name = 'NoSql';
}

/** Operands of an `in` that are bound one by one. */
const LONG_LIST = 50;
const PARCELS = 'parcel_store.main';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The tables that a question about a set reads, and the values that it binds. */
export class SetQuery {
  readonly #columns: SqlColumns;
  readonly #values: SqlValue[] = [];
  /** Tables of calculations, in the order in which they were needed. */
  readonly #tables: string[] = [];

  constructor(columns: SqlColumns) {
    this.#columns = columns;
  }

  get values(): readonly SqlValue[] {
    return this.#values;
  }

  /** The place of a value in the statement. */
  bind(value: SqlValue): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  /** SQL for the column of a name; null has no value of it. @throws NoSql. */
  readonly column = (name: string): string => {
    if (this.#columns.isLookedUp(name))
      throw new NoSql(`${name} is looked up in a table by the area in which a parcel lies; no column holds it`);
    if (!this.#columns.names.has(name)) return 'NULL';
    const table = this.#columns.tableOf(name);
    if (table === null) return `p.${quoted(name)}`;
    if (!this.#tables.includes(table)) this.#tables.push(table);
    return `c${this.#tables.indexOf(table)}.${quoted(name)}`;
  };

  /** SQL for a value of a name as it is compared. @throws NoSql. */
  value(test: Pick<Test, 'name' | 'kind'>): string {
    const { name } = test;
    if (name === 'state' || name === 'state2') return "split_part(p.partition_key, '/', 1)";
    if (name === 'geoid') return "split_part(p.partition_key, '/', 2)";
    return leftOf(test, value => this.bind(value as SqlValue), this.column);
  }

  /** The tables that were named, joined. */
  get from(): string {
    const joins = this.#tables.map(
      (table, i) => `LEFT JOIN calculations.${quoted(table)} AS c${i} USING (partition_key, ord)`,
    );
    return [`FROM ${PARCELS} AS p`, ...joins].join('\n  ');
  }

  /** SQL for a filter, which is true of what passes. @throws NoSql. */
  condition(filter: SetFilter): string {
    if (isArea(filter)) return this.#area(filter.op, toWkt(filter.geometry), filter.geometry.xy);
    if (isValueTest(filter)) {
      const { op, text } = filter;
      const value = this.value(filter);
      if (op === 'disagrees') return this.#disagreement(filter.name, value);
      if (op === 'is_null' || op === 'not_null') return `${value} IS ${op === 'is_null' ? '' : 'NOT '}NULL`;
      return `${op === 'starts_with' ? 'starts_with' : 'contains'}(lower(${value}::VARCHAR), ${this.bind(text)})`;
    }
    if (filter.kind === 'county') return this.#county(filter);
    return this.#comparison(this.value(filter), filter.op, filter.operands);
  }

  /** As acresApart of datasets/parcel/disagreement.ts. */
  #disagreement(name: string, value: string): string {
    const { acres, share } = ACRES_APART;
    return DISAGREEING[name]!.map(other => {
      const said = this.column(other);
      return `(${value} > 0 AND ${said} > 0 AND abs(${said} - ${value}) > greatest(${acres}, ${share} * ${value}) + 1e-9)`;
    }).join(' OR ');
  }

  #area(op: 'intersects' | 'within', wkt: string, xy: Float64Array): string {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < xy.length; i += 2) {
      west = Math.min(west, xy[i]!);
      east = Math.max(east, xy[i]!);
      south = Math.min(south, xy[i + 1]!);
      north = Math.max(north, xy[i + 1]!);
    }
    const near = [
      `p.xmin <= ${this.bind(east)}`,
      `p.xmax >= ${this.bind(west)}`,
      `p.ymin <= ${this.bind(north)}`,
      `p.ymax >= ${this.bind(south)}`,
    ];
    return `${near.join(' AND ')} AND plat_${op}(p.geometry, ${this.bind(wkt)}::GEOMETRY)`;
  }

  /** A county may be named, or meant by its code. */
  #county(filter: Test): string {
    const codes = filter.operands.filter(operand => FIPS.test(String(operand)));
    const names = filter.operands.filter(operand => !FIPS.test(String(operand)));
    const parts = [
      ...(codes.length > 0 ? [this.#comparison(this.value({ name: 'geoid', kind: 'string' }), 'in', codes)] : []),
      ...(names.length > 0 ? [this.#comparison(this.value(filter), 'in', names)] : []),
    ];
    return filter.op === 'ne' ? parts.map(part => `NOT (${part})`).join(' AND ') : parts.join(' OR ');
  }

  #comparison(left: string, op: Test['op'], operands: readonly Operand[]): string {
    if (op === 'in' && operands.length > LONG_LIST) return `list_contains(${this.bind([...operands])}, ${left})`;
    const right = operands.map(operand => this.bind(operand));
    if (op === 'in') return `${left} IN (${right.join(', ')})`;
    if (op === 'between') return `${left} BETWEEN ${right[0]} AND ${right[1]}`;
    return `${left} ${SIGNS[op]} ${right[0]}`;
  }
}

/** SQL for the public id of a parcel, as `parcelId` makes it. */
export const PARCEL_ID =
  "'pcl_' || left(translate(to_base64(unhex(sha256('parcel_id' || chr(0) || p.parcel_key))), '+/', '-_'), 22)";
