/** Matches of one page by default and at most (a limit of the interface). */
export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;
