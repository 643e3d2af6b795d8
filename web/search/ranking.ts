import type { ApiRequest } from '../api/api-request.ts';
import type { Filter } from './filter.ts';

/** Rows that a table may show, and up to how many their outlines are asked for too. */
export const ROWS: readonly number[] = [20, 100, 500, 1000];
const MOST_OUTLINED = 100;
/** Columns beside the parcel's name. */
export const MOST_COLUMNS = 12;
/** What the name of a parcel says already, or the map shows. */
const NO_COLUMNS = ['geometry', 'state', 'state2', 'apn', 'address'];

type State = Readonly<Record<string, string>>;

/** By what a table is sorted: a field, behind a minus the greatest first. */
export function orderOf({ sort }: State): { readonly field: string; readonly direction: 'asc' | 'desc' } {
  const text = sort || '-acreage';
  return text.startsWith('-') ? { field: text.slice(1), direction: 'desc' } : { field: text, direction: 'asc' };
}

/** One thing that a score weighs: a field of numbers, how much it weighs, and whether more or less of it is better. */
export interface Weight {
  readonly field: string;
  /** 1 to 10. */
  readonly weight: number;
  readonly prefer: 'high' | 'low';
}

/** Things that one score weighs, and how much one weighs at most. */
export const MOST_WEIGHTS = 10;
export const HEAVIEST = 10;

/** What a table is scored by, as the address says it: "acreage*3" wants much of it, "-slope_percent*5" little. None: it is sorted. */
export function weightsOf({ score }: State): Weight[] {
  const weights = (score ?? '').split(',').flatMap((text): Weight[] => {
    const [, minus, field, weight] = /^(-?)(\w+)\*(\d+)$/.exec(text) ?? [];
    const number = Number(weight);
    return field && number >= 1 && number <= HEAVIEST
      ? [{ field, weight: number, prefer: minus ? 'low' : 'high' }]
      : [];
  });
  return [...new Map(weights.map(one => [one.field, one])).values()].slice(0, MOST_WEIGHTS);
}

/** Weights as the address says them. */
export const weightsText = (weights: readonly Weight[]): string =>
  weights.map(({ field, weight, prefer }) => `${prefer === 'low' ? '-' : ''}${field}*${weight}`).join();

/** The columns of a table: those that were chosen, or else the size and what is asked for. */
export function columnsOf(state: State, filters: readonly Filter[]): string[] {
  const { cols } = state;
  const scored = weightsOf(state).map(({ field }) => field);
  const names = cols === undefined ? ['acreage', ...filters.map(({ field }) => field), ...scored] : cols.split(',');
  return [...new Set(names)].filter(name => name !== '' && !NO_COLUMNS.includes(name)).slice(0, MOST_COLUMNS);
}

/** How many rows a table shows. */
export const rowsOf = ({ rows }: State): number => ROWS.find(count => String(count) === rows) ?? ROWS[0]!;

/** The request for a table. @param filters with the state first. @param state what the address says: `cols`, `sort` or `score`, and `rows`. */
export function rankRequest(filters: readonly Filter[], state: State): ApiRequest {
  const rows = rowsOf(state);
  const fields = [...columnsOf(state, filters), ...(rows <= MOST_OUTLINED ? ['geometry'] : [])];
  const score = weightsOf(state);
  const by = score.length > 0 ? { score } : { order_by: [orderOf(state)] };
  return { method: 'POST', path: '/v1/rank', body: { filters, ...by, fields, limit: rows } };
}
