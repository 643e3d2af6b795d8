/**
 * How far ahead of a server's clock a moment in the store may lie that another server's clock made: milliseconds. What lies
 * further ahead was written while a clock had jumped; to wait until it is reached would lock accounts out.
 */
export const AHEAD_MS = 2 * 60_000;
