import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { parseWithheld, type WithheldEntry, withheldPath } from '../../../query/release/withheld/withheld-list.ts';

/** The entries of an installation's list, in the order in which they were added. @throws Error that names a line that cannot be read. */
export function readWithheld(home: string): WithheldEntry[] {
  try {
    return parseWithheld(readFileSync(withheldPath(home), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Writes the list so that servers read the one before or this one, whole; for its owner only. */
export function writeWithheld(home: string, entries: readonly WithheldEntry[]): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = withheldPath(home);
  const file = openSync(`${path}.partial`, 'w', 0o600);
  try {
    writeSync(file, entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.partial`, path);
}

/** What an entry names, as people type it. */
export const entryName = ({ parcel_id: id, name, state }: WithheldEntry): string =>
  id ?? `${name}${state === undefined ? '' : `, ${state}`}`;
