import { DamagedFile } from '../format/damaged-file.ts';
import { Fault } from '../release/fault.ts';
import { findNotices, type Notice } from '../search/page/notices.ts';
import type { Test } from '../search/request/filter.ts';
import { type SetGround, TimeUp } from './ground/set-ground.ts';
import { areasOf, isArea, isValueTest, type SetFilter, valueOfCounty } from './set-filter.ts';

/** A county's key is no column. */
const ANYWHERE = { state: '', fips: '' };

/** The filters as notices judge them: a question for a value compares nothing. */
function testsOf(filters: readonly SetFilter[]): readonly Test[] {
  return filters.flatMap((filter): Test[] => {
    if (isArea(filter)) return [];
    if (!isValueTest(filter)) return [filter];
    if (valueOfCounty(filter.name, ANYWHERE) !== undefined) return [];
    const { name, kind } = filter;
    return [{ name, kind: kind === 'county' ? 'string' : kind, op: 'between', operands: [] }];
  });
}

/**
 * What the filters of a set could not tell, such as a column that is empty.
 * @param empty whether no parcel passed.
 * @throws Interrupted when nobody waits any more.
 */
export async function noticesOfSet(
  filters: readonly SetFilter[],
  empty: boolean,
  { layers, catalog, areas, check }: SetGround,
): Promise<readonly Notice[]> {
  const prepared = areasOf(filters).map(area => areas.get(area)!);
  const tests = testsOf(filters);
  try {
    const notices =
      (await findNotices({ layers, catalog, tests, areas: prepared, empty, reads: true, used: null, check })) ?? [];
    // A column without values is what such a filter looks for.
    const sought = (name: string) => filters.some(one => isValueTest(one) && one.op === 'is_null' && one.name === name);
    return notices.filter(notice => notice.kind !== 'no_value' || !sought(notice.name));
  } catch (error) {
    // What was found is right without them.
    if (error instanceof Fault || error instanceof DamagedFile || error instanceof TimeUp) return [];
    throw error;
  }
}
