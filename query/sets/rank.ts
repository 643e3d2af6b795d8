import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Notice } from '../search/page/notices.ts';
import type { Issue } from '../search/request/issue.ts';
import { type SetField, valueOfNumber } from './column-values.ts';
import { onGround, type SetGround, type SetRequest } from './ground/set-ground.ts';
import { MatchList } from './match-list.ts';
import { Percentiles } from './percentiles.ts';
import { RankOrder } from './rank-order.ts';
import { RankRows } from './rank-rows.ts';
import { Selection } from './selection.ts';
import { noticesOfSet } from './set-notices.ts';
import { SetTooLarge } from './set-size.ts';

/** What parcels are ranked by. */
export interface Criterion extends SetField {
  /** Which values come first, where no score is made. */
  readonly direction: 'asc' | 'desc';
  /** Of a score: how much it counts, and which values are best: high, low, or near a number. */
  readonly weight: number;
  readonly prefer: 'high' | 'low' | { readonly near: number };
}

/** A judged question for the first parcels of a set, plain data. */
export interface RankRequest extends SetRequest {
  readonly criteria: readonly Criterion[];
  /** Whether the criteria make one score, instead of being looked at one after another. */
  readonly scored: boolean;
  readonly limit: number;
}

/** The first parcels of a set. */
export interface Ranking {
  /** JSON array of matches, each with its place and criteria. */
  readonly matches: string;
  /** Parcels that pass every filter. */
  readonly considered: number;
  /** Those of them that lack a criterion, and those for which the calculation of one failed: these have no place. */
  readonly absent: number;
  readonly failed: number;
  /** Parcels for which a filter's calculation failed. */
  readonly unknown: number;
  readonly unread: boolean;
  /** Criteria without any value among the parcels. */
  readonly empty: readonly string[];
  readonly notices: readonly Notice[];
}

/** A ranking, or what is wrong with the request. */
export type RankAnswer = Ranking | { readonly issues: readonly Issue[] };

/** Rows between two steps. */
const STEP = 1 << 15;

/** The values that percentiles are of: of a wish for what is near a number their distance from it. */
const measured = (values: Float64Array, prefer: Criterion['prefer']): Float64Array =>
  typeof prefer === 'object' ? values.map(value => Math.abs(value - prefer.near)) : values;

/** The values that are there. */
function present(values: Float64Array): Float64Array {
  const list = new Float64Array(values.length);
  let n = 0;
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row]!)) list[n++] = values[row]!;
  return list.subarray(0, n);
}

/** The score of each row: the weighted mean of its percentiles, 100 at best; NaN where a value is absent. */
async function scoresOf(
  criteria: readonly Criterion[],
  values: readonly Float64Array[],
  percentiles: readonly Percentiles[],
  ground: SetGround,
): Promise<Float64Array> {
  const scores = new Float64Array(values[0]!.length);
  const weights = criteria.reduce((sum, { weight }) => sum + weight, 0);
  for (const [i, { weight, prefer }] of criteria.entries()) {
    const of = values[i]!;
    for (let row = 0; row < scores.length; row++) {
      if (row % STEP === STEP - 1) await ground.step();
      const value = of[row]!;
      const share = Number.isNaN(value) ? Number.NaN : percentiles[i]!.of(value);
      scores[row]! += ((prefer === 'high' ? share : 100 - share) * weight) / weights;
    }
  }
  return scores;
}

/**
 * The first parcels of those that pass every filter, by one criterion after another or by a score.
 * @throws Interrupted when `stopped` says so.
 */
export async function rankParcels(request: RankRequest, environment: SearchEnvironment): Promise<RankAnswer> {
  const { filters, criteria } = request;
  try {
    return await onGround(request, environment, async ground => {
      const rows = new RankRows(criteria);
      const selection = new Selection();
      await selection.walk(filters, ground, (set, some) => rows.take(set, some));
      const { considered, unknown, unread } = selection;
      const notices = ground ? await noticesOfSet(filters, considered === 0, ground) : [];
      const said = { considered, unknown, unread, notices };
      if (!ground || !rows.length) return { ...said, matches: '[]', absent: 0, failed: 0, empty: [] };
      return { ...said, ...(await ranked(request, rows, ground)) };
    });
  } catch (error) {
    if (error instanceof SetTooLarge) return { issues: [error.issue] };
    throw error;
  }
}

async function ranked(request: RankRequest, rows: RankRows, ground: SetGround) {
  const { criteria, scored, limit } = request;
  // Texts are compared by their place among all, so that every criterion is a number.
  const raw = rows.values.map(({ all }) => all);
  const values = raw.map((all, i) => {
    const { texts, ranks } = rows.texts[i]!;
    return texts.length ? all.map(value => ranks[value] ?? Number.NaN) : measured(all, criteria[i]!.prefer);
  });
  const percentiles: Percentiles[] = [];
  for (const all of values) {
    await ground.step();
    percentiles.push(new Percentiles(present(all)));
  }
  const scores = scored ? await scoresOf(criteria, values, percentiles, ground) : null;
  const failed = rows.failed;
  const lacking = new Uint8Array(rows.length);
  for (const all of values) for (let row = 0; row < all.length; row++) if (Number.isNaN(all[row]!)) lacking[row] = 1;
  let [absent, failures] = [0, 0];
  for (let row = 0; row < rows.length; row++)
    if (failed[row] === 1) failures++;
    else if (lacking[row] === 1) absent++;
  const keys = scores
    ? [{ values: scores, descending: true }]
    : values.map((all, i) => ({ values: all, descending: criteria[i]!.direction === 'desc' }));
  const order = new RankOrder(keys, failed, rows.places);
  const list = new MatchList(request);
  try {
    const first = await order.first(limit, ground.step);
    for (const { place, row } of first) await list.add(place.set, row);
    const matches = (JSON.parse(list.text()) as object[]).map((match, rank) => {
      const { at, id } = first[rank]!;
      const score = scores ? { score: Number.isNaN(scores[at]!) ? null : scores[at]! } : {};
      const each = criteria.map(({ name, kind }, i) => {
        const value = raw[i]![at]!;
        if (Number.isNaN(value)) return [name, { value: null, status: 'absent', percentile: null }];
        const { texts } = rows.texts[i]!;
        const said = kind === 'boolean' ? value === 1 : (texts[value] ?? valueOfNumber(kind, value));
        return [name, { value: said, status: 'ok', percentile: percentiles[i]!.of(values[i]![at]!) }];
      });
      return { ...match, parcel_id: id, rank: rank + 1, ...score, criteria: Object.fromEntries(each) };
    });
    const empty = criteria.flatMap(({ name }, i) => (percentiles[i]!.count === 0 ? [name] : []));
    return { matches: JSON.stringify(matches), absent, failed: failures, empty };
  } finally {
    list.release();
  }
}
