import { appendFileSync, closeSync, openSync, readSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from '../format/file-stamp.ts';

/** Name of the record below PLAT_HOME. */
const NAME = 'sound-files';
const LINE = /^([0-9a-f]{64}) (\S+)$/;

/** Kernels count times of files in ticks of up to 10 ms: two changes within one leave one stamp. */
const TICK_MS = 20;

/** Milliseconds to wait until a later change of the file cannot have the same stamp any more; 0 for all but fresh files. */
export function freshFor(stat: Stats): number {
  const age = Date.now() - stat.ctimeMs;
  return age >= 0 && age < TICK_MS ? TICK_MS - age : 0;
}

/**
 * Which stored files have been hashed and found sound, and the stamp they had then, so that no start hashes a release
 * again. A text of lines `sha256 stamp`, the last one of a file holding; threads and processes only append to it. Lost
 * or torn lines cost one more hashing and nothing else. A copied or restored file has another stamp.
 */
export class SoundRecord {
  readonly #path: string;
  readonly #stamps = new Map<string, string>();
  #inode = 0;
  /** Bytes read so far. */
  #read = 0;

  /** @param home PLAT_HOME. */
  constructor(home: string) {
    this.#path = join(home, NAME);
  }

  /** The stamp under which the content of a hash was last found sound; undefined when it never was. */
  get(sha256: string): string | undefined {
    this.#refresh();
    return this.#stamps.get(sha256);
  }

  /** Files a sound file. @returns false when the disk does not take it: then it is hashed again some day. */
  add(sha256: string, stamp: string): boolean {
    if (this.get(sha256) === stamp) return true;
    try {
      // The line break before it ends a line that a killed process may have left torn.
      appendFileSync(this.#path, `\n${sha256} ${stamp}\n`);
      return true;
    } catch {
      return false;
    }
  }

  /** Forgets every file but those of the given hashes. */
  keep(hashes: ReadonlySet<string>): void {
    this.#refresh();
    if ([...this.#stamps.keys()].every(sha256 => hashes.has(sha256))) return;
    const lines = [...this.#stamps]
      .filter(([sha256]) => hashes.has(sha256))
      .map(([sha256, stamp]) => `${sha256} ${stamp}\n`);
    try {
      writeFileSync(`${this.#path}.partial`, lines.join(''));
      renameSync(`${this.#path}.partial`, this.#path);
    } catch {}
  }

  /** Reads what was appended since the last time, up to the last whole line; everything when it was written anew. */
  #refresh(): void {
    const stat = statOf(this.#path);
    if (!stat || stat.ino !== this.#inode || stat.size < this.#read) {
      this.#stamps.clear();
      this.#read = 0;
      this.#inode = stat?.ino ?? 0;
    }
    if (!stat || stat.size === this.#read) return;
    try {
      const fd = openSync(this.#path, 'r');
      try {
        const bytes = Buffer.alloc(stat.size - this.#read);
        const text = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, this.#read));
        const end = text.lastIndexOf('\n') + 1;
        for (const line of text.slice(0, end).split('\n')) {
          const [, sha256, stamp] = LINE.exec(line) ?? [];
          if (sha256 && stamp) this.#stamps.set(sha256, stamp);
        }
        this.#read += end;
      } finally {
        closeSync(fd);
      }
    } catch {}
  }
}
