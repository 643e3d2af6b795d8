import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

/** Milliseconds between two looks at the log. */
const EVERY_MS = 250;

const file = workerData as string;
let database: DatabaseSync | null = null;
let written = 0;

/** Copies what the log holds into the file, without making a writer wait. */
function checkpoint(): void {
  try {
    const { mtimeMs } = statSync(`${file}-wal`);
    if (mtimeMs === written) return;
    database ??= new DatabaseSync(file);
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    written = mtimeMs;
  } catch {
    // There is no log, another process copies it, or the disk is full: whoever writes hears of that from SQLite itself.
  }
}

setInterval(checkpoint, EVERY_MS);
