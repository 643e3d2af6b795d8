import { readFileSync } from 'node:fs';

/** Time of all cores since the machine started, and how much of it the host gave to others while the machine wanted it. */
interface CoreTime {
  readonly all: number;
  readonly stolen: number;
}

/** Reads the first line of /proc/stat, in ticks: user, nice, system, idle, iowait, irq, softirq, steal (proc_stat(5)). */
function coreTime(): CoreTime {
  try {
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, n) => sum + n, 0), stolen: ticks[7]! };
  } catch {
    return { all: 0, stolen: 0 };
  }
}

/**
 * Begins to watch the host. A busy host wakes a core late that had nothing to do for a moment, so it takes more from programs that
 * wait for each other than from those that compute.
 * @returns the percentage of the cores' time that the host took since then; 0 where the system does not tell.
 */
export function watchHost(): () => number {
  const before = coreTime();
  return () => {
    const now = coreTime();
    return now.all > before.all ? (100 * (now.stolen - before.stolen)) / (now.all - before.all) : 0;
  };
}
