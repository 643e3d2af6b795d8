/**
 * What a layer's rows must be like before they are published. A dataset's layer declares what holds for every publisher, a
 * place's layer tightens it, or loosens it with a reason. All shares are 0 to 1.
 */
export interface Expectation {
  /** Largest share of the rows that may be rejected. */
  readonly rejected?: number;
  /** Share of rows by which the layer may shrink, and grow, against the last release. One row more or less always may. */
  readonly fewer?: number;
  readonly more?: number;
  /** Column → largest share of rows that may hold no value. */
  readonly nulls?: Readonly<Record<string, number>>;
  /** By how much the share of rows without a value may rise in any column against the last release. */
  readonly nullsRise?: number;
  /**
   * Column with a lookup or patterns, or prefix of a join → smallest share of the values looked up that must be found.
   * `otherwise` finds nothing. Of every one something must be found, unless 0 is said.
   */
  readonly hits?: Readonly<Record<string, number>>;
  /** By how much that share may fall against the last release. */
  readonly hitsFall?: number;
  /** Column → largest share of rows whose value may stand outside the column's closed list; by default none. */
  readonly unlisted?: Readonly<Record<string, number>>;
  /** Largest share of features that may lie farther than `outsideMetres` beyond the box of the layer's coverage, or of the county. */
  readonly outside?: number;
  readonly outsideMetres?: number;
}

/** As a place's layer says it. */
export interface PlaceExpectation extends Expectation {
  /** Why it is looser than the dataset's: the publisher's own fault, a correction that halved the file. */
  readonly because?: string;
}

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
