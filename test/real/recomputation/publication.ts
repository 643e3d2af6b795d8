import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { Column } from '../../../datasets/dataset.ts';
import { parseCondition } from '../../../datasets/grammar/condition.ts';
import { type ColumnExpression, joinsOf, type PlaceLayer } from '../../../datasets/place/place.ts';
import { SOURCES } from '../bangor.ts';
import { type Cells, loadCells } from './cells.ts';
import { changesCase, columnSql, FUNCTIONS } from './column-sql.ts';
import { type ColumnReader, conditionSql, quotedName } from './condition-sql.ts';

/** A layer of the catalog as PostGIS holds it: a table, with the columns that a place file fills from its published files. */
export interface PublishedLayer {
  readonly dataset: string;
  readonly layer: string;
  readonly table: string;
  readonly kind: 'vector' | 'table' | 'raster' | 'roads';
  readonly columns: Readonly<Record<string, Column>>;
  /** Columns that one of its files publishes at least: where another answers, they are null. */
  readonly sourced: ReadonlySet<string>;
  /** Columns whose letters may be of another case than the publisher's. */
  readonly anyCase: ReadonlySet<string>;
  readonly joinKey: string | null;
  readonly national: boolean;
  /** Published files, below the folder of them. */
  readonly files: readonly string[];
}

const AS: Readonly<Record<Column['type'], (sql: string) => string>> = {
  string: sql => sql,
  date: sql => `left(${sql}, 10)`,
  timestamp: sql => sql,
  boolean: sql => `bool(${sql})`,
  number: sql => `num(${sql})`,
  integer: sql => `num(${sql})`,
};

/** Reads raw columns of tables that ogr2ogr made: text without white space about it, null for nothing. */
class RawReader implements ColumnReader {
  readonly #aliases: ReadonlyMap<string, string>;

  /** @param aliases of joined tables by their prefix. */
  constructor(aliases: ReadonlyMap<string, string>) {
    this.#aliases = aliases;
  }

  text(column: string): string {
    const dot = column.indexOf('.');
    const alias = dot < 0 ? undefined : this.#aliases.get(column.slice(0, dot));
    const name = alias === undefined ? column : column.slice(dot + 1);
    return `nullif(btrim(${alias ?? 'raw'}.${quotedName(name)}::text), '')`;
  }

  number(column: string): string {
    return `num(${this.text(column)})`;
  }
}

/** Published files of a place in a database of PostGIS: GDAL reads and projects them, SQL fills the columns. */
export class Publication {
  readonly db: pg.Client;
  readonly layers = new Map<string, PublishedLayer>();
  readonly cells = new Map<string, Cells>();
  readonly #url: string;
  readonly #raw = new Map<string, string>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'plat-published-'));

  private constructor(db: pg.Client, url: string) {
    this.db = db;
    this.#url = url;
  }

  /** @param url of an empty database. */
  static async of(url: string, layers: readonly PlaceLayer[], sources = SOURCES): Promise<Publication> {
    const db = new pg.Client({ connectionString: url });
    await db.connect();
    await db.query('create extension postgis');
    await db.query(FUNCTIONS);
    await db.query('set jit = off');
    const publication = new Publication(db, url);
    const groups = Map.groupBy(layers, ({ dataset, layer }) => `${dataset}:${layer}`);
    for (const group of groups.values()) await publication.#add(group, sources);
    return publication;
  }

  async close(): Promise<void> {
    await this.db.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A published file as a table of its own columns. */
  async raw(file: string, options: PlaceLayer['options'], sources: string): Promise<string> {
    const key = `${file} ${JSON.stringify(options ?? {})}`;
    const held = this.#raw.get(key);
    if (held) return held;
    const table = `raw_${this.#raw.size}`;
    this.#raw.set(key, table);
    const path = join(sources, file);
    const own: string[] = [];
    let open = path.endsWith('.zip') ? `/vsizip/${path}` : path.endsWith('.gz') ? `/vsigzip/${path}` : path;
    if (/\.csv(\.gz)?$/.test(file)) {
      open = join(this.#folder, `${table}.csv`);
      writeFileSync(open, this.#linesOf(path, options));
      own.push('-oo', 'EMPTY_STRING_AS_NULL=YES', '-oo', 'KEEP_GEOM_COLUMNS=YES');
      if (options?.x) own.push('-oo', `X_POSSIBLE_NAMES=${options.x}`, '-oo', `Y_POSSIBLE_NAMES=${options.y}`);
    } else if (/geojson/.test(file)) own.push('-oo', 'DATE_AS_STRING=YES');
    const crs = options?.crs ?? (/topojson$/.test(file) ? 'EPSG:4326' : undefined);
    if (crs) own.push('-s_srs', crs);
    execFileSync(
      'ogr2ogr',
      ['-q', '-f', 'PostgreSQL', `PG:${this.#url}`, open, '-nln', table, '-t_srs', 'EPSG:4326', '-dim', 'XY']
        .concat(['-nlt', 'GEOMETRY', '-lco', 'LAUNDER=NO', '-lco', 'PRECISION=NO', '-lco', 'GEOMETRY_NAME=geom_'])
        .concat(['-lco', 'FID=fid_', '-lco', 'SPATIAL_INDEX=NONE', ...own]),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return table;
  }

  /** Text of a CSV from its header on, without the lines that its place file says are no rows. */
  #linesOf(path: string, options: PlaceLayer['options']): string {
    const bytes = readFileSync(path);
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '');
    const lines = text.split('\n').slice(options?.skipLines ?? 0);
    lines.splice(1, options?.skipAfterHeader ?? 0);
    return lines.join('\n');
  }

  /** All files of one layer into one table. */
  async #add(group: readonly PlaceLayer[], sources: string): Promise<void> {
    const [{ dataset, layer }] = group as [PlaceLayer];
    const declared = layerOf(catalog.datasets, dataset, layer);
    const table = `layer_${this.layers.size}`;
    const published: PublishedLayer = {
      ...{ dataset, layer, table, kind: declared.kind, joinKey: null },
      columns: 'columns' in declared ? declared.columns : {},
      sourced: new Set(group.flatMap(({ columns }) => Object.keys(columns))),
      anyCase: new Set(
        group.flatMap(({ columns }) =>
          Object.entries(columns).flatMap(([name, expression]) => (changesCase(expression) ? [name] : [])),
        ),
      ),
      national: group.every(({ national }) => national === true),
      files: group.map(({ file }) => file),
      ...('joinKey' in declared ? { joinKey: declared.joinKey } : {}),
    };
    this.layers.set(`${dataset}:${layer}`, published);
    if (declared.kind === 'raster') {
      if (group.length > 1) throw new RangeError(`${dataset}:${layer} has several files`);
      const source = {
        table,
        path: join(sources, group[0]!.file),
        folder: this.#folder,
        nodata: declared.nodata ?? [],
      };
      this.cells.set(`${dataset}:${layer}`, await loadCells(this.db, this.#url, source));
      return;
    }
    const parts: string[] = [];
    for (const one of group) parts.push(await this.#statement(one, published, sources));
    await this.db.query(`create table ${table} as ${parts.join(' union all ')}`);
    await this.db.query(`alter table ${table} add id_ serial`);
    if (declared.kind === 'vector')
      for (const sql of [
        `create index on ${table} using gist (geom_)`,
        `create index on ${table} using gist (geog_)`,
        `create unique index on ${table} (id_)`,
        // Paths and rings in pieces, among which what is nearest is soon found: their edges are straight in lng,lat.
        `create table ${table}_paths as select id_, path::geography as geog_ from ${table}, lateral (${PIECES}) pieces`,
        `create index on ${table}_paths using gist (geog_)`,
        `analyze ${table}_paths`,
      ])
        await this.db.query(sql);
    else await this.db.query(`create index on ${table} (${quotedName(this.#keyOf(published))})`);
    await this.db.query(`analyze ${table}`);
  }

  #keyOf({ dataset, layer }: PublishedLayer): string {
    const declared = layerOf(catalog.datasets, dataset, layer);
    if (declared.kind !== 'table') throw new RangeError(`${dataset}:${layer} is no table`);
    return declared.key.column;
  }

  /** The rows of one file, with the columns of the layer. */
  async #statement(one: PlaceLayer, layer: PublishedLayer, sources: string): Promise<string> {
    const aliases = new Map<string, string>();
    const reader = new RawReader(aliases);
    let from = `${await this.raw(one.file, one.options, sources)} raw`;
    for (const [i, joined] of joinsOf(one).entries()) {
      const table = await this.raw(joined.file ?? one.file, joined.options, sources);
      aliases.set(joined.prefix, `joined_${i}`);
      const key = columnSql(joined.key, { text: name => `btrim(k.${quotedName(name)}::text)`, number: () => 'null' });
      const side = `(select distinct on (${key}) k.*, ${key} as key_ from ${table} k order by ${key})`;
      from += `${joined.required ? '' : ' left'} join ${side} joined_${i} on joined_${i}.key_ = ${columnSql(joined.to, reader)}`;
    }
    const names = Object.keys(layer.columns);
    const columnOf = (name: string) => {
      const expression: ColumnExpression | undefined = one.columns[name];
      const sql = expression === undefined ? 'null' : columnSql(expression, reader);
      const typed = AS[layer.columns[name]!.type](`(${sql})`);
      return `${typed} as ${quotedName(name)}`;
    };
    const where = [one.where === undefined ? 'true' : conditionSql(parseCondition(one.where), reader)];
    if (layer.kind !== 'vector')
      return `select ${names.map(columnOf).join(', ')} from ${from} where ${where.join(' and ')}`;
    where.push('raw.geom_ is not null');
    const rows = `select ${[...names.map(columnOf), 'raw.geom_'].join(', ')} from ${from} where ${where.join(' and ')}`;
    const columns = names.map(quotedName);
    const { dissolve } = one;
    if (dissolve === undefined) return `select ${[...columns, ...shape('geom_')].join(', ')} from (${rows}) r`;
    const by = quotedName(dissolve);
    const others = names.map(name => (name === dissolve ? by : `min(${quotedName(name)}) as ${quotedName(name)}`));
    return `select ${[...columns, ...shape('geom_')].join(', ')} from (select ${others.join(', ')}, st_union(st_makevalid(geom_)) as geom_ from (${rows}) d where ${by} is not null group by ${by}) r`;
  }
}

/** Points one by one; paths and rings cut to so many vertices, none farther than so many degrees from the next. */
const PIECES = `select (st_dump(geom_)).geom as path where st_dimension(geom_) = 0
  union all select st_subdivide(st_segmentize(case when st_dimension(geom_) = 2 then st_boundary(geom_) else geom_ end, 0.002), 32)
    where st_dimension(geom_) > 0`;

/** Geometry columns of a row: the planar shape, the same on the ellipsoid, its area, and whether it had to be mended. */
const shape = (geom: string): string[] => {
  const valid = `case when st_isvalid(${geom}) then ${geom} else st_makevalid(${geom}) end`;
  return [`${valid} as geom_`, `(${valid})::geography as geog_`, `st_area((${valid})::geography) as area_`].concat([
    `not st_isvalid(${geom}) as mended_`,
  ]);
};
