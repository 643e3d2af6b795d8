import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { Field } from '../../../datasets/dataset.ts';
import { type Expression, parseExpression, type SourceRef } from '../../../datasets/grammar/expression.ts';
import { PARCEL_OVERLAYS } from '../../../datasets/parcel/parcel-overlays.ts';
import { quotedName, quotedText } from './condition-sql.ts';
import { formulaSql } from './formula-sql.ts';
import { columnsIn, whereSql } from './layer-condition.ts';
import type { Publication, PublishedLayer } from './publication.ts';

/** Why a field is not computed by PostGIS from the published files of a place. */
export class NotComputed extends Error {
  override readonly name = 'NotComputed';
}

/** A statement with a row a point: `id_`, `value_` as text, `doubt_` where either of two answers may be right. */
export interface FieldStatement {
  readonly sql: string;
  /** For what its points are drawn: `place`, `nation` or layers. */
  readonly sources: readonly string[];
  /** How much a number may be off beside the rounding, as SQL never says: a share of it, and its unit. */
  readonly off: readonly [share: number, own: number];
  /** Letters may be of another case. */
  readonly anyCase: boolean;
  /** Labels that the published codes stand for, by their name in the catalog. */
  readonly map?: string | undefined;
}

/** Degrees about an edge within which the last digits of a projection decide: a decimetre. */
const EDGE = 1e-6;
/** Metres between two distances within which either feature may be the nearer one; about a radius, and the share of it. */
const [TIE_M, RIM_M, RIM_SHARE] = [0.5, 0.05, 5e-5];
/** Nearest pieces of paths by the index, which goes by the sphere: of these the ellipsoid chooses. */
const CANDIDATES = 20;
/** Share of a parcel within which two values may each be the one that covers most. */
const SHARE_EDGE = 0.005;
/**
 * A plane about the point on which distances from it are those of the ellipsoid: ST_Distance of geography takes the nearest point of a path
 * from the sphere, and is up to 5 in 100,000 too long.
 */
const ABOUT_POINT = "'+proj=aeqd +datum=WGS84 +units=m +lat_0=' || st_y(p.geom_) || ' +lon_0=' || st_x(p.geom_)";
const EXACT = [1e-9, 1e-9] as const;
const METRES = [1e-6, 0.1] as const;
/** Key columns of polygons by which tables are looked up. */
const KEYS: Readonly<Record<string, readonly [layer: string, column: string]>> = {
  county_fips: ['census_tiger:county', 'GEOID'],
  tract_geoid: ['census_tiger:tract', 'GEOID'],
  block_geoid: ['census_tiger:tabblock20', 'GEOID20'],
  huc12: ['usgs_wbd:WBDHU12', 'huc12'],
};

/** Writes fields as statements over the published files of one place. */
export class FieldWriter {
  readonly #publication: Publication;

  constructor(publication: Publication) {
    this.#publication = publication;
  }

  /** @throws NotComputed with the reason. */
  of(call: Expression): FieldStatement {
    if (call.sources.length > 1) throw new NotComputed('it reads several layers');
    switch (call.op) {
      case 'polygon_within':
        return this.#within(call);
      case 'polygon_attr':
        return this.#attribute(call);
      case 'nearest_distance':
      case 'nearest_attr':
        return this.#nearest(call);
      case 'count_within':
      case 'agg_within':
        return this.#around(call);
      case 'overlap_fraction':
        return this.#share(call);
      case 'area_key_attr':
        return this.#looked(call);
      case 'parcel_attr':
        return this.#parcel(call);
      case 'derived':
        return this.#derived(call);
      default:
        this.#layer(call.sources[0]!);
        throw new NotComputed(`${call.op} within a formula is not computed`);
    }
  }

  #layer({ dataset, layer }: Pick<SourceRef, 'dataset' | 'layer'>): PublishedLayer {
    const found = this.#publication.layers.get(`${dataset}:${layer}`);
    if (!found) throw new NotComputed('no published file of the place fills its layer');
    return found;
  }

  /** The layer of a call whose condition and column its files publish. */
  #source(call: Expression): PublishedLayer {
    const layer = this.#layer(call.sources[0]!);
    this.#requirePublished(layer, [
      ...(call.where ? columnsIn(call.where) : []),
      ...(call.argument && !call.argument.startsWith('@') ? [call.argument] : []),
    ]);
    return layer;
  }

  #requirePublished(layer: PublishedLayer, columns: readonly string[]): void {
    for (const column of columns)
      if (!layer.sourced.has(column)) throw new NotComputed(`the published files have no ${column}`);
  }

  /** SQL of a call's column as text: scale, codes for missing. */
  #value({ argument, nulls, options }: Expression): string {
    const raw = `f.${quotedName(argument!)}`;
    let sql = `${raw}::text`;
    if (nulls.length)
      sql = `(case when ${nulls.map(none => (typeof none === 'number' ? `num(${sql}) = ${none}` : `${sql} = ${quotedText(none)}`)).join(' or ')} then null else ${sql} end)`;
    const { scale, offset } = options;
    if (scale !== undefined || offset !== undefined)
      sql = `(num(${sql}) * ${Number(scale ?? 1)} + ${Number(offset ?? 0)})::text`;
    return sql;
  }

  #draw(layer: PublishedLayer): string[] {
    return [layer.national ? 'nation' : 'place', `${layer.dataset}:${layer.layer}`];
  }

  #statement(
    layers: readonly PublishedLayer[],
    columns: string,
    { off = EXACT, anyCase = false, from = '', map }: Partial<FieldStatement> & { from?: string } = {},
  ): FieldStatement {
    const sources = [...new Set(layers.flatMap(layer => this.#draw(layer)))];
    const sql = `select p.id_, ${columns} from points p ${from} where p.source_ = any($1)`;
    return { sql, sources, off, anyCase, map };
  }

  /** Whether an edge of a layer is so near that either side may be right, or a shape that had to be mended. */
  #doubt({ table }: PublishedLayer): string {
    return `exists (select 1 from ${table} f where f.geom_ && st_expand(p.geom_, ${EDGE}) and (f.mended_ or st_distance(st_boundary(f.geom_), p.geom_) < ${EDGE}))`;
  }

  #within(call: Expression): FieldStatement {
    const layer = this.#source(call);
    const where = whereSql(call.where, layer);
    const value = `(select case when bool_or(w) then 'true' when bool_or(w is null) then null else 'false' end
      from (select ${where} as w from ${layer.table} f where st_intersects(f.geom_, p.geom_)) h)`;
    return this.#statement([layer], `${value} as value_, ${this.#doubt(layer)} as doubt_`);
  }

  #order({ joinKey }: PublishedLayer): string {
    return joinKey ? `, f.${quotedName(joinKey)}::text collate "C"` : '';
  }

  #attribute(call: Expression): FieldStatement {
    if (call.options.over !== undefined) throw new NotComputed('it is about what lies on a parcel');
    const layer = this.#source(call);
    const where = whereSql(call.where, layer);
    const value = this.#value(call);
    const { pick } = call.options;
    const order =
      pick === undefined
        ? `f.area_${this.#order(layer)}`
        : `f.${quotedName(call.argument!)} ${pick === 'max' ? 'desc' : 'asc'}`;
    const found = `(select ${value} from ${layer.table} f where st_intersects(f.geom_, p.geom_) and ${where} order by ${order} limit 1)`;
    const unknown = `exists (select 1 from ${layer.table} f where st_intersects(f.geom_, p.geom_) and (${where}) is null)`;
    return this.#statement([layer], `${found} as value_, ${this.#doubt(layer)} or ${unknown} as doubt_`, {
      ...{ anyCase: layer.anyCase.has(call.argument!), map: mapOf(call) },
    });
  }

  #nearest(call: Expression): FieldStatement {
    const layer = this.#source(call);
    const where = whereSql(call.where, layer);
    const value = call.op === 'nearest_attr' ? this.#value(call) : 'd::text';
    const from = `cross join lateral (
      select (array_agg(v order by d, k))[1] as v, min(d) as d,
        count(distinct coalesce(v, '')) filter (where d < least + ${TIE_M}) > 1 as tie
      from (select *, min(d) over () as least from (
        select ${value} as v, f.d, f.k from (
          select f.*, o.d, ${layer.joinKey ? `f.${quotedName(layer.joinKey)}::text collate "C"` : '0'} as k from (
            select id_, 0 as d from ${layer.table} f where st_intersects(f.geom_, p.geom_) and ${where}
            union all (select id_, st_distance(st_transform(e.geog_::geometry, ${ABOUT_POINT}), st_makepoint(0, 0)) from (
              select e.id_, e.geog_ from ${layer.table}_paths e join ${layer.table} f using (id_) where ${where}
              order by e.geog_ <-> p.geog_ limit ${CANDIDATES}) e)) o join ${layer.table} f using (id_)) f) g) h) n`;
    const limit = Number(call.options.max_km) * 1000;
    const reached = `case when n.d <= ${limit} then n.v end as value_`;
    const near = `n.d between ${limit} - 1 and ${limit} + 1`;
    return call.op === 'nearest_attr'
      ? this.#statement([layer], `${reached}, coalesce(n.tie or ${near}, false) as doubt_`, {
          from,
          anyCase: layer.anyCase.has(call.argument!),
          map: mapOf(call),
        })
      : this.#statement([layer], `${reached}, coalesce(${near}, false) as doubt_`, { from, off: METRES });
  }

  #around(call: Expression): FieldStatement {
    const layer = this.#source(call);
    if (call.options.distinct !== undefined) throw new NotComputed('it counts distinct values');
    const where = whereSql(call.where, layer);
    const radius = Number(call.options.radius_m);
    const counted = call.op === 'count_within';
    const column = counted ? '1' : `num(f.${quotedName(call.argument!)}::text)`;
    const agg = (test: string) =>
      counted
        ? `count(*) filter (where ${test})`
        : call.options.agg === 'max'
          ? `max(v) filter (where ${test})`
          : `coalesce(sum(v) filter (where ${test}), 0)`;
    const rim = RIM_M + radius * RIM_SHARE;
    const from = `cross join lateral (select ${agg(`d <= ${radius - rim}`)} as least, ${agg('true')} as most
      from (select st_distance(f.geog_, p.geog_) as d, ${column} as v from ${layer.table} f
        where ${where} and st_dwithin(f.geog_, p.geog_, ${radius + rim})) h) n`;
    return this.#statement([layer], 'n.least::text as value_, n.least is distinct from n.most as doubt_', {
      from,
      off: [1e-6, 1e-6],
    });
  }

  #share(call: Expression): FieldStatement {
    const layer = this.#source(call);
    const where = whereSql(call.where, layer);
    const [kind, metres] = String(call.options.over).split(':');
    const disc = `(select st_setsrid(st_makepolygon(st_makeline(array_agg(st_project(p.geog_, ${metres}, radians(-i))::geometry order by i))), 4326) from generate_series(0, 360) i)`;
    const parcel = kind === 'parcel' ? this.#layer({ dataset: 'parcel_store', layer: 'main' }) : null;
    const ground = parcel
      ? `(select case when count(*) = 1 then (array_agg(f.geom_))[1] end from ${parcel.table} f where st_intersects(f.geom_, p.geom_))`
      : disc;
    const from = `cross join lateral (select ${ground} as g) o cross join lateral (
      select coalesce(st_area(st_union(st_intersection(f.geom_, o.g)) filter (where w)::geography), 0) / nullif(st_area(o.g::geography), 0) as share,
        coalesce(bool_or(w is null or mended_), false) as unsure
      from (select f.geom_, f.mended_, ${where} as w from ${layer.table} f where st_intersects(f.geom_, o.g)) f) n`;
    const doubt = parcel ? ` or ${this.#doubt(parcel)}` : '';
    return this.#statement(
      [layer, ...(parcel ? [parcel] : [])],
      `n.share::text as value_, n.unsure${doubt} as doubt_`,
      { from, off: [1e-4, 2e-4] },
    );
  }

  #looked(call: Expression): FieldStatement {
    const table = this.#source(call);
    const key = KEYS[String(call.options.key)];
    if (!key) throw new NotComputed('the areas of its key are not among those that are looked up');
    const areas = this.#publication.layers.get(key[0]);
    if (!areas) throw new NotComputed('no published file of the place fills the areas of its key');
    const declared = layerOf(catalog.datasets, table.dataset, table.layer);
    if (declared.kind !== 'table') throw new NotComputed('it reads no table');
    const value = this.#value(call);
    const where = whereSql(call.where, table);
    const { agg } = call.options;
    const one =
      agg === undefined
        ? `min(${value})`
        : agg === 'latest'
          ? `(array_agg(${value} order by f."Year" desc))[1]`
          : agg === 'count'
            ? `count(${value})::text`
            : null;
    if (one === null) throw new NotComputed(`the aggregate ${agg} is not computed`);
    const from = `left join lateral (select f.${quotedName(key[1])}::text as k from ${areas.table} f where st_intersects(f.geom_, p.geom_) order by f.area_ limit 1) a on true
      left join lateral (select ${one} as v, count(*) as n from ${table.table} f where f.${quotedName(declared.key.column)}::text = a.k and ${where}) r on true`;
    // A county without rows may stand in the table under the number of another year.
    return this.#statement([areas], `r.v as value_, r.n = 0 or ${this.#doubt(areas)} as doubt_`, { from });
  }

  #parcel({ argument }: Expression): FieldStatement {
    const layer = this.#layer({ dataset: 'parcel_store', layer: 'main' });
    const own: Readonly<Record<string, readonly [string, readonly [number, number]]>> = {
      '@area_m2': ['f.area_::text', [1e-5, 0.08]],
      '@match_type': ["'contains'::text", EXACT],
      '@match_distance_m': ["'0'::text", EXACT],
    };
    if (!argument!.startsWith('@') && !layer.sourced.has(argument!)) {
      // What no roll publishes is taken from another layer over the parcel.
      const overlay = PARCEL_OVERLAYS[argument as keyof typeof PARCEL_OVERLAYS];
      if (overlay) return this.#majority(parseExpression(overlay.expression), layer);
      this.#requirePublished(layer, [argument!]);
    }
    const [value, off] = own[argument!] ?? [`f.${quotedName(argument!)}::text`, EXACT];
    const from = `cross join lateral (select count(*) as n, (array_agg(${value}))[1] as v from ${layer.table} f where st_intersects(f.geom_, p.geom_)) h`;
    // Of several parcels none answers, and beside all of them the nearest may: neither is judged.
    return this.#statement([layer], `h.v as value_, h.n <> 1 or ${this.#doubt(layer)} as doubt_`, { from, off });
  }

  /** The value that covers most of the parcel, and half of it or more. */
  #majority(call: Expression, parcels: PublishedLayer): FieldStatement {
    if (call.op !== 'polygon_attr' || call.options.stat !== 'majority')
      throw new NotComputed('it is measured over a parcel');
    const layer = this.#source(call);
    const from = `cross join lateral (select case when count(*) = 1 then (array_agg(f.geom_))[1] end as g from ${parcels.table} f where st_intersects(f.geom_, p.geom_)) o
      left join lateral (select v, share, lead(share, 1, 0) over (order by share desc) as next from (
        select ${this.#value(call)} as v, st_area(st_union(st_intersection(f.geom_, o.g))::geography) / st_area(o.g::geography) as share
        from ${layer.table} f where st_intersects(f.geom_, o.g) group by 1) s where v is not null order by share desc limit 1) m on true`;
    const doubt = `o.g is null or abs(m.share - 0.5) < ${SHARE_EDGE} or m.share - m.next < ${SHARE_EDGE} or ${this.#doubt(parcels)}`;
    return this.#statement(
      [parcels, layer],
      `case when m.share >= 0.5 then m.v end as value_, coalesce(${doubt}, false) as doubt_`,
      { from },
    );
  }

  #derived({ formula, inputs }: Expression): FieldStatement {
    const parts = Object.entries(inputs).map(([name, input]) => {
      const call = 'field' in input ? (catalog.fields.get(input.field) as Field).expression : input;
      return {
        name,
        statement: this.of(call),
        numeric: 'field' in input ? isNumber(catalog.fields.get(input.field)!) : true,
      };
    });
    const numeric = new Map(parts.map(part => [part.name, part.numeric]));
    const sources = [...new Set(parts.flatMap(({ statement }) => statement.sources))];
    const joins = parts.map(
      ({ statement }, i) => `${i === 0 ? 'from' : 'join'} (${statement.sql}) i${i}${i === 0 ? '' : ' using (id_)'}`,
    );
    const columns = new Map(parts.map(({ name }, i) => [name, `i${i}.value_`]));
    const value = formulaSql(formula!, columns, numeric);
    const doubt = parts.map((_, i) => `i${i}.doubt_`).join(' or ');
    const off = [
      Math.max(1e-6, ...parts.map(({ statement }) => statement.off[0])),
      Math.max(1e-6, ...parts.map(({ statement }) => statement.off[1])),
    ] as const;
    return {
      sql: `select id_, (${value})::text as value_, (${doubt}) as doubt_ ${joins.join(' ')}`,
      ...{ sources, off, anyCase: parts.some(({ statement }) => statement.anyCase) },
    };
  }
}

const mapOf = ({ options: { map } }: Expression) => (map === undefined ? undefined : String(map));
const isNumber = ({ type }: Field) => type === 'number' || type === 'integer';
