import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { ReadError } from './reader.ts';

const MB = 2 ** 20;

/** How much readers take of one file before they give it up: files come from strangers, and a small one may unpack to anything. */
export interface ReadLimits {
  /** Megabytes that what is packed may unpack to. */
  readonly unpackedMb: number;
  /** Times that it may grow, where it has more than 64 MB. */
  readonly ratio: number;
  /** Files in one archive. */
  readonly members: number;
  /** Megabytes of one line or record of text. */
  readonly lineMb: number;
  /** Megabytes of one feature, record, JSON value, sheet or block of a raster. */
  readonly valueMb: number;
  /** Columns of a table. */
  readonly columns: number;
  /**
   * Cells of the rectangle that a sheet's last row and last column make, all of which are in memory; texts of a block of
   * OSM PBF.
   */
  readonly cells: number;
  /** JSON arrays and objects within each other. */
  readonly depth: number;
}

/** The setting of each limit; meanings are in the registry of settings. */
const LIMIT_SETTINGS: Readonly<Record<keyof ReadLimits, string>> = {
  unpackedMb: 'PLAT_READ_UNPACKED_MB',
  ratio: 'PLAT_READ_RATIO',
  members: 'PLAT_READ_MEMBERS',
  lineMb: 'PLAT_READ_LINE_MB',
  valueMb: 'PLAT_READ_VALUE_MB',
  columns: 'PLAT_READ_COLUMNS',
  cells: 'PLAT_READ_CELLS',
  depth: 'PLAT_READ_DEPTH',
};

const DEFAULT_LIMITS: ReadLimits = {
  unpackedMb: 65_536,
  ratio: 200,
  members: 20_000,
  lineMb: 16,
  valueMb: 32,
  columns: 10_000,
  cells: 4_000_000,
  depth: 64,
};

const KEY = 'plat.readLimits';
let limits = (getEnvironmentData(KEY) as ReadLimits | undefined) ?? DEFAULT_LIMITS;

/** What holds for all readers of this thread from now on, and of threads that it starts later. */
export function setReadLimits(wanted: ReadLimits): void {
  limits = wanted;
  setEnvironmentData(KEY, wanted as never);
}

/** What holds. */
export const readLimits = (): ReadLimits => limits;

/** Bytes of a limit in megabytes. */
export const limitBytes = (name: 'unpackedMb' | 'lineMb' | 'valueMb'): number => limits[name] * MB;

/** Bytes up to which how much something grew says nothing: a table of blanks is no bomb. */
const FREE_BYTES = 64 * MB;

/** What is wrong with a file that passes a limit. @param what it is that does, such as `a line`. */
export function limitPassed(name: keyof ReadLimits, file: string, row: number | null, what: string): ReadError {
  const unit = name.endsWith('Mb') ? ' MB' : '';
  return new ReadError(
    'limit_passed',
    file,
    row,
    `${what} passes the limit of ${limits[name]}${unit}; if the file is what its publisher meant, raise ${LIMIT_SETTINGS[name]}`,
  );
}

/** @throws ReadError limit_passed when so many packed bytes have become too many. */
export function requireUnpacked(packed: number, unpacked: number, file: string, what: string): void {
  if (unpacked > limitBytes('unpackedMb')) throw limitPassed('unpackedMb', file, null, `what ${what} unpacks to`);
  if (unpacked > FREE_BYTES && unpacked > packed * limits.ratio)
    throw limitPassed(
      'ratio',
      file,
      null,
      `${what} unpacks to ${Math.round(unpacked / Math.max(1, packed))} times its size, which`,
    );
}
