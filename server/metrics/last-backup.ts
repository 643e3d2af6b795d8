import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file of a home that says when its last backup ended well. */
const LAST_BACKUP = 'last-backup';

/** Notes in a home that a backup of it ended well. @param at epoch milliseconds. */
export function noteBackup(home: string, at: number): void {
  const file = join(home, LAST_BACKUP);
  writeFileSync(`${file}.partial`, `${new Date(at).toISOString()}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}

/** When the last backup of a home ended well, in epoch milliseconds; null where none did. */
export function lastBackup(home: string): number | null {
  try {
    const at = Date.parse(readFileSync(join(home, LAST_BACKUP), 'utf8').trim());
    return Number.isFinite(at) ? at : null;
  } catch {
    return null;
  }
}
