import { type AreaTest, type CountyOf, type Filter, type Test, testsWithin } from '../search/request/filter.ts';

/**
 * What a filter of sets asks beyond comparisons: whether there is a value, how a text reads, without case, or whether another source
 * says something else (datasets/parcel/disagreement.ts).
 */
export type ValueOperator = 'is_null' | 'not_null' | 'starts_with' | 'contains' | 'disagrees';

/** A judged question for the value of one column. */
export interface ValueTest {
  /** A catalog name. */
  readonly name: string;
  readonly kind: Test['kind'];
  readonly op: ValueOperator;
  /** In lower case; empty where the operator takes none. */
  readonly text: string;
}

/** One condition of a set of parcels. */
export type SetFilter = Filter | ValueTest;

export const isArea = (filter: SetFilter): filter is AreaTest => 'geometry' in filter;
export const isValueTest = (filter: SetFilter): filter is ValueTest => 'text' in filter;

/** Those that compare a column. */
export const comparisonsOf = (filters: readonly SetFilter[]): readonly Test[] =>
  filters.flatMap(filter => (isArea(filter) || isValueTest(filter) ? [] : [filter]));

/** The areas among filters, in order. */
export const areasOf = (filters: readonly SetFilter[]): readonly AreaTest[] =>
  filters.flatMap(filter => (isArea(filter) ? [filter] : []));

/** Whether a value passes. @param value as it is compared; null where there is none. */
export function hasValue({ op, text }: ValueTest, value: unknown): boolean {
  if (op === 'is_null') return value === null;
  if (value === null) return false;
  if (op === 'not_null') return true;
  const lower = String(value).toLowerCase();
  return op === 'starts_with' ? lower.startsWith(text) : lower.includes(text);
}

/** The value that every parcel of a county has of a name; undefined where each has its own. */
export function valueOfCounty(name: string, { state, fips }: CountyOf): string | undefined {
  if (name === 'state' || name === 'state2') return state;
  return name === 'geoid' ? fips : undefined;
}

/** What a county's key says of a filter: all of its parcels pass, none does, or what is left to be asked of each. */
export function verdictOfKey(filter: SetFilter, county: CountyOf): SetFilter | 'all' | 'none' {
  if (isArea(filter)) return filter;
  if (isValueTest(filter)) {
    const value = valueOfCounty(filter.name, county);
    if (value === undefined) return filter;
    return hasValue(filter, value) ? 'all' : 'none';
  }
  const left = testsWithin([filter], county);
  return left === null ? 'none' : (left[0] ?? 'all');
}
