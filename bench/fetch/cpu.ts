import { readFileSync } from 'node:fs';

/** Clock ticks a second of /proc (USER_HZ, 100 on Linux). */
const TICKS = 100;

/**
 * Milliseconds that a process has computed, all its threads together: unlike times by the clock it hardly depends on what
 * else the machine does.
 */
export function cpuMilliseconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold blanks; user and system time are the 12th and 13th value after it (proc(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}
