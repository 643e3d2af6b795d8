/**
 * Kinds of ground that stand in parcel files as rows and are no parcels, each with the words of an answer: what lies where no
 * parcel does.
 */
export const GROUND_KINDS = {
  road: 'a road of the parcel file',
  railroad: 'a railroad of the parcel file',
  water: 'water of the parcel file',
  other: 'ground of the parcel file that is no parcel',
} as const;

export type GroundKind = keyof typeof GROUND_KINDS;

/** How the file numbers a kind, as an answer names it: `a road of the parcel file (US-2)`. */
export function groundWords(kind: GroundKind, number: string | null): string {
  return number === null ? GROUND_KINDS[kind] : `${GROUND_KINDS[kind]} (${number})`;
}

/** Rows of a file that are ground and no parcels, by kind. */
export type GroundCount = Readonly<Partial<Record<GroundKind, number>>>;

export const groundTotal = (count: GroundCount = {}): number => Object.values(count).reduce((sum, n) => sum + n, 0);

/** Returns the counts by kind as text, the greatest first: `66 road, 1 water`. */
export const groundText = (count: GroundCount): string =>
  Object.entries(count)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, rows]) => `${rows} ${kind}`)
    .join(', ');
