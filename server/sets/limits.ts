/** Up to which parcels are counted by default, and at most. */
export const DEFAULT_BOUND = 100_000;
export const MAX_BOUND = 1_000_000;

/** Parcels that are ranked by default, and at most. */
export const DEFAULT_RANKED = 20;
export const MAX_RANKED = 1_000;
/** Fields that parcels are put in order by, and criteria of a score. */
export const MOST_ORDERS = 5;
export const MOST_CRITERIA = 10;

/** What parcels are grouped by, what is measured of each group, and edges of bins, at most. */
export const MOST_DIMENSIONS = 3;
export const MOST_MEASURES = 20;
export const MOST_EDGES = 1_000;
/** Groups of fewer parcels are called small unless a request says otherwise; and what it may say at most. */
export const DEFAULT_MIN_COUNT = 5;
export const MOST_MIN_COUNT = 1_000_000;
/** H3 resolutions of cells: some 1,770 and 0.015 square kilometres on average. */
export const [LEAST_RESOLUTION, MOST_RESOLUTION] = [4, 10];

/** Fields that parcels are likened by; parcels that are alike by default, and at most. */
export const MOST_FIELDS = 20;
export const [DEFAULT_ALIKE, MAX_ALIKE] = [20, 1_000];

/** Metres and minutes of driving about a place, at most; and characters of an address. */
export const [MOST_METRES, MOST_MINUTES] = [100_000, 120];
export const LONGEST_ADDRESS = 256;
