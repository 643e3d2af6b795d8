import { readFileSync } from 'node:fs';

/** Milliseconds of a tick of /proc (USER_HZ is 100 on every Linux that Node runs on). */
const TICK_MS = 10;

/** Milliseconds of processor time that a process has taken, all its threads together: utime and stime of proc_pid_stat(5). */
export function processTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
