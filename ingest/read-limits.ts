import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { ReadError } from './reader.ts';

const MB = 2 ** 20;

/** Limits for one file. Files come from strangers, and a small file may unpack to a very large one. */
export interface ReadLimits {
  /** Megabytes that packed data may unpack to. */
  readonly unpackedMb: number;
  /** Greatest ratio of unpacked to packed size; it counts from 64 MB of unpacked data on. */
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
   * Cells of a sheet: its rows times its columns, because all of them are in memory. Also texts of a block of OSM PBF.
   */
  readonly cells: number;
  /** JSON arrays and objects within each other. */
  readonly depth: number;
}

/** The setting of each limit; the registry of settings explains them. */
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

/** Sets the limits for all readers of this thread, and of threads that it starts later. */
export function setReadLimits(wanted: ReadLimits): void {
  limits = wanted;
  setEnvironmentData(KEY, wanted as never);
}

/** Returns the current limits. */
export const readLimits = (): ReadLimits => limits;

/** Returns a limit in bytes. */
export const limitBytes = (name: 'unpackedMb' | 'lineMb' | 'valueMb'): number => limits[name] * MB;

/** Unpacked bytes up to which the ratio is not checked: a table of blanks is not a zip bomb. */
const FREE_BYTES = 64 * MB;

/** Returns the error for a file that exceeds a limit. @param what exceeds it, such as `a line`. */
export function limitPassed(name: keyof ReadLimits, file: string, row: number | null, what: string): ReadError {
  const unit = name.endsWith('Mb') ? ' MB' : '';
  return new ReadError(
    'limit_passed',
    file,
    row,
    `${what} passes the limit of ${limits[name]}${unit}; if the file is what its publisher meant, raise ${LIMIT_SETTINGS[name]}`,
  );
}

/** @throws ReadError limit_passed when `unpacked` bytes are too many for `packed` bytes. */
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
