import { type Stats, statSync } from 'node:fs';

/** What the disk says of a file; undefined where it is missing or cannot be reached (a loop of links, a failing disk). */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What changes whenever the bytes of a file may have changed: inode, size, modification and change time. */
export const stampOf = (stat: Stats): string => `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;

/** Whether two looks at a file have the same stamp, without making texts of them. */
export const sameStamp = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

let changes = 0;

/** Called where a read finds that a file of a release is no longer what it was when it was opened. */
export function noteChange(): void {
  changes++;
}

/** How often this thread has found so. After it no earlier look at a file is believed. */
export const changesSoFar = (): number => changes;
