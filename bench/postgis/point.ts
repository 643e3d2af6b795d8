import { catalog, layerOf } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { Condition, Literal } from '../../datasets/grammar/condition.ts';
import { layersOfKey } from '../../query/evaluate/area-key.ts';
import { tableOf } from './layers.ts';
import { quoted } from './schema.ts';

/** One statement that answers every field at a point ($1 lng, $2 lat). */
export interface PointStatement {
  readonly text: string;
  /** The same at all points of a set ($1 lngs, $2 lats), a row each. */
  readonly setText: string;
}

const literal = (value: Literal, asOf: string): string => {
  if (typeof value === 'object') return `'${Number(asOf.slice(0, 4)) - value.todayMinusYears}${asOf.slice(4)}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
};

function condition(c: Condition, asOf: string): string {
  if ('terms' in c) return `(${c.terms.map(term => condition(term, asOf)).join(` ${c.kind.toUpperCase()} `)})`;
  if (c.kind === 'unknown') return `((${condition(c.of, asOf)}) IS NULL)`;
  const column = quoted(c.column);
  switch (c.kind) {
    case 'compare':
      return `${column} ${c.op === '!=' ? '<>' : c.op} ${literal(c.value, asOf)}`;
    case 'in':
      return `(${c.items
        .map(item =>
          typeof item === 'object' && 'low' in item
            ? `${column} BETWEEN ${item.low} AND ${item.high}`
            : `${column} = ${literal(item, asOf)}`,
        )
        .join(' OR ')})`;
    case 'like':
      return `${column} LIKE '${c.pattern.replaceAll("'", "''")}'`;
    case 'null':
      return `${column} IS ${c.negated ? 'NOT ' : ''}NULL`;
  }
}

const AGGREGATES: Readonly<Record<string, (column: string) => string>> = {
  count: column => `count(${column})`,
  count_distinct: column => `count(DISTINCT ${column})`,
  sum: column => `coalesce(sum(${column}), 0)`,
  mean: column => `avg(${column})`,
  max: column => `max(${column})`,
};

/** Whether a field is one that PostGIS answers from one layer as Plat does: a vector or key field without special rules. */
export function isComparable({ expression }: Field): boolean {
  const { op, sources, options, nulls } = expression;
  const known = ['polygon_attr', 'polygon_within', 'nearest_distance', 'nearest_attr', 'count_within', 'area_key_attr'];
  if (!known.includes(op) || sources.length !== 1 || nulls.length) return false;
  const { dataset, layer } = sources[0]!;
  if (dataset === 'parcel_store' || layerOf(catalog.datasets, dataset, layer).kind === 'raster') return false;
  if (options.coverage || options.distinct || options.map || options.pick || options.scale) return false;
  if (op === 'area_key_attr')
    return layersOfKey(String(options.key)).length === 1 && (!options.agg || String(options.agg) in AGGREGATES);
  return true;
}

/** Layers that the statements of fields read, those of area keys among them. */
export function sourcesOf(fields: readonly Field[]): Set<string> {
  return new Set(
    fields.flatMap(({ expression: { sources, op, options } }) => [
      ...sources.map(({ dataset, layer }) => `${dataset}:${layer}`),
      ...(op === 'area_key_attr'
        ? layersOfKey(String(options.key)).map(({ dataset, layer }) => `${dataset}:${layer}`)
        : []),
    ]),
  );
}

/** Column of the tables that breaks ties. */
function tieOf(dataset: string, layer: string): string {
  const found = layerOf(catalog.datasets, dataset, layer);
  return found.kind === 'vector' && found.joinKey ? `, ${quoted(found.joinKey)}` : '';
}

/**
 * The statement of some fields of any layers: a column each, in order. Fields that ask the same polygon or the same nearest
 * feature share one search of it, as a careful author would write it.
 * @param asOf YYYY-MM-DD that `@today` stands for.
 */
export function pointStatement(fields: readonly Field[], asOf: string): PointStatement {
  const laterals = new Map<string, string>();
  const shared = (sql: string) => {
    const known = laterals.get(sql) ?? `q${laterals.size}`;
    laterals.set(sql, known);
    return known;
  };
  const selected = fields.map(({ expression }) => {
    const { op, argument, options } = expression;
    const { dataset, layer } = expression.sources[0]!;
    const table = tableOf(dataset, layer);
    const test = expression.where ? condition(expression.where, asOf) : 'true';
    const tie = tieOf(dataset, layer);
    if (op === 'polygon_attr')
      return `${shared(`SELECT * FROM ${table} WHERE ST_Intersects(geom, p.g) AND ${test} ORDER BY area${tie} LIMIT 1`)}.${quoted(argument!)}`;
    if (op === 'polygon_within') return `EXISTS (SELECT 1 FROM ${table} WHERE ST_Intersects(geom, p.g) AND ${test})`;
    if (op === 'count_within')
      return `(SELECT count(*)::float8 FROM ${table} WHERE ST_DWithin(geog, p.gg, ${options.radius_m}) AND ${test})`;
    if (op === 'area_key_attr') {
      const [key] = layersOfKey(String(options.key));
      const definition = layerOf(catalog.datasets, dataset, layer);
      const keyColumn = definition.kind === 'table' ? definition.key.column : '';
      const area = shared(
        `SELECT ${quoted(key!.column)} AS area_key FROM ${tableOf(key!.dataset, key!.layer)} WHERE ST_Intersects(geom, p.g) ORDER BY area LIMIT 1`,
      );
      const where = `${quoted(keyColumn)} = ${area}.area_key AND ${test}`;
      if (options.agg)
        return `(SELECT ${AGGREGATES[String(options.agg)]!(quoted(argument!))}::float8 FROM ${table} WHERE ${where})`;
      return `${shared(`SELECT * FROM ${table} WHERE ${where}`)}.${quoted(argument!)}`;
    }
    const nearest = shared(
      `SELECT *, ST_Distance(geog, p.gg) AS metres FROM ${table} WHERE ${test} ORDER BY geog <-> p.gg LIMIT 1`,
    );
    const reach = Number(options.max_km) * 1000;
    const column = op === 'nearest_distance' ? 'metres' : quoted(argument!);
    return `CASE WHEN ${nearest}.metres <= ${reach} THEN ${nearest}.${column} END`;
  });
  const joins = [...laterals].map(([sql, name]) => ` LEFT JOIN LATERAL (${sql}) ${name} ON true`).join('');
  const query = `SELECT ${selected.map((sql, i) => `${sql} AS c${i}`).join(', ')} FROM p${joins}`;
  const point = 'ST_SetSRID(ST_MakePoint(x, y), 4326)';
  const points = (at: string) => `WITH p AS (SELECT ${point} AS g, ${point}::geography AS gg FROM ${at})`;
  return {
    text: `${points('(SELECT $1::float8 AS x, $2::float8 AS y) at')} ${query}`,
    setText: `${points('unnest($1::float8[], $2::float8[]) AS at(x, y)')} ${query}`,
  };
}
