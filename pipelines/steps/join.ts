import { join } from 'node:path';
import type { Value, VectorLayer } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { type Join, joinsOf, type PlaceLayer } from '../../datasets/place/place.ts';
import type { JoinCount } from '../../datasets/release.ts';
import { type Crs, projectRows, resolveCrs, statedCrs } from '../../ingest/crs.ts';
import { openSource } from '../../ingest/format.ts';
import { type Findings, missingColumns, ReadError, type Row, type Source } from '../../ingest/reader.ts';
import { settle } from './join/several.ts';
import { type GivenShape, ShapeMaker } from './join/shape.ts';
import { columnsOfExpression, compileExpression, type Properties } from './normalise.ts';
import type { Tally } from './quality/tally.ts';
import { Misfit } from './value.ts';

/** What joins to one key. */
interface JoinedRow {
  /** Its columns under their prefixed names, or why it is none. */
  readonly found: { readonly properties: Properties } | { readonly reason: string };
  /** Rows of the joined file that share the key. */
  readonly rows: number;
  /** The geometry of the row that was taken; null where several were made one. */
  readonly geometry: Geometry | null;
  /** Why the geometry of that row was not read; null where it was, or there is none. */
  readonly unread: string | null;
}

/**
 * The groups of a file's rows that share a key, in file order, the names of its columns, and how many rows it has.
 * @param crs of the file, for geometries in lng,lat; null where they are not wanted.
 */
async function grouped(
  source: Source,
  crs: Crs | null,
  keyOf: (row: Properties) => Value,
  signal: AbortSignal | undefined,
): Promise<{ groups: Map<string, Row[]>; names: ReadonlySet<string>; read: number; tooLarge: number }> {
  const groups = new Map<string, Row[]>();
  const names = new Set(source.columns);
  let [read, tooLarge] = [0, 0];
  for await (const batch of source.rows(signal))
    for (const row of crs ? await projectRows(crs, batch) : batch) {
      read++;
      if (row.unread?.isLost) {
        tooLarge++;
        continue;
      }
      if (source.columns.length === 0) for (const name of Object.keys(row.properties)) names.add(name);
      const key = keyOf(row.properties);
      if (key === null) continue;
      const group = groups.get(String(key));
      if (group) group.push(row);
      else groups.set(String(key), [row]);
    }
  return { groups, names, read, tooLarge };
}

function joinedRowOf(rows: readonly Row[], key: string, spec: Join, columns: readonly string[]): JoinedRow {
  const properties = rows.map(row => row.properties);
  const settled = settle(properties, key, spec, columns);
  if ('reason' in settled) return { found: settled, rows: rows.length, geometry: null, unread: null };
  const taken = rows.length === 1 ? rows[0] : rows[properties.indexOf(settled.row)];
  return {
    found: {
      properties: Object.fromEntries(
        Object.entries(settled.row).map(([name, value]) => [`${spec.prefix}.${name}`, value]),
      ),
    },
    rows: rows.length,
    geometry: spec.geometry ? (taken?.geometry ?? null) : null,
    unread: taken?.unread?.reason ?? null,
  };
}

/** Columns of a joined file that its join and the mapping read. @param needed source columns that the mapping reads. */
export function columnsOfJoin({ prefix, key, greatest, mean, several }: Join, needed: readonly string[]): string[] {
  const read = needed.filter(name => name.startsWith(`${prefix}.`)).map(name => name.slice(prefix.length + 1));
  read.push(...columnsOfExpression(key));
  if (greatest) read.push(greatest.of, greatest.ties);
  if (mean) read.push(mean.value, mean.top, mean.bottom);
  if (typeof several === 'object' && several !== null) read.push(...Object.keys(several));
  return [...new Set(read)];
}

/** A joined file: how many rows it has, and what its reader found out about it. */
export interface JoinFile {
  readonly file: string;
  readonly read: number;
  readonly findings: Findings | undefined;
}

/** The rows of a second file by their `key`, matched with the main row's `to`. Held whole: it is the small side of the join. */
class Joined {
  readonly spec: Join;
  readonly #to: (row: Properties) => Value;
  readonly #joinedRows: ReadonlyMap<string, JoinedRow>;
  /** null when the format tells them row by row and there is no row. */
  readonly #columns: ReadonlySet<string> | null;
  readonly #maker: ShapeMaker | null;
  readonly #tally: Tally | undefined;
  /** Rows of the file whose keys nobody knows, because they were too large to be read. */
  readonly #tooLarge: number;
  /** What was found out about the file. */
  readonly found: JoinFile;
  /** What became of the row that was extended last; null when it had no turn. */
  #last: { readonly rows: number } | null = null;
  #counts = { joined: 0, unjoined: 0, several: 0 };

  private constructor(
    spec: Join,
    joinedRows: ReadonlyMap<string, JoinedRow>,
    columns: ReadonlySet<string> | null,
    maker: ShapeMaker | null,
    found: JoinFile,
    asOf: string,
    tally: Tally | undefined,
    tooLarge: number,
  ) {
    this.spec = spec;
    this.#tooLarge = tooLarge;
    this.found = found;
    this.#joinedRows = joinedRows;
    this.#columns = columns;
    this.#maker = maker;
    this.#tally = tally;
    this.#to = compileExpression(spec.to, 'string', asOf);
  }

  /** @throws ReadError when the file cannot be read, or its geometry is wanted and its CRS is not known. */
  static async load(
    spec: Join,
    columns: readonly string[],
    wanted: VectorLayer['geometry'] | null,
    sources: string,
    asOf: string,
    signal?: AbortSignal,
    tally?: Tally,
  ): Promise<Joined> {
    const options = spec.options ?? {};
    const source = await openSource(join(sources, spec.file), { format: spec.format, options });
    const wantedOf = columns.flatMap(name =>
      name.startsWith(`${spec.prefix}.`) ? [name.slice(spec.prefix.length + 1)] : [],
    );
    try {
      const shapes = spec.geometry && wanted !== null;
      const maker = shapes ? await ShapeMaker.create(wanted) : null;
      const crs = shapes ? await resolveCrs(statedCrs(source.crs, options), spec.file) : null;
      const keyOf = compileExpression(spec.key, 'string', asOf);
      const { groups, names, read, tooLarge } = await grouped(source, crs, keyOf, signal);
      const joinedRows = new Map<string, JoinedRow>();
      for (const [key, rows] of groups) joinedRows.set(key, joinedRowOf(rows, key, spec, wantedOf));
      const found = { file: spec.file, read, findings: source.findings };
      return new Joined(spec, joinedRows, names.size > 0 ? names : null, maker, found, asOf, tally, tooLarge);
    } finally {
      await source.close();
    }
  }

  owns(column: string): boolean {
    return column.startsWith(`${this.spec.prefix}.`);
  }

  /** @throws ReadError when the file lacks one of its columns that the mapping or the join reads. */
  require(columns: readonly string[]): void {
    const { file } = this.spec;
    const present = this.#columns;
    const missing = present ? columnsOfJoin(this.spec, columns).filter(name => !present.has(name)) : [];
    if (missing.length > 0) throw new ReadError('column_missing', file, null, missingColumns(missing, present!));
  }

  /** The next row has not come here yet. */
  begin(): void {
    this.#last = null;
  }

  extend(row: Properties): Properties {
    const key = this.#to(row);
    const match = key === null ? undefined : this.#joinedRows.get(String(key));
    this.#last = { rows: match?.rows ?? 0 };
    if (key !== null) this.#tally?.count(key, match !== undefined);
    if (match) {
      if ('reason' in match.found) throw new Misfit(match.found.reason);
      return { ...row, ...match.found.properties };
    }
    if (key !== null && this.#tooLarge > 0)
      throw new Misfit(
        `no joined row has the key ${key}, but ${this.#tooLarge} of ${this.spec.file} were too large to be read`,
      );
    if (this.spec.required) throw new Misfit(`no joined row has the key ${key ?? '(empty)'}`);
    return row;
  }

  /** The geometry that joins to a row. @throws Misfit when there is none, or it is none that the layer can hold. */
  shape(row: Properties): GivenShape {
    const key = this.#to(row);
    const match = key === null ? undefined : this.#joinedRows.get(String(key));
    if (!match) throw new Misfit(`no geometry, and no joined row has the key ${key ?? '(empty)'}`);
    if (match.geometry) return this.#maker!.make(match.geometry);
    const several = match.rows > 1 ? `${match.rows} joined rows have the key ${key}` : null;
    const unread = match.unread && `the joined row ${key} has one that is not read: ${match.unread}`;
    throw new Misfit(`no geometry, and ${unread ?? several ?? `the joined row ${key} has none either`}`);
  }

  count(): void {
    if (!this.#last) return;
    this.#counts[this.#last.rows > 0 ? 'joined' : 'unjoined']++;
    if (this.#last.rows > 1) this.#counts.several++;
  }

  get counted(): JoinCount {
    return { file: this.spec.file, prefix: this.spec.prefix, ...this.#counts };
  }
}

/** The files that are joined to those of a layer. */
export class Joins {
  readonly #joins: readonly Joined[];
  readonly #shapes: Joined | undefined;

  private constructor(joins: readonly Joined[]) {
    this.#joins = joins;
    this.#shapes = joins.find(joined => joined.spec.geometry);
  }

  /**
   * @param columns source columns that the mapping reads.
   * @param tallyOf counts by prefix for how many of the rows that have a key something joins.
   * @param wanted geometry of the layer, where a join may give it; null for a table.
   * @throws ReadError when a file cannot be read or lacks one of them.
   */
  static async load(
    layer: Pick<PlaceLayer, 'join'>,
    columns: readonly string[],
    wanted: VectorLayer['geometry'] | null,
    sources: string,
    asOf: string,
    signal?: AbortSignal,
    tallyOf?: (prefix: string) => Tally,
  ): Promise<Joins> {
    const joins: Joined[] = [];
    for (const spec of joinsOf(layer)) {
      const joined = await Joined.load(spec, columns, wanted, sources, asOf, signal, tallyOf?.(spec.prefix));
      joined.require(columns);
      joins.push(joined);
    }
    return new Joins(joins);
  }

  /** Whether a column of the mapping comes from one of the files. */
  owns(column: string): boolean {
    return this.#joins.some(joined => joined.owns(column));
  }

  /** Whether rows without a geometry get one. */
  get giveShapes(): boolean {
    return this.#shapes !== undefined;
  }

  /**
   * The row with the joined columns added.
   * @throws Misfit when several rows share the key and no rule tells which is taken, or none has it and the join is required.
   */
  extend(row: Properties): Properties {
    for (const joined of this.#joins) joined.begin();
    try {
      return this.#joins.reduce((extended, joined) => joined.extend(extended), row);
    } catch (error) {
      // A row that is rejected here counts too: it is not skipped.
      this.count();
      throw error;
    }
  }

  /**
   * The geometry of a row that has none of its own; where no join gives any, null.
   * @param row with the joined columns.
   * @throws Misfit when nothing with a geometry joins to it.
   */
  shape(row: Properties): GivenShape | null {
    return this.#shapes?.shape(row) ?? null;
  }

  /** Counts the row that was extended last among those that count. */
  count(): void {
    for (const joined of this.#joins) joined.count();
  }

  /** What was found out about each file. */
  get files(): readonly JoinFile[] {
    return this.#joins.map(({ found }) => found);
  }

  /** Of each join, to how many of the counted rows something joined. */
  get counts(): readonly JoinCount[] {
    return this.#joins.map(joined => joined.counted);
  }
}
