import { catalog } from '../../../datasets/catalog.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { quotedName, quotedText } from './condition-sql.ts';
import type { Publication, PublishedLayer } from './publication.ts';

/** Points over the ground of a place, and about the features of one layer. */
const [ON_GROUND, ABOUT_LAYER] = [350, 450];
/** Share of a layer's rows with a value below which points are drawn about these rows too. */
const SPARSE = 0.75;
/** Metres that points about lines and points are moved by at most. */
const MOVED_M = 300;
/** The country without its outlying parts: degrees. */
const COUNTRY = 'st_makeenvelope(-124.5, 25, -67, 49, 4326)';

/** Number between 0 and 1 that follows from a text. */
const draw = (text: string) => `(('x' || substr(md5(${text}), 1, 7))::bit(28)::int / 268435456.0)`;

/**
 * Makes the table of the points that are asked: `source_` says what each was drawn for, `place`, `nation` or a layer. They are the
 * same in every run.
 * @param ground SQL of the outline within which the place is known, lng,lat.
 */
export async function drawPoints({ db, layers }: Publication, ground: string): Promise<void> {
  await db.query(`create table ground as select st_makevalid(${ground}) as geom_`);
  await db.query('create table points (id_ serial primary key, source_ text, geom_ geometry, geog_ geography)');
  const add = (source: string, sql: string) =>
    db.query(`insert into points (source_, geom_, geog_) select ${quotedText(source)}, geom_, geom_::geography from (
      select st_makepoint(round(st_x(g)::numeric, 7)::float8, round(st_y(g)::numeric, 7)::float8) as g0 from (${sql}) q(g)
    ) r, lateral (select st_setsrid(g0, 4326) as geom_) s`);
  await add('place', `select (st_dump(st_generatepoints(geom_, ${ON_GROUND}, 1))).geom from ground`);
  if ([...layers.values()].some(({ national }) => national))
    await add('nation', `select (st_dump(st_generatepoints(${COUNTRY}, ${ON_GROUND}, 2))).geom`);
  for (const [key, layer] of layers) {
    if (layer.kind === 'vector') await add(key, about(layer));
    if (layer.kind === 'vector') for (const column of await sparse(db, layer)) await add(key, about(layer, column));
    if (layer.kind === 'raster')
      await add(key, `select (st_dump(st_generatepoints(${hull(layer)}, ${ABOUT_LAYER}, 3))).geom`);
  }
  await db.query('create index on points (source_)');
  await db.query('analyze points');
}

/** Columns of a layer that fields ask for and that most of its rows lack. */
async function sparse(db: Publication['db'], { table, sourced, dataset, layer }: PublishedLayer): Promise<string[]> {
  const asked = new Set<string>();
  const collect = ({ op, sources, argument, inputs }: Expression) => {
    const own =
      op === 'parcel_attr' ? dataset === 'parcel_store' : sources.some(s => s.dataset === dataset && s.layer === layer);
    if (own && argument !== null && sourced.has(argument)) asked.add(argument);
    for (const input of Object.values(inputs)) if (!('field' in input)) collect(input);
  };
  for (const { expression } of catalog.fields.values()) collect(expression);
  const found: string[] = [];
  for (const column of asked) {
    const { rows } = await db.query<{ share: number }>(
      `select count(${quotedName(column)})::float8 / greatest(count(*), 1) as share from ${table}`,
    );
    if (rows[0]!.share > 0 && rows[0]!.share < SPARSE) found.push(column);
  }
  return found;
}

/** Outline of a raster, as far as the centers of its outer cells. */
export const hull = ({ table }: PublishedLayer) => `(select st_convexhull(st_collect(geom_)) from ${table})`;

/** A point in some polygons, or near some lines and points, as far as they lie where the layer is known. */
function about({ table, national }: PublishedLayer, column?: string): string {
  const valued = column === undefined ? 'true' : `${quotedName(column)} is not null`;
  const known = national ? COUNTRY : '(select geom_ from ground)';
  const key = 'id_ || $$ $$ || n';
  // Layers of few features are drawn from again and again.
  const many = `select f.*, n from ${table} f, generate_series(1, 1 + ${ABOUT_LAYER} / (select count(*) from ${table} where ${valued})) n where ${valued}`;
  const within = (axis: 'x' | 'y') =>
    `st_${axis}min(geom_) + (st_${axis}max(geom_) - st_${axis}min(geom_)) * ${draw(`${key} || $$${axis}$$`)}`;
  const inside = `st_setsrid(st_makepoint(${within('x')}, ${within('y')}), 4326)`;
  const near = `st_project(st_pointonsurface(geom_)::geography, ${MOVED_M} * ${draw(key)}, 6.283 * ${draw(`${key} || $$a$$`)})::geometry`;
  return `select g from (
    select case when st_dimension(geom_) < 2 then ${near} when st_intersects(geom_, c) then c else st_pointonsurface(geom_) end as g, md5(${key}) as m
    from (select *, ${inside} as c from (${many}) f where not mended_) e
  ) d where st_intersects(g, ${known}) order by m limit ${ABOUT_LAYER}`;
}
