import type { AggregateRequest } from '../aggregate.ts';
import type { GroupBy } from '../dimension.ts';
import type { ExplainRequest } from '../explain.ts';
import type { SetRequest } from '../ground/set-ground.ts';
import { addsGround, type MeasureRequest } from '../measure.ts';
import type { Criterion, RankRequest } from '../rank.ts';
import type { SetFilter } from '../set-filter.ts';
import type { SimilarRequest } from '../similar.ts';
import { PARCEL_ID, SetQuery, type SetStatement, type SqlColumns } from './set-query.ts';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const list = (items: readonly string[]) => items.join(',\n  ');
const all = (conditions: readonly string[]) => conditions.join(' AND ') || 'true';

/** SQL of the parcels that pass every filter, with some columns. @throws NoSql. */
function matchesOf(query: SetQuery, filters: readonly SetFilter[], columns: readonly string[]): string {
  const where = filters.map(filter => `(${query.condition(filter)})`);
  return `SELECT\n  ${list(columns)}\n${query.from}\nWHERE ${where.join('\n  AND ') || 'true'}`;
}

const inner = (sql: string) => sql.replace(/^/gm, '  ');

/** Numbers of parcels that pass, of their outlines, and of parcels with each filter alone and left out. */
function countSql(query: SetQuery, { filters, bound }: SetRequest & { readonly bound?: number }): string {
  const judged = filters.map((filter, i) => `(${query.condition(filter)}) IS TRUE AS f${i}`);
  const places = filters.map((_, i) => `f${i}`);
  const to = (sql: string) => (bound === undefined ? sql : `least(${sql}, ${limit})`);
  const limit = bound === undefined ? '' : `${query.bind(bound)}::BIGINT`;
  const each = places.flatMap((place, i) => [
    `${to(`count(*) FILTER (${place})`)} AS alone_${i}`,
    `${to(`count(*) FILTER (${all(places.filter(other => other !== place))})`)} AS without_${i}`,
  ]);
  const columns = ['p.partition_key', 'p.geometry::VARCHAR AS outline', ...judged];
  return [
    `WITH judged AS (\n${inner(`SELECT\n  ${list(columns)}\n${query.from}`)}\n)`,
    `SELECT\n  ${list([
      `${to(`count(*) FILTER (${all(places)})`)} AS count`,
      `count(DISTINCT (partition_key, outline)) FILTER (${all(places)}) AS outlines`,
      ...each,
    ])}`,
    'FROM judged',
  ].join('\n');
}

/** SQL of where a column stands among the others, in hundredths (the mid-rank). */
const percentileOf = (column: string) =>
  `CASE WHEN ${column} IS NOT NULL THEN (100.0 * (rank() OVER (ORDER BY ${column} NULLS LAST) - 1) + 50.0 * count(*) OVER (PARTITION BY ${column})) / count(${column}) OVER () END`;

/** The first by fields in turn, or by a score. */
function rankSql(query: SetQuery, { filters, criteria, scored, limit }: RankRequest): string {
  const values = criteria.map((criterion, i) => `${query.value(criterion)} AS v${i}`);
  // Percentiles of a wish for what is near a number are of the distance from it.
  const measured = ({ prefer }: Criterion, i: number) =>
    typeof prefer === 'object' ? `abs(v${i} - ${query.bind(prefer.near)})` : `v${i}`;
  const matches = matchesOf(query, filters, [`${PARCEL_ID} AS parcel_id`, ...values]);
  const wishes = criteria.map((criterion, i) => `${measured(criterion, i)} AS m${i}`);
  const percentiles = criteria.map((_, i) => `${percentileOf(`m${i}`)} AS percentile_${i}`);
  const told = criteria.flatMap(({ name }, i) => [`v${i} AS ${quoted(name)}`, `percentile_${i}`]);
  const weights = (scored ? criteria : []).map(({ weight }) => query.bind(weight));
  const shares = criteria.map(
    ({ prefer }, i) => `${weights[i]} * ${prefer === 'high' ? `percentile_${i}` : `(100 - percentile_${i})`}`,
  );
  const score = scored ? [`(${shares.join(' + ')}) / (${weights.join(' + ')}) AS score`] : [];
  const order = scored
    ? ['score DESC NULLS LAST']
    : criteria.map(({ direction }, i) => `v${i} ${direction.toUpperCase()} NULLS LAST`);
  return [
    `WITH matches AS (\n${inner(matches)}\n),`,
    `wishes AS (SELECT *, ${wishes.join(', ')} FROM matches),`,
    `ranked AS (\n  SELECT *,\n    ${percentiles.join(',\n    ')}\n  FROM wishes\n)`,
    `SELECT\n  ${list(['parcel_id', ...score, ...told])}`,
    'FROM ranked',
    `ORDER BY ${[...order, 'parcel_id'].join(', ')}`,
    `LIMIT ${query.bind(limit)}::BIGINT`,
  ].join('\n');
}

/** SQL for what parcels are grouped by. */
function keyOf(query: SetQuery, by: GroupBy): string {
  switch (by.by) {
    case 'county':
      return query.value({ name: 'geoid', kind: 'string' });
    case 'city':
      return `nullif(${query.value({ name: 'city', kind: 'city' })}, '')`;
    case 'zip':
      return `coalesce(nullif(trim(${query.column('szip5')}), ''), nullif(left(trim(${query.column('szip')}), 5), ''))`;
    case 'h3':
      return `plat_h3(p.centroid_lat, p.centroid_lon, ${query.bind(by.resolution)}::INTEGER)`;
    case 'bins': {
      const value = query.value(by.field);
      return `CASE WHEN ${value} IS NOT NULL THEN len(list_filter(${query.bind(by.edges)}::DOUBLE[], edge -> edge <= ${value})) END`;
    }
    case 'field':
      return query.column(by.field.name);
  }
}

/** SQL for a measure of a group. @param value the column of its values. */
function measureOf(query: SetQuery, measure: MeasureRequest, value: string, stacked: boolean): string {
  const { op, field, q } = measure;
  if (!field) return 'count(*)';
  const values = `list_sort(list(${value}) FILTER (${value} IS NOT NULL))`;
  // The least value that so large a share of the values does not exceed.
  if (op === 'quantile') return `${values}[greatest(1, ceil(${query.bind(q)} * count(${value})))::BIGINT]`;
  const once = !stacked && addsGround(measure) ? ' FILTER (lot = 1)' : '';
  return `${op === 'mean' ? 'avg' : op}(${value})${once}`;
}

/** Groups with measures, the one with the most parcels first. */
function aggregateSql(query: SetQuery, { filters, groupBy, measures, stacked }: AggregateRequest): string {
  const keys = groupBy.map((by, i) => `${keyOf(query, by)} AS g${i}`);
  const values = measures.flatMap(({ field }, i) => (field ? [`${query.value(field)} AS v${i}`] : []));
  const grounds = !stacked && measures.some(addsGround);
  const ground = grounds ? ['p.partition_key', 'p.ord', 'p.geometry::VARCHAR AS outline'] : [];
  const places = groupBy.map((_, i) => `g${i}`);
  const results = measures.map((measure, i) => `${measureOf(query, measure, `v${i}`, stacked)} AS m${i}`);
  const matches = matchesOf(query, filters, [...keys, ...values, ...ground, 'true AS passes']);
  // Ground counts once in a group, however many rows lie on it.
  const lots = `row_number() OVER (PARTITION BY ${[...places, 'partition_key', 'outline'].join(', ')} ORDER BY ord) AS lot`;
  return [
    `WITH matches AS (\n${inner(matches)}\n)`,
    ...(grounds ? [`, lots AS (SELECT *, ${lots} FROM matches)`] : []),
    `SELECT\n  ${list([...places, 'count(*) AS count', ...results])}`,
    `FROM ${grounds ? 'lots' : 'matches'}`,
    ...(places.length > 0 ? [`GROUP BY ${places.join(', ')}`] : ['HAVING count(*) > 0']),
    `ORDER BY ${['count DESC', ...places].join(', ')}`,
  ].join('\n');
}

/** The parcels that pass with the columns of an export, in stored order. */
function partSql(query: SetQuery, { filters, outputs }: SetRequest): string {
  const columns = outputs.map(name =>
    name === 'geometry' ? 'p.geometry' : `${query.value({ name, kind: 'string' })} AS ${quoted(name)}`,
  );
  return `${matchesOf(query, filters, [`${PARCEL_ID} AS parcel_id`, ...columns])}\nORDER BY p.partition_key, p.ord`;
}

/** The verdict of each filter on a parcel; without a parcel a count. */
function explainSql(query: SetQuery, request: ExplainRequest): string {
  const { filters, parcelId } = request;
  if (parcelId === null) return countSql(query, request);
  const judged = filters.map((filter, i) => `(${query.condition(filter)}) IS TRUE AS f${i}`);
  const id = query.bind(parcelId);
  return `SELECT\n  ${list(judged.length > 0 ? judged : ['true AS passes'])}\n${query.from}\nWHERE ${PARCEL_ID} = ${id}`;
}

/** The parcels most like one, with the difference of each field in standard deviations. */
function similarSql(query: SetQuery, { filters, parcelId, fields, limit }: SimilarRequest): string {
  const values = fields.map((field, i) => `${query.value(field)} AS v${i}`);
  const matches = matchesOf(query, filters, [`${PARCEL_ID} AS parcel_id`, ...values]);
  const id = query.bind(parcelId);
  const own = `SELECT\n  ${list(values.map((value, i) => value.replace(/ AS v\d+$/, ` AS own_${i}`)))}\n${query.from}\nWHERE ${PARCEL_ID} = ${id}`;
  const spreads = fields.map((_, i) => `stddev_pop(v${i}) AS s${i}`);
  // Not compared: a field of which the parcel has no value, or all others the same one.
  const isCompared = (i: number) => `(own_${i} IS NOT NULL AND s${i} > 0)`;
  const away = fields.map((_, i) => `CASE WHEN ${isCompared(i)} THEN abs(v${i} - own_${i}) / s${i} END AS away_${i}`);
  const squares = fields.map((_, i) => `CASE WHEN ${isCompared(i)} THEN away_${i} ** 2 ELSE 0 END`);
  const compared = fields.map((_, i) => isCompared(i)).join(' OR ');
  return [
    `WITH matches AS (\n${inner(matches)}\n),`,
    `own AS (\n${inner(own)}\n),`,
    `spreads AS (SELECT ${spreads.join(', ')} FROM matches),`,
    `away AS (SELECT *, ${away.join(', ')} FROM matches, own, spreads WHERE ${compared})`,
    `SELECT\n  ${list(['parcel_id', `sqrt(${squares.join(' + ')}) AS distance`, ...fields.flatMap(({ name }, i) => [`v${i} AS ${quoted(name)}`, `away_${i}`])])}`,
    'FROM away',
    `WHERE parcel_id <> ${id} AND distance IS NOT NULL`,
    'ORDER BY distance, parcel_id',
    `LIMIT ${query.bind(limit)}::BIGINT`,
  ].join('\n');
}

/** Statements in SQL for questions about sets, by the name of their task. */
const STATEMENTS = {
  count: countSql,
  rank: rankSql,
  aggregate: aggregateSql,
  setPart: partSql,
  matchTile: (query: SetQuery, request: SetRequest) => partSql(query, { ...request, outputs: ['apn', 'geometry'] }),
  explain: explainSql,
  similar: similarSql,
} as const satisfies Readonly<Record<string, (query: SetQuery, request: never) => string>>;

/** A question that SQL says. */
export type SqlTask = keyof typeof STATEMENTS;
export const isSqlTask = (name: string): name is SqlTask => Object.hasOwn(STATEMENTS, name);

/**
 * A judged question about a set as SQL that `plat sql` runs over the tables of its release, with every value of the request as a
 * parameter. A calculation that failed has no value there.
 * @throws NoSql where no column holds what it names.
 */
export function sqlOfSet(task: SqlTask, request: SetRequest, columns: SqlColumns): SetStatement {
  const query = new SetQuery(columns);
  const sql = STATEMENTS[task](query, request as never);
  return { sql, parameters: query.values };
}
