import { withNearest } from '../query/format/nearest-names.ts';

/** Says which columns a file lacks, each with the nearest that it has, and all that it has. */
export const missingColumns = (missing: readonly string[], present: Iterable<string>): string =>
  `no column ${withNearest(missing, present)}; the file has ${[...present].join(', ') || 'none'}`;
