import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IngestCount, ReleaseFile } from '../../datasets/release.ts';
import { hashFile } from '../../query/format/file-hash.ts';
import { stampOf } from '../../query/format/file-stamp.ts';
import { freshFor, SoundRecord } from '../../query/release/sound-record.ts';
import type { Contribution } from '../release/manifest.ts';
import type { Examples } from '../steps/quality/measure.ts';
import type { Reject } from '../steps/rejected/reject.ts';

/** The result of one layer, or of one county's parcels. */
export interface Output {
  readonly contribution: Contribution;
  readonly counts: readonly IngestCount[];
  readonly examples: readonly Examples[];
  readonly samples: readonly Reject[];
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS output (key TEXT PRIMARY KEY, result TEXT NOT NULL, made_at TEXT NOT NULL, took_ms INTEGER NOT NULL, published INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS hashed (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, sha256 TEXT NOT NULL)`;

/** Returns every file that a contribution names. */
function filesOfContribution({ partitions }: Contribution): ReleaseFile[] {
  return partitions.flatMap(({ files, parts = [] }) => [...files, ...parts.flatMap(part => part.files)]);
}

/**
 * Records results by their inputs: a key over everything that decides the result → the stored files and counts. With the ledger
 * a killed run goes on where it was, and a refresh builds only what changed. It also records the hashes of published files by
 * their stamp. It may be lost at any time; then everything is built once more. Ingests that share a home share it.
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

  /** Returns the result for a key, if all its files are in the store and undamaged; otherwise null. */
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

  /** Whether a stored file is undamaged. It is read only if it may have changed since the last check. */
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

  /** Returns the paths of files that were built and not published yet, which a later run can use. */
  pending(): Set<string> {
    const rows = this.#database.prepare('SELECT result FROM output WHERE published = 0').all() as { result: string }[];
    return new Set(
      rows.flatMap(({ result }) => filesOfContribution((JSON.parse(result) as Output).contribution).map(f => f.path)),
    );
  }

  /**
   * After a publication: keeps the outputs that were used, and drops those of runs that did not publish.
   * @param isAlone false while others ingest, whose outputs are not published yet: none is dropped then.
   */
  settle(used: ReadonlySet<string>, isAlone: boolean): void {
    const rows = this.#database.prepare('SELECT key, published, result FROM output').all() as {
      key: string;
      published: number;
      result: string;
    }[];
    const mark = this.#database.prepare('UPDATE output SET published = 1 WHERE key = ?');
    const drop = this.#database.prepare('DELETE FROM output WHERE key = ?');
    this.#database.exec('BEGIN IMMEDIATE');
    for (const { key, published, result } of rows) {
      if (used.has(key)) mark.run(key);
      else if (isAlone && (!published || !this.#isThere(JSON.parse(result) as Output))) drop.run(key);
    }
    this.#database.exec('COMMIT');
  }

  /** Drops all outputs that are not published, because the disk is full. */
  forgetPending(): void {
    this.#database.exec('DELETE FROM output WHERE published = 0');
  }

  /** Returns the SHA-256 of a file. The file is read only if it may have changed since the last time. */
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

/** Opens the ledger; begins a new one if it cannot be read. */
function openDatabase(path: string): DatabaseSync {
  const open = () => {
    const database = new DatabaseSync(path);
    // A lost line only means that a layer is built again. A full disk must not stop a run here.
    database.exec(`PRAGMA busy_timeout = 30000; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${SCHEMA}`);
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
