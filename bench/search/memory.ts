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
 * Megabytes of a process and its children, in which what several of them share is counted once (PSS): the processes of
 * PostgreSQL share its buffers.
 */
export function treeMb(pid: number): number {
  const children = readdirSync('/proc').filter(
    name => /^\d+$/.test(name) && kilobytes(`/proc/${name}/status`, 'PPid') === pid,
  );
  return [String(pid), ...children].reduce((sum, id) => sum + kilobytes(`/proc/${id}/smaps_rollup`, 'Pss'), 0) / 1024;
}
