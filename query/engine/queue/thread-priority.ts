import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** Niceness (setpriority(2)) of a thread that works through what it is given. */
const NICENESS = 5;

/**
 * Lets the serving thread go first where both want a processor. Linux has a niceness for each thread, and `/proc/thread-self`
 * names the one that asks; threads that DuckDB starts from here take it over. Elsewhere nothing happens.
 *
 * Without it the slowest hundredth of health beside a noisy neighbour (areas of 10,000 vertices, `make bench-isolation`) takes
 * 1.4 times as long.
 */
export function yieldToServingThread(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Not Linux, or a sandbox without /proc.
  }
}
