import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type pg from 'pg';

/** A raster whose cells GDAL read: a table of them (`c_`, `r_` from the upper left, `v_`, their centers). */
export interface Cells {
  readonly table: string;
  readonly path: string;
  /** Whether its columns and rows are steps of longitude and latitude. */
  readonly inDegrees: boolean;
  /** Metres from one center to the next, where these are nearest. */
  readonly leastM: number;
  readonly width: number;
  readonly height: number;
}

/** Reads the first band of a raster with GDAL into a table of cells. @param nodata stored numbers that mean no data. */
export async function loadCells(
  db: pg.Client,
  url: string,
  { table, path, folder, nodata }: { table: string; path: string; folder: string; nodata: readonly number[] },
): Promise<Cells> {
  const info = JSON.parse(execFileSync('gdalinfo', ['-json', path], { encoding: 'utf8' })) as {
    size: [number, number];
    bands: { noDataValue?: number }[];
    coordinateSystem: { wkt: string };
  };
  const text = join(folder, `${table}.csv`);
  execFileSync('gdal_translate', [
    '-q',
    '-of',
    'XYZ',
    '-b',
    '1',
    '-co',
    'ADD_HEADER_LINE=YES',
    '-co',
    'COLUMN_SEPARATOR=,',
    path,
    text,
  ]);
  const { wkt } = info.coordinateSystem;
  execFileSync(
    'ogr2ogr',
    ['-q', '-f', 'PostgreSQL', `PG:${url}`, text, '-nln', `${table}_xyz`, '-s_srs', wkt, '-t_srs', 'EPSG:4326']
      .concat(['-oo', 'X_POSSIBLE_NAMES=X', '-oo', 'Y_POSSIBLE_NAMES=Y', '-oo', 'KEEP_GEOM_COLUMNS=NO'])
      .concat(['-lco', 'GEOMETRY_NAME=geom_', '-lco', 'FID=fid_', '-lco', 'SPATIAL_INDEX=NONE']),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const [width, height] = info.size;
  const none = [...nodata, ...(info.bands[0]!.noDataValue === undefined ? [] : [info.bands[0]!.noDataValue])];
  await db.query(`create table ${table} as select ((fid_ - 1) % ${width})::int as c_, ((fid_ - 1) / ${width})::int as r_,
    case when z::float8 in (${[...none, 'NaN'].map(one => `'${one}'::float8`).join(', ')}) then null else z::float8 end as v_,
    geom_ from ${table}_xyz`);
  await db.query(`drop table ${table}_xyz`);
  await db.query(`create unique index on ${table} (c_, r_)`);
  await db.query(`analyze ${table}`);
  const { rows } = await db.query<{
    size: number;
  }>(`select least(min(st_distance(a.geom_::geography, b.geom_::geography)), min(st_distance(a.geom_::geography, c.geom_::geography))) as size
    from ${table} a join ${table} b on b.c_ = a.c_ + 1 and b.r_ = a.r_ join ${table} c on c.c_ = a.c_ and c.r_ = a.r_ + 1 where a.c_ in (0, ${width - 2})`);
  return { table, path, inDegrees: wkt.startsWith('GEOGCRS'), leastM: rows[0]!.size, width, height };
}

/**
 * Where the points of a raster lie in it (`u_`, `v_`: columns and rows from its upper left corner), and the cell there, as GDAL says:
 * a table TABLE_at.
 */
export async function locatePoints(db: pg.Client, { table, path }: Cells, source: string): Promise<void> {
  const { rows } = await db.query<{ id_: number; lng: number; lat: number }>(
    'select id_, st_x(geom_) as lng, st_y(geom_) as lat from points where source_ = $1 order by id_',
    [source],
  );
  const input = rows.map(({ lng, lat }) => `${lng} ${lat}`).join('\n');
  const lines = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
      .trimEnd()
      .split('\n');
  const places = lines('gdaltransform', ['-i', '-t_srs', 'EPSG:4326', '-output_xy', path]).map(line =>
    line.split(' ').map(Number),
  );
  const cells = lines('gdallocationinfo', ['-valonly', '-wgs84', path]).map(line =>
    line.trim() === '' ? null : Number(line),
  );
  await db.query(`create table ${table}_at (id_ int primary key, u_ float8, v_ float8, cell_ float8)`);
  await db.query(`insert into ${table}_at select * from unnest($1::int[], $2::float8[], $3::float8[], $4::float8[])`, [
    rows.map(({ id_ }) => id_),
    places.map(([u]) => u),
    places.map(([, v]) => v),
    cells,
  ]);
}

/**
 * Slope, direction and ruggedness of every cell of a grid in degrees from the eight about it (Horn, Riley): a table TABLE_slopes. A cell is
 * as wide and high as the ellipsoid says at its latitude.
 */
export async function measureSlopes(db: pg.Client, { table }: Cells): Promise<void> {
  await db.query(`create table ${table}_slopes as
    with step as (
      select a.r_, st_distance(a.geom_::geography, b.geom_::geography) as dx, st_distance(n.geom_::geography, s.geom_::geography) / 2 as dy
      from ${table} a join ${table} b on b.c_ = 1 and b.r_ = a.r_
        join ${table} n on n.c_ = 0 and n.r_ = a.r_ - 1 join ${table} s on s.c_ = 0 and s.r_ = a.r_ + 1 where a.c_ = 0),
    across as (select c_, r_, v_ as o, lag(v_) over row as w, lead(v_) over row as e from ${table} window row as (partition by r_ order by c_)),
    about as (select *, lag(o) over col as n, lag(w) over col as nw, lag(e) over col as ne,
      lead(o) over col as s, lead(w) over col as sw, lead(e) over col as se from across window col as (partition by c_ order by r_)),
    rise as (select a.*, ((ne + 2 * e + se) - (nw + 2 * w + sw)) / (8 * dx) as east, ((nw + 2 * n + ne) - (sw + 2 * s + se)) / (8 * dy) as north
      from about a join step using (r_))
    select c_, r_, case when o is not null then 100 * sqrt(east * east + north * north) end as slope_percent,
      case when o is not null then degrees(atan(sqrt(east * east + north * north))) end as slope_degrees,
      case when o is not null and (east <> 0 or north <> 0) then
        case when degrees(atan2(-east, -north)) < 0 then 360 else 0 end + degrees(atan2(-east, -north)) end as aspect_degrees,
      sqrt((nw-o)^2 + (n-o)^2 + (ne-o)^2 + (w-o)^2 + (e-o)^2 + (sw-o)^2 + (s-o)^2 + (se-o)^2) as tri
    from rise`);
  await db.query(`create unique index on ${table}_slopes (c_, r_)`);
}
