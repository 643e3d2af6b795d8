import type { Group } from '../../query/sets/aggregate.ts';
import { aggregateMatches } from '../../server/sets/aggregate.ts';
import type { AreaCtx, SetServices } from '../../server/sets/area-source.ts';
import { countMatches } from '../../server/sets/count.ts';
import { rankMatches } from '../../server/sets/rank.ts';
import { quoted } from '../postgis/schema.ts';
import type { Profile } from '../search/profile.ts';

/** A question about a set in the words of each side; the answers are rows that must be the same. */
export interface SetQuestion {
  readonly name: string;
  readonly ours: (ctx: AreaCtx, services: SetServices) => Promise<readonly unknown[]>;
  /** For PostGIS, over the table of parcels. */
  readonly sql: string;
  /** For DuckDB, over the files of parcels; null where it has no such predicate. */
  readonly scan: string | null;
  readonly values: readonly unknown[];
}

/** The highest bound of a count: a peer's own count is held against it. */
const BOUND = 1_000_000;
const bounded = (count: string): string => `least(${BOUND}, ${count})`;

type Filter = { readonly field: string; readonly op: string; readonly value?: unknown };

/** A box about a place, some ten kilometres wide. */
function areaAbout(lng: number, lat: number) {
  const [dx, dy] = [0.06, 0.045];
  const ring = [
    [lng - dx, lat - dy],
    [lng + dx, lat - dy],
    [lng + dx, lat + dy],
    [lng - dx, lat + dy],
    [lng - dx, lat - dy],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** Mid-rank in hundredths, as Plat tells percentiles. */
const percentileOf = (column: string) =>
  `(100 * (rank() OVER (ORDER BY ${column}) - 1 + count(*) OVER (PARTITION BY ${column}) / 2.0) / count(*) OVER ())`;

/** The questions of the bench. */
export function questionsOf({ states, code, text, number, percentiles, samples }: Profile): SetQuestion[] {
  const [state] = states;
  const [sample] = samples;
  const [c, t, n] = [quoted(code), quoted(text), quoted(number)];
  const base: Filter = { field: 'state', op: 'in', value: [...states] };
  const [low, high] = [percentiles[25]!, percentiles[75]!];
  const part = String(sample!.text).slice(0, 4).toLowerCase();
  const area = areaAbout(sample!.lng, sample!.lat);
  const count =
    (filters: readonly Filter[]): SetQuestion['ours'] =>
    async (ctx, services) => {
      const { count: all, per_filter: each } = await countMatches(ctx, services, { filters, bound: BOUND });
      return [[all, ...each.slice(1).map(({ alone }) => alone)]];
    };
  const counted = (...wheres: readonly string[]) => {
    const alone = wheres.map(where => `, ${bounded(`count(*) FILTER (WHERE ${where})`)}`).join('');
    return `SELECT ${bounded(`count(*) FILTER (WHERE ${wheres.join(' AND ')})`)}${alone} FROM parcel`;
  };
  const bare = (...wheres: readonly string[]) =>
    `SELECT ${bounded('count(*)')} FROM parcel WHERE ${wheres.join(' AND ')}`;
  const rank =
    (body: object): SetQuestion['ours'] =>
    async (ctx, services) => {
      const { matches } = await rankMatches(ctx, services, body);
      return (JSON.parse(matches) as { score?: number; criteria: Record<string, { value: unknown }> }[]).map(
        ({ score, criteria }) => [
          ...(score === undefined ? [] : [score]),
          ...(score === undefined ? Object.values(criteria).map(({ value }) => value) : []),
        ],
      );
    };
  const aggregate =
    (body: object): SetQuestion['ours'] =>
    async (ctx, services) => {
      const { groups } = await aggregateMatches(ctx, services, body);
      return (JSON.parse(groups) as Group[]).map(({ key, count: all, measures }) => [
        ...key.map(one => (typeof one === 'object' && one !== null ? one.from : one)),
        all,
        ...measures.map(({ value }) => value),
      ]);
    };
  const numberFilter = { field: number, op: 'gt', value: low };
  const between = { field: number, op: 'between', value: [low, high] };
  const codeFilter = { field: code, op: 'eq', value: sample!.code };
  const both = [`${c} = $1`, `${n} BETWEEN $2 AND $3`];
  const grouped = `${c}, count(*), sum(${n}), avg(${n}), percentile_disc(0.5) WITHIN GROUP (ORDER BY ${n})`;
  const measures = [
    { op: 'sum', field: number },
    { op: 'mean', field: number },
    { op: 'quantile', field: number, q: 0.5 },
  ];
  const bins = `CASE WHEN ${n} < $2 THEN NULL WHEN ${n} < $3 THEN $2::float8 ELSE $3::float8 END`;
  return [
    {
      name: 'count, two filters, each alone too',
      ours: count([base, codeFilter, between]),
      sql: counted(...both),
      scan: counted(...both),
      values: [sample!.code, low, high],
    },
    {
      name: 'count, two filters, the count alone of the peer',
      ours: async (...args) => [[((await count([base, codeFilter, between])(...args)) as number[][])[0]![0]]],
      sql: bare(...both),
      scan: bare(...both),
      values: [sample!.code, low, high],
    },
    {
      name: 'count, text contains, and a number',
      ours: count([base, { field: text, op: 'contains', value: part }, numberFilter]),
      sql: counted(`strpos(lower(${t}), $1) > 0`, `${n} > $2`),
      scan: counted(`contains(lower(${t}), $1)`, `${n} > $2`),
      values: [part, low],
    },
    {
      name: 'count, within an area, and a number',
      ours: count([base, { field: 'geometry', op: 'within', value: area }, numberFilter]),
      sql: `SELECT (SELECT ${bounded('count(*)')} FROM parcel WHERE ST_CoveredBy(geom, ST_SetSRID(ST_GeomFromGeoJSON($1), 0)) AND ${n} > $2), (SELECT ${bounded('count(*)')} FROM parcel WHERE ST_CoveredBy(geom, ST_SetSRID(ST_GeomFromGeoJSON($1), 0))), (SELECT ${bounded('count(*)')} FROM parcel WHERE ${n} > $2)`,
      scan: null,
      values: [JSON.stringify(area), low],
    },
    {
      name: 'rank, first 20 by two fields',
      ours: rank({
        filters: [base, codeFilter],
        order_by: [
          { field: number, direction: 'desc' },
          { field: 'acreage', direction: 'asc' },
        ],
      }),
      sql: `SELECT ${n}, acreage FROM parcel WHERE ${c} = $1 ORDER BY ${n} DESC NULLS LAST, acreage ASC NULLS LAST LIMIT 20`,
      scan: `SELECT ${n}, acreage FROM parcel WHERE ${c} = $1 ORDER BY ${n} DESC NULLS LAST, acreage ASC NULLS LAST LIMIT 20`,
      values: [sample!.code],
    },
    {
      name: 'rank, score of two fields over all parcels',
      ours: rank({
        filters: [base, { field: number, op: 'not_null' }, { field: 'acreage', op: 'not_null' }],
        score: [
          { field: number, weight: 2, prefer: 'high' },
          { field: 'acreage', weight: 1, prefer: 'low' },
        ],
      }),
      ...scoreOf(n),
      values: [],
    },
    {
      name: 'aggregate, by a code: sum, mean, median',
      ours: aggregate({ filters: [base], group_by: [code], measures, stacked: true }),
      sql: `SELECT ${grouped} FROM parcel GROUP BY 1`,
      scan: `SELECT ${grouped.replace(/percentile_disc.*$/, `quantile_disc(${n}, 0.5)`)} FROM parcel GROUP BY 1`,
      values: [],
    },
    {
      name: 'aggregate, by bins of a number, of those that pass',
      ours: aggregate({
        filters: [base, codeFilter, { field: number, op: 'not_null' }],
        group_by: [{ bins: number, edges: [low, high] }],
        measures: [{ op: 'mean', field: 'acreage' }],
      }),
      sql: `SELECT ${bins}, count(*), avg(acreage) FROM parcel WHERE ${c} = $1 AND ${n} IS NOT NULL GROUP BY 1`,
      scan: null,
      values: [sample!.code, low, high],
    },
    {
      name: 'aggregate, all of a state in one group',
      ours: aggregate({
        filters: [{ field: 'state', op: 'eq', value: state }],
        measures: [
          { op: 'min', field: number },
          { op: 'max', field: number },
          { op: 'count', field: text },
        ],
      }),
      sql: `SELECT count(*), min(${n}), max(${n}), count(${t}) FROM parcel WHERE partition_state = $1`,
      scan: null,
      values: [state],
    },
  ];
}

function scoreOf(n: string) {
  const sql = `SELECT (2 * a + 100 - b) / 3 FROM (SELECT ${percentileOf(n)} AS a, ${percentileOf('acreage')} AS b FROM parcel WHERE ${n} IS NOT NULL AND acreage IS NOT NULL) x ORDER BY 1 DESC LIMIT 20`;
  return { sql, scan: sql };
}
