import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';

/** Quantiles of a field of the parcels of an area. */
interface QuantileRow {
  readonly field: string;
  readonly of: 'county' | 'state' | 'release';
  readonly values: readonly number[] | null;
}

interface Quantiles {
  readonly probabilities: readonly number[];
  readonly rows: readonly QuantileRow[];
}

/** Where a value stands among those of the parcels of an area. */
export interface Standing {
  /** Hundredths of the parcels whose value is less. */
  readonly below: number;
  /** In words, such as "steeper than 84 % of the county". */
  readonly words: string;
}

/** Words for more and for less of what a field measures. */
const WORDS: readonly (readonly [pattern: RegExp, more: string, less: string])[] = [
  [/slope|rugged/, 'steeper', 'flatter'],
  [/distance/, 'farther', 'nearer'],
  [/elevation|height/, 'higher', 'lower'],
  [/acre|area_m2|sqft/, 'larger', 'smaller'],
  [/value|price|val$|usd/, 'dearer', 'cheaper'],
  [/temperature/, 'warmer', 'cooler'],
];

/** Numbers of which more is not more of anything: directions and coordinates. */
const NO_SCALE = /aspect|lat$|lon$|lng$|year|_id$|date/;

/** Least share of the parcels that is told: a value in the middle says nothing. */
const TELLING = 60;

/**
 * Where a value stands; null where the parcels do not differ, or it lies in their middle. Pure.
 * @param values by `probabilities`: the least value that so large a share does not exceed.
 */
export function standingOf(name: string, value: number, { probabilities, rows }: Quantiles): Standing | null {
  const row = rows.find(({ field, of, values }) => field === name && of !== 'state' && values !== null);
  const values = row?.values;
  if (NO_SCALE.test(name)) return null;
  if (!values || values[0] === values.at(-1)) return null;
  const less = values.filter(one => one < value).length;
  const notMore = values.filter(one => one <= value).length;
  const share = (count: number) => Math.round(100 * (probabilities[Math.min(Math.max(count - 1, 0), 100)] ?? 0));
  const [below, above] = [less === 0 ? 0 : share(less), 100 - (notMore === 0 ? 0 : share(notMore))];
  if (Math.max(below, above) < TELLING) return null;
  const [, more = 'more', fewer = 'less'] = WORDS.find(([pattern]) => pattern.test(name)) ?? [];
  const where = row.of === 'county' ? 'the county' : 'all parcels here';
  return {
    below,
    words: below >= above ? `${more} than ${below} % of ${where}` : `${fewer} than ${above} % of ${where}`,
  };
}

/** Most names of one request. */
const MOST_NAMES = 50;

/**
 * Quantiles for the fields of an answer; null while there are none.
 * @param county five digits; null for that of the whole release. @param names of numeric fields; none asks nothing.
 */
export function useQuantiles(county: string | null, names: readonly string[]): Quantiles | null {
  const fields = names.slice(0, MOST_NAMES).join(',');
  const where = county === null ? '' : `&county_fips=${county}`;
  const request: ApiRequest = { method: 'GET', path: `/v1/meta/quantiles?fields=${fields}${where}`, isPublic: true };
  const [answer] = useAnswer<Quantiles>(fields === '' ? null : request);
  return answer.is === 'here' ? answer.value : null;
}
