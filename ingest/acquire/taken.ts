import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What is known of a file that was taken from its publisher. */
export interface Taken {
  /** Address it came from. */
  readonly url: string;
  /** Strong validator or other stamp of the publisher's version; null where it gives none. */
  readonly stamp: string | null;
  /** What the publisher last changed it on; ISO 8601. */
  readonly changedAt: string | null;
  readonly vintage: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Features or rows of a paged service. */
  readonly rows?: number;
  readonly takenAt: string;
  /** When the publisher was last asked whether there is a newer one. */
  readonly askedAt: string;
}

/** Name of the record in the folder of published files. */
const RECORD = 'acquired.json';

/** Replaces a small file whole; a power cut leaves the old or the new one. */
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

/** What was taken into a folder of published files: path below it → what is known of it. */
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

  /** Written at once: what was taken before a crash need not be taken again. */
  async set(file: string, taken: Taken): Promise<void> {
    this.#files.set(file, taken);
    await mkdir(dirname(this.#path), { recursive: true });
    replaceFile(this.#path, `${JSON.stringify(Object.fromEntries([...this.#files].sort()), null, 1)}\n`);
  }
}

/** A record that is damaged is none: everything is asked for again, nothing is lost. */
function read(path: string): Record<string, Taken> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
