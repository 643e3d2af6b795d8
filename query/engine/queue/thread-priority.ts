import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** How much nicer (setpriority(2)) than the serving thread a thread is that works through what it is given, and the most there is. */
const NICER = 5;
const NICEST = 19;

const nicer = () => Math.min(NICEST, getPriority(process.pid) + NICER);

/**
 * Lets the serving thread go first where both want a processor. Linux has a niceness for each thread, and `/proc/thread-self`
 * names the one that asks; threads that DuckDB starts from here take it over. Elsewhere nothing happens.
 *
 * Without it the slowest hundredth of health beside a noisy neighbour (areas of 10,000 vertices, `make bench-isolation`) takes
 * 1.4 times as long.
 */
export function yieldToServingThread(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), nicer());
  } catch {
    // Not Linux, or a sandbox without /proc.
  }
}

/** The name that Node gives to the threads on which V8 compiles and collects for all threads of the process. */
const V8_HELPER = 'V8Worker';

/**
 * Lets the serving thread go before V8's helpers too. They collect for the worker threads, and with the niceness of the serving
 * thread each of them takes whole slices of the processor from it. Node starts them before any script, so their names in `/proc`
 * are the only way to them. A Node without these names (before 22.14) leaves them as they are.
 *
 * Without it the event loop of the serving thread is twice as late beside isochrones (16 to 18 ms instead of 8 to 10 at 999 of
 * 1,000 turns, `make bench-isolation`).
 */
export function lowerV8Helpers(): void {
  try {
    for (const id of readdirSync('/proc/self/task'))
      if (readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim() === V8_HELPER) setPriority(Number(id), nicer());
  } catch {
    // Not Linux, or a sandbox without /proc.
  }
}
