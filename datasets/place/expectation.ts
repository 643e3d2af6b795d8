import type { Static } from 'typebox';
import type { expectation } from './expectation-definition.ts';

/** As a place's layer says it: it tightens what its dataset declares, or loosens it with a reason. */
interface PlaceExpectation extends Static<typeof expectation> {}

/** What a layer's rows must be like before they are published; a dataset's layer declares what holds for every publisher. */
export type Expectation = Readonly<Omit<PlaceExpectation, 'because'>>;

/** What holds where neither dataset nor place says otherwise. */
export const DEFAULT_EXPECTATION: Required<Expectation> = {
  rejected: 0.01,
  fewer: 0.05,
  more: 0.2,
  nulls: {},
  nullsRise: 0.05,
  hits: {},
  hitsFall: 0.05,
  unlisted: {},
  outside: 0.01,
  outsideMetres: 5_000,
};

const TABLES = ['nulls', 'hits', 'unlisted'] as const;
/** What a column that is not named may have: any share of nulls, any share of hits, no unlisted value. */
const UNNAMED = { nulls: 1, hits: 0, unlisted: 0 } as const;
const BOUNDS = [
  'rejected',
  'fewer',
  'more',
  'nullsRise',
  'hitsFall',
  'outside',
  'outsideMetres',
] as const satisfies readonly (keyof Expectation)[];

/** The expectation that holds for a layer: the place's over the dataset's over the defaults, column by column. */
export function expectationOf(
  dataset: Expectation | undefined,
  place: PlaceExpectation | undefined,
): Required<Expectation> {
  const { because: _, ...own } = place ?? {};
  const merged = { ...DEFAULT_EXPECTATION, ...dataset, ...own };
  for (const table of TABLES) merged[table] = { ...DEFAULT_EXPECTATION[table], ...dataset?.[table], ...place?.[table] };
  return merged;
}

/** What a place's layer allows that its dataset does not, as `rejected` or `nulls.apn`: each needs a reason. */
export function loosened(dataset: Expectation | undefined, place: PlaceExpectation): string[] {
  const base = expectationOf(dataset, undefined);
  const bounds = BOUNDS.filter(name => (place[name] ?? 0) > base[name]);
  const columns = TABLES.flatMap(table =>
    Object.entries(place[table] ?? {})
      .filter(([column, share]) => {
        const allowed = base[table][column] ?? UNNAMED[table];
        // Without a bound one must be found; 0 allows none.
        return table === 'hits' ? share < allowed || share === 0 : share > allowed;
      })
      .map(([column]) => `${table}.${column}`),
  );
  return [...bounds, ...columns];
}
