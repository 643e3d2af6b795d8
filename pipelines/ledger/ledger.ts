import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IngestCount, ReleaseFile } from '../../datasets/release.ts';
import { freshFor, SoundRecord, stampOf } from '../../query/release/sound-record.ts';
import type { Contribution } from '../release/manifest.ts';
import { hashFile } from '../release/store.ts';
import type { Examples } from '../steps/quality/measure.ts';
import type { Reject } from '../steps/rejected/reject.ts';

/** What became of one layer, or of one county's parcels. */
export interface Output {
  readonly contribution: Contribution;
  readonly counts: readonly IngestCount[];
  readonly examples: readonly Examples[];
  readonly samples: readonly Reject[];
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS output (key TEXT PRIMARY KEY, result TEXT NOT NULL, made_at TEXT NOT NULL, took_ms INTEGER NOT NULL, published INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS hashed (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, sha256 TEXT NOT NULL)`;

/** Every file that a contribution names. */
function filesOfContribution({ partitions }: Contribution): ReleaseFile[] {
  return partitions.flatMap(({ files, parts = [] }) => [...files, ...parts.flatMap(part => part.files)]);
}

/**
 * What was built of which inputs: a key over everything that decides the outcome → the stored files and counts. With it a run
 * that was killed goes on where it was, and a refresh builds only what changed. Also the hashes of published files by their
 * stamp. It may be lost at any time: then everything is built once more. Only under the lock of the releases.
 */
export class Ledger {
  readonly #database: DatabaseSync;
  readonly #releases: string;
  readonly #sound: SoundRecord;

  constructor(releases: string) {
    this.#releases = releases;
    this.#sound = new SoundRecord(dirname(releases));
    const path = join(releases, 'ledger.sqlite');
    this.#database = openDatabase(path);
  }

  /** What the inputs came to, where all its files are in the store and sound. */
  async get(key: string): Promise<Output | null> {
    const row = this.#database.prepare('SELECT result FROM output WHERE key = ?').get(key) as
      | { result: string }
      | undefined;
    if (!row) return null;
    const output = JSON.parse(row.result) as Output;
    for (const file of filesOfContribution(output.contribution)) if (!(await this.#isSound(file))) return null;
    return output;
  }

  #isThere({ contribution }: Output): boolean {
    return filesOfContribution(contribution).every(({ path }) => existsSync(join(this.#releases, path)));
  }

  /** Whether a stored file is what it was; read only where it may have changed since it was found sound. */
  async #isSound({ path, sha256, bytes }: ReleaseFile): Promise<boolean> {
    const full = join(this.#releases, path);
    const found = statSync(full, { throwIfNoEntry: false });
    if (found?.size !== bytes) return false;
    if (this.#sound.get(sha256) === stampOf(found)) return true;
    return (await hashFile(full)) === sha256;
  }

  put(key: string, output: Output, tookMs: number, now: Date): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO output (key, result, made_at, took_ms) VALUES (?, ?, ?, ?)')
      .run(key, JSON.stringify(output), now.toISOString(), Math.round(tookMs));
  }

  /** Paths of what was built and not published yet: a later run wants it. */
  pending(): Set<string> {
    const rows = this.#database.prepare('SELECT result FROM output WHERE published = 0').all() as { result: string }[];
    return new Set(
      rows.flatMap(({ result }) => filesOfContribution((JSON.parse(result) as Output).contribution).map(f => f.path)),
    );
  }

  /** After a publication: the outputs that were used stay, those of runs that came to nothing go. */
  settle(used: ReadonlySet<string>): void {
    const rows = this.#database.prepare('SELECT key, published, result FROM output').all() as {
      key: string;
      published: number;
      result: string;
    }[];
    const mark = this.#database.prepare('UPDATE output SET published = 1 WHERE key = ?');
    const drop = this.#database.prepare('DELETE FROM output WHERE key = ?');
    this.#database.exec('BEGIN');
    for (const { key, published, result } of rows) {
      if (used.has(key)) mark.run(key);
      else if (!published || !this.#isThere(JSON.parse(result) as Output)) drop.run(key);
    }
    this.#database.exec('COMMIT');
  }

  /** Nothing that is not published is kept for later: the disk is full. */
  forgetPending(): void {
    this.#database.exec('DELETE FROM output WHERE published = 0');
  }

  /** SHA-256 of a file; read only where it may have changed since it was read last. */
  async hashOf(path: string): Promise<string> {
    const before = statSync(path);
    const stamp = stampOf(before);
    const row = this.#database.prepare('SELECT stamp, sha256 FROM hashed WHERE path = ?').get(path) as
      | { stamp: string; sha256: string }
      | undefined;
    if (row?.stamp === stamp) return row.sha256;
    const sha256 = await hashFile(path);
    if (stampOf(statSync(path)) === stamp && freshFor(before) === 0)
      this.#database
        .prepare('INSERT OR REPLACE INTO hashed (path, stamp, sha256) VALUES (?, ?, ?)')
        .run(path, stamp, sha256);
    return sha256;
  }

  close(): void {
    this.#database.close();
  }
}

/** A ledger that cannot be read is begun anew. */
function openDatabase(path: string): DatabaseSync {
  const open = () => {
    const database = new DatabaseSync(path);
    // Lost lines cost one more building; a full disk must not stop a run here.
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${SCHEMA}`);
    database.prepare('SELECT count(*) FROM output').get();
    return database;
  };
  try {
    return open();
  } catch (error) {
    if (!existsSync(path) || !/malformed|not a database|disk image|no such column/i.test((error as Error).message))
      throw error;
    rmSync(path, { force: true });
    return open();
  }
}
