/**
 * Milliseconds that a time in the store, written by another server, may lie ahead of this server's clock. A time
 * further ahead was written while that clock was wrong. Waiting for it would lock accounts out.
 */
export const AHEAD_MS = 2 * 60_000;
