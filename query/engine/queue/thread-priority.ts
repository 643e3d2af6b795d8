import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** How much nicer (setpriority(2)) than the serving thread a thread is that works through what it is given, and the most there is. */
const NICER = 5;
const NICEST = 19;

/**
 * Lets the serving thread go first where both want a processor. Linux has a niceness for each thread, and `/proc/thread-self`
 * names the one that asks; threads that DuckDB starts from here take it over. Elsewhere nothing happens.
 *
 * Without it the slowest hundredth of health beside a noisy neighbour (areas of 10,000 vertices, `make bench-isolation`) takes
 * 1.4 times as long.
 */
export function yieldToServingThread(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      Math.min(NICEST, getPriority(process.pid) + NICER),
    );
  } catch {
    // Not Linux, or a sandbox without /proc.
  }
}
