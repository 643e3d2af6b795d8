/** Bytes and rows of an upload, at most. */
export const MOST_BYTES = 64 * 1024 * 1024;
export const MOST_ROWS = 100_000;
/** Characters of a caller's own id. */
export const MOST_ID_LETTERS = 128;
/** Further columns of an upload whose numbers are kept, the first ones, and characters of their names. */
export const [MOST_VALUE_COLUMNS, MOST_NAME_LETTERS] = [50, 128];
/** Vertices of one polygon of an upload. */
export const MOST_VERTICES = 10_000;
/** Fields of one export. */
export const MOST_EXPORT_FIELDS = 100;
/** Parcels that are counted for one export: more than any plan may have in a day. */
export const MOST_COUNTED = 2_000_001;
/** Rows of a part, which is computed and stored at once. */
export const PART_ROWS = 2_000;
/** Milliseconds that an upload, and an export, are kept. */
export const UPLOAD_KEPT_MS = 24 * 60 * 60 * 1000;
export const EXPORT_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Resolution of the H3 cell of a row: 0.1 km2 on average. */
export const H3_RESOLUTION = 9;
/** Milliseconds that a request about exports may take; one that counts parcels or reads 64 MB takes longest. */
export const EXPORT_LIMIT_MS = 180_000;
