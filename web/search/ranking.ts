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

/** The columns of a table: those that were chosen, or else the size and what is asked for. */
export function columnsOf({ cols }: State, filters: readonly Filter[]): string[] {
  const names = cols === undefined ? ['acreage', ...filters.map(({ field }) => field)] : cols.split(',');
  return [...new Set(names)].filter(name => name !== '' && !NO_COLUMNS.includes(name)).slice(0, MOST_COLUMNS);
}

/** How many rows a table shows. */
export const rowsOf = ({ rows }: State): number => ROWS.find(count => String(count) === rows) ?? ROWS[0]!;

/** The request for a table. @param filters with the state first. @param state what the address says: `cols`, `sort` and `rows`. */
export function rankRequest(filters: readonly Filter[], state: State): ApiRequest {
  const rows = rowsOf(state);
  const fields = [...columnsOf(state, filters), ...(rows <= MOST_OUTLINED ? ['geometry'] : [])];
  return { method: 'POST', path: '/v1/rank', body: { filters, order_by: [orderOf(state)], fields, limit: rows } };
}
