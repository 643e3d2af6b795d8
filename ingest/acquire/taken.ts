import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The record of a file that was downloaded from its publisher. */
export interface Taken {
  /** Address it came from. */
  readonly url: string;
  /** Strong validator or other stamp of the publisher's version; null if it gives none. */
  readonly stamp: string | null;
  /** When the publisher last changed the file; ISO 8601. */
  readonly changedAt: string | null;
  readonly vintage: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Features or rows of a paged service. */
  readonly rows?: number;
  /** Rows that the service has and failed to send, by id. */
  readonly unread?: readonly string[];
  /** Columns that the service has and fails to send. */
  readonly without?: readonly string[];
  readonly takenAt: string;
  /** When the publisher was last asked whether there is a newer one. */
  readonly askedAt: string;
}

/** Name of the record in the folder of published files. */
const RECORD = 'acquired.json';

/** Replaces a small file. After a power cut either the old or the new content is there, complete. */
export function replaceFile(path: string, text: string): void {
  const partial = `${path}.partial`;
  const handle = openSync(partial, 'w');
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, path);
}

/** The records of a folder of published files, by path below the folder. */
export class TakenFiles {
  readonly #path: string;
  readonly #files: Map<string, Taken>;

  constructor(sources: string) {
    this.#path = join(sources, RECORD);
    this.#files = new Map(Object.entries(read(this.#path)));
  }

  get(file: string): Taken | null {
    return this.#files.get(file) ?? null;
  }

  /** The records by path below the folder. */
  entries(): Iterable<readonly [file: string, taken: Taken]> {
    return this.#files;
  }

  /** Sets a record and writes all of them at once, so that a download before a crash need not be repeated. */
  async set(file: string, taken: Taken): Promise<void> {
    this.#files.set(file, taken);
    await mkdir(dirname(this.#path), { recursive: true });
    replaceFile(this.#path, `${JSON.stringify(Object.fromEntries([...this.#files].sort()), null, 1)}\n`);
  }
}

/** Returns the records of a file; none if it is damaged, because then everything is only downloaded again. */
function read(path: string): Record<string, Taken> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
