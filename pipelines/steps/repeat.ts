import type { PlaceLayer } from '../../datasets/place/place.ts';
import type { Row } from '../../ingest/reader.ts';
import { compileTest, scalar } from './normalise.ts';

/** The rows that a published row stands for: itself, or one for each of the areas it is of. */
export type Repeat = (row: Row) => readonly Row[];

/**
 * Compiles `repeat` of a place layer.
 * @param asOf YYYY-MM-DD that `@today` in its condition stands for.
 */
export function compileRepeat({ when, by, column, codes }: NonNullable<PlaceLayer['repeat']>, asOf: string): Repeat {
  const test = compileTest(when, asOf);
  const areas = new Map(Object.entries(codes));
  return row => {
    if (!test(row.properties)) return [row];
    const list = areas.get(String(scalar(row.properties[by], by))) ?? [];
    return list.map(code => ({ ...row, properties: { ...row.properties, [column]: code } }));
  };
}
