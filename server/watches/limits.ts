/** Parcels of a list. */
export const MOST_PARCELS = 500;
/** Matches of a search that is watched. */
export const MOST_MATCHES = 10_000;
/** Changes that one event tells, and bytes of them as JSON text: a mail carries them too. */
export const MOST_CHANGES = 100;
export const CHANGES_BYTES = 60 * 1024;
/** Milliseconds that a request about watches may take; one that counts parcels takes longest. */
export const WATCH_LIMIT_MS = 60_000;
