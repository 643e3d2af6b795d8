// Where two sources say different things of one parcel, and by what rule one of them is answered.

/** Acres that a source says, beside those of the outline (`acreage`). */
export const SAID_ACRES = ['deeded_acres', 'gisacre'] as const;

/** Acres disagree that lie farther apart than this share of the outline's, and than these acres: less is rounding and drawing. */
export const ACRES_APART = { share: 0.05, acres: 0.02 } as const;

/** Columns of parcels that filters of sets can ask for disagreement, and the columns that say the same thing. */
export const DISAGREEING: Readonly<Record<string, readonly string[]>> = { acreage: SAID_ACRES };

/**
 * By how much acres that a source says differ from the outline's, as a share of these; null where they agree, or one of them is
 * not known. A source that says 0 says nothing.
 */
export function acresApart(outline: unknown, said: unknown): number | null {
  if (typeof outline !== 'number' || typeof said !== 'number' || !(outline > 0) || !(said > 0)) return null;
  const apart = said - outline;
  // A hair more than the share is the share: 1.05 - 1 is not 0.05.
  if (Math.abs(apart) <= Math.max(ACRES_APART.acres, ACRES_APART.share * outline) + 1e-9) return null;
  return apart / outline;
}
