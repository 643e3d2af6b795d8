import { readdirSync, readFileSync } from 'node:fs';

/** Kilobytes of one line of a file in /proc, 0 when the process has gone. */
function kilobytes(file: string, key: string): number {
  try {
    return Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Resident megabytes of a process. */
export const residentMb = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmRSS') / 1024;

/**
 * Megabytes of a process that no file backs: heaps and what allocators hold. Kernels take pages of files away and bring
 * them back as they like, so that resident memory moves without the process having asked for any.
 */
export const anonymousMb = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'RssAnon') / 1024;

/** Ids of the processes that a process has started. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && kilobytes(`/proc/${name}/status`, 'PPid') === pid)
    .map(Number);

/**
 * Megabytes of a process and its children, in which what several of them share is counted once (PSS): the processes of
 * PostgreSQL share its buffers.
 */
export const treeMb = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, id) => sum + kilobytes(`/proc/${id}/smaps_rollup`, 'Pss'), 0) / 1024;

/** Ticks of the clock in which Linux tells processor time: a hundred a second on every platform that Node runs on. */
const TICKS = 100;

/** Processor seconds that a process (all of its threads) has taken, with those of its living children. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const id of [pid, ...childrenOf(pid)])
    try {
      // The program's name stands in parentheses and may hold spaces; user and system time are fields 14 and 15.
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  return ticks / TICKS;
}
