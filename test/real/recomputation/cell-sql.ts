import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { type Cells, locatePoints, measureSlopes } from './cells.ts';
import { conditionSql } from './condition-sql.ts';
import { type FieldStatement, NotComputed } from './field-sql.ts';
import type { Publication } from './publication.ts';

/** Share of a cell from its edge within which the last digits of a projection decide. */
const EDGE = 1e-4;
/** Metres about the rim of a disc within which a cell's center may be in it or not. */
const RIM_M = 0.01;
/** Shares of a disc's cells with data that are surely too few and surely enough: half must have it. */
const [FEW, ENOUGH] = [0.45, 0.55];
/** Degrees about the edge of a sector, and percent about 2, within which either may be right. */
const SECTOR_EDGE = 0.05;
const SECTORS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/** Writes fields of rasters as statements over their cells. */
export class CellWriter {
  readonly #publication: Publication;
  readonly #made = new Set<string>();

  constructor(publication: Publication) {
    this.#publication = publication;
  }

  /** @throws NotComputed with the reason. */
  async of(call: Expression): Promise<FieldStatement> {
    const [{ dataset, layer }] = call.sources as [SourceRef];
    const source = `${dataset}:${layer}`;
    const cells = this.#publication.cells.get(source);
    if (!cells || call.sources.length > 1) throw new NotComputed('no published file of the place fills its layer');
    await this.#once(`${source} at`, () => locatePoints(this.#publication.db, cells, source));
    if (call.op === 'raster_sample') return this.#sampled(call, cells, source);
    if (call.op === 'raster_terrain') {
      if (!cells.inDegrees) throw new NotComputed('slopes are computed of grids in degrees');
      await this.#once(`${source} slopes`, () => measureSlopes(this.#publication.db, cells));
      if (call.options.over === undefined)
        return call.argument === 'tpi' ? this.#position(call, cells, source) : this.#terrain(call, cells, source);
    }
    return this.#zonal(call, cells, source);
  }

  async #once(key: string, make: () => Promise<void>): Promise<void> {
    if (this.#made.has(key)) return;
    this.#made.add(key);
    await make();
  }

  #statement(
    columns: string,
    from: string,
    source: string,
    { off = [1e-9, 1e-6] as const, map }: Partial<FieldStatement> = {},
  ): FieldStatement {
    return {
      sql: `select p.id_, ${columns} from points p ${from} where p.source_ = any($1)`,
      ...{ sources: [source], off, map, anyCase: false },
    };
  }

  #bilinear({ table }: Cells): string {
    return `(select case when (select v_ from ${table} where c_ = floor(a.u_) and r_ = floor(a.v_)) is not null then sum(q.w * q.v_) / nullif(sum(q.w), 0) end
      from (select c.v_, (1 - abs(a.u_ - 0.5 - c.c_)) * (1 - abs(a.v_ - 0.5 - c.r_)) as w from ${table} c
        where c.c_ between floor(a.u_ - 0.5) and floor(a.u_ - 0.5) + 1 and c.r_ between floor(a.v_ - 0.5) and floor(a.v_ - 0.5) + 1 and c.v_ is not null) q)`;
  }

  #sampled(call: Expression, cells: Cells, source: string): FieldStatement {
    const { dataset, layer } = call.sources[0]!;
    const smooth = `${dataset}:${layer}` === 'usgs_3dep:main';
    const value = smooth
      ? this.#bilinear(cells)
      : `(select c.v_ from ${cells.table} c where c.c_ = floor(a.u_) and c.r_ = floor(a.v_) and c.v_ = a.cell_)`;
    const { scale, offset, map } = call.options;
    const scaled =
      scale === undefined && offset === undefined ? value : `${value} * ${Number(scale ?? 1)} + ${Number(offset ?? 0)}`;
    return this.#statement(
      `(${scaled})::text as value_, ${edge} as doubt_`,
      `join ${cells.table}_at a using (id_)`,
      source,
      {
        ...{ off: [1e-9, smooth ? 0.01 : 1e-9], map: map === undefined ? undefined : String(map) },
      },
    );
  }

  #terrain({ argument }: Expression, { table }: Cells, source: string): FieldStatement {
    const from = `join ${table}_at a using (id_) left join ${table}_slopes s on s.c_ = floor(a.u_) and s.r_ = floor(a.v_)`;
    if (argument === 'aspect_cardinal') {
      const sector = `(array[${SECTORS.map(name => `'${name}'`).join(', ')}])[1 + floor((s.aspect_degrees + 22.5) / 45)::int % 8]`;
      const value = `case when s.slope_percent < 2 then 'flat' else ${sector} end`;
      const doubt = `coalesce(abs(s.slope_percent - 2) < 0.001 or abs(((s.aspect_degrees + 22.5)::numeric % 45) - 22.5) > 22.5 - ${SECTOR_EDGE}, false)`;
      return this.#statement(`${value} as value_, ${edge} or ${doubt} as doubt_`, from, source);
    }
    const turn = argument === 'aspect_degrees' ? ' or s.aspect_degrees < 0.05 or s.aspect_degrees > 359.95' : '';
    return this.#statement(`s.${argument}::text as value_, coalesce(${edge}${turn}, false) as doubt_`, from, source, {
      off: [1e-5, 0.002],
    });
  }

  /** Cells about each point of a source within a radius with their slopes: a table. */
  async #disc(cells: Cells, radius: number, source: string): Promise<string> {
    const { table, inDegrees: slopes, leastM, width, height } = cells;
    const reach = Math.ceil(radius / leastM) + 2;
    if (reach > Math.min(width, height)) throw new NotComputed('the published raster is smaller than the disc');
    const disc = `${table}_${radius}`;
    if (slopes) await this.#once(`${source} slopes`, () => measureSlopes(this.#publication.db, cells));
    await this.#once(disc, async () => {
      const { db } = this.#publication;
      const measures = slopes
        ? 's.slope_percent, s.slope_degrees'
        : 'null::float8 as slope_percent, null::float8 as slope_degrees';
      await db.query(`create table ${disc} as select * from (
        select a.id_, c.v_ as value, ${measures}, st_distance(c.geom_::geography, p.geog_) as d
        from ${table}_at a join points p using (id_) join ${table} c on c.c_ between floor(a.u_) - ${reach} and floor(a.u_) + ${reach}
          and c.r_ between floor(a.v_) - ${reach} and floor(a.v_) + ${reach} ${slopes ? `left join ${table}_slopes s using (c_, r_)` : ''}) q
        where d < ${radius} + 1`);
      await db.query(`create index on ${disc} (id_)`);
      await db.query(`analyze ${disc}`);
    });
    return disc;
  }

  async #position({ options }: Expression, cells: Cells, source: string): Promise<FieldStatement> {
    const radius = Number(options.window_m) / 2;
    const disc = await this.#disc(cells, radius, source);
    const from = `join ${cells.table}_at a using (id_) ${discs(disc, radius, 'avg(value)', 'value')}`;
    return this.#statement(
      `(${this.#bilinear(cells)} - z.v)::text as value_, ${edge} or z.doubt as doubt_`,
      from,
      source,
      { off: [1e-9, 0.02] },
    );
  }

  async #zonal(call: Expression, cells: Cells, source: string): Promise<FieldStatement> {
    const [kind, metres] = String(call.options.over).split(':');
    if (kind !== 'radius') throw new NotComputed('it is about the cells of a parcel');
    const radius = Number(metres);
    const disc = await this.#disc(cells, radius, source);
    const measure = call.op === 'raster_terrain' ? call.argument! : 'value';
    const meets = call.where ? this.#meets(call.where, measure) : 'true';
    const statistics: Readonly<Record<string, string>> = {
      mean: `avg(${measure}) filter (where ${meets})`,
      range: `max(${measure}) filter (where ${meets}) - min(${measure}) filter (where ${meets})`,
      fraction: `count(*) filter (where ${measure} is not null and ${meets})::float8 / nullif(count(${measure}), 0)`,
      majority: `mode() within group (order by ${measure}) filter (where ${meets})`,
    };
    const statistic = statistics[String(call.options.stat)];
    if (!statistic) throw new NotComputed(`the statistic ${call.options.stat} is not computed`);
    const { map } = call.options;
    return this.#statement('z.v::text as value_, z.doubt as doubt_', discs(disc, radius, statistic, measure), source, {
      ...{ off: [1e-6, 1e-5], map: map === undefined ? undefined : String(map) },
    });
  }

  #meets(where: Condition, measure: string): string {
    return conditionSql(where, { text: () => `${measure}::text`, number: () => measure });
  }
}

/** A statistic of the cells in the discs about all points (`z.v`); nothing where too few have data. */
const discs = (disc: string, radius: number, statistic: string, measure: string) => `join (
  with one as (select id_, ${statistic} as v, count(${measure}) as valid, count(*) as n from ${disc} where d <= ${radius} group by id_),
    whole as (select percentile_disc(0.9) within group (order by n) as usual from one)
  select id_, case when valid >= ${ENOUGH} * usual then v end as v,
    (valid > ${FEW} * usual and valid < ${ENOUGH} * usual) or id_ in (select id_ from ${disc} where abs(d - ${radius}) < ${RIM_M}) as doubt
  from one, whole) z using (id_)`;

/** Whether a point lies so near the edge of a cell that the last digits of a projection decide. */
const edge = `(abs(a.u_ - round(a.u_)) < ${EDGE} or abs(a.v_ - round(a.v_)) < ${EDGE})`;
