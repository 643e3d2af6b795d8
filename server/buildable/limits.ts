/** Exclusions of a request. */
export const MOST_EXCLUSIONS = 30;
/** Metres of a setback, and of a width. */
export const MOST_SETBACK_M = 5_000;
/** Metres of an international foot. */
export const FOOT_M = 0.3048;
/** Characters of a condition, and wildcards in it: each makes a text be walked once more. */
export const MOST_WHERE = 500;
export const MOST_WILDCARDS = 4;

/** Templates that an account may have. */
export const MOST_TEMPLATES = 50;
