import { chmodSync, constants, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReleaseFile } from '../../datasets/release.ts';
import { filesOf } from '../../query/release/home/store.ts';
import { readManifestFile } from '../../query/release/manifest.ts';
import { currentId } from '../../query/release/open-release.ts';
import { requireWhole } from '../../query/release/pack/pack.ts';
import { ServingLease } from '../../query/release/serving-lease.ts';
import { sha256Of } from '../../query/release/verified-file.ts';
import { withheldPath } from '../../query/release/withheld/withheld-list.ts';
import { noteBackup } from '../metrics/last-backup.ts';
import { hasState, restoreState, saveState } from './state-copy.ts';

/** `backup.json`, the contents of a backup. It is written last, so a folder without it is not a backup. */
interface Contents {
  readonly format: 1;
  readonly created_at: string;
  /** The current release; null when there was none. */
  readonly release: string | null;
  /** Number of rows of each table of the state. */
  readonly state: Readonly<Record<string, number>>;
  readonly secrets: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of `state.sqlite`. */
  readonly state_sha256: string;
}

/** A backup that cannot be made or used. The message says why, and what to do. */
class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The installation that a backup is from or goes to: PLAT_HOME and PLAT_STATE_URL. */
export interface Installation {
  readonly home: string;
  readonly url: string;
}

const STATE = 'state.sqlite';
const CONTENTS = 'backup.json';

/** Copies the manifest and files of a release from one releases folder to another, and checks the copies' checksums. */
async function copyRelease(id: string, from: string, to: string): Promise<ReleaseFile[]> {
  const files = filesOf(readManifestFile(join(from, `${id}.json`), id));
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const { path, sha256 } of files) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(target) && (await sha256Of(target)) === sha256) continue;
    await copyFile(join(from, path), `${target}.partial`, constants.COPYFILE_FICLONE);
    if ((await sha256Of(`${target}.partial`)) !== sha256)
      throw new BackupError(
        `${join(from, path)} is damaged: its bytes do not have the checksum of release ${id}; ingest its place again or take another backup`,
      );
    await rename(`${target}.partial`, target);
  }
  await copyFile(join(from, `${id}.json`), join(to, `${id}.json`));
  return files;
}

/**
 * Saves state, secrets and the current release to a folder while servers keep running. The state is as of one moment.
 * @param folder is created; if it exists, it must be empty.
 * @throws BackupError; whatever the state store throws.
 */
export async function makeBackup({ home, url }: Installation, folder: string): Promise<Contents> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BackupError(`${folder} is not empty: a backup goes to a folder of its own`);
  if (url === '' && !existsSync(join(home, STATE)))
    throw new BackupError(`${join(home, STATE)} is missing: there is nothing to save (is PLAT_HOME right?)`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  requireWhole(home, 'save it');
  const release = currentId(home);
  // The lease keeps the release from being pruned while it is copied.
  const lease = new ServingLease(home);
  try {
    lease.hold(release);
    const state = await saveState(home, url, join(folder, STATE));
    const secrets = existsSync(join(home, 'secrets'))
      ? readdirSync(join(home, 'secrets')).filter(n => !n.startsWith('.'))
      : [];
    for (const name of secrets) {
      mkdirSync(join(folder, 'secrets'), { recursive: true, mode: 0o700 });
      cpSync(join(home, 'secrets', name), join(folder, 'secrets', name), { recursive: true });
    }
    if (existsSync(withheldPath(home))) cpSync(withheldPath(home), withheldPath(folder));
    const files = release === null ? [] : await copyRelease(release, join(home, 'releases'), join(folder, 'releases'));
    const contents: Contents = {
      format: 1,
      created_at: new Date().toISOString(),
      release,
      state,
      secrets,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      state_sha256: await sha256Of(join(folder, STATE)),
    };
    writeFileSync(join(folder, CONTENTS), `${JSON.stringify(contents, null, 1)}\n`, { mode: 0o600 });
    noteBackup(home, Date.parse(contents.created_at));
    return contents;
  } finally {
    lease.close();
  }
}

/** Reads `backup.json`. @throws BackupError when the folder holds no complete backup. */
async function readContents(folder: string): Promise<Contents> {
  let contents: Contents;
  try {
    contents = JSON.parse(readFileSync(join(folder, CONTENTS), 'utf8')) as Contents;
  } catch {
    throw new BackupError(`${join(folder, CONTENTS)} is missing or damaged: there is no whole backup in ${folder}`);
  }
  if (contents.format !== 1) throw new BackupError(`${folder} is a backup of format ${contents.format}, expected 1`);
  if ((await sha256Of(join(folder, STATE))) !== contents.state_sha256)
    throw new BackupError(`${join(folder, STATE)} is damaged: its bytes do not have the checksum of ${CONTENTS}`);
  return contents;
}

/**
 * Restores a backup to the installation that the settings name. The release becomes current last. Nothing is
 * overwritten.
 * @throws BackupError when there is already a state or a release, or the backup is not complete.
 */
export async function restoreBackup({ home, url }: Installation, folder: string): Promise<Contents> {
  const contents = await readContents(folder);
  if (await hasState(home, url))
    throw new BackupError(
      url === ''
        ? `${join(home, STATE)} is there already: restore into another PLAT_HOME, or move it away`
        : 'The database of PLAT_STATE_URL holds accounts already: restore into an empty one',
    );
  const { release } = contents;
  const releases = join(home, 'releases');
  const current = currentId(home);
  if (release !== null && current !== null && current !== release)
    throw new BackupError(`${releases} has release ${current} already: restore into another PLAT_HOME`);
  // Nobody whose owner is withheld is told because of a restore.
  if (existsSync(withheldPath(folder)) && !existsSync(withheldPath(home)))
    cpSync(withheldPath(folder), withheldPath(home));
  if (release !== null) await copyRelease(release, join(folder, 'releases'), releases);
  for (const name of contents.secrets) {
    mkdirSync(join(home, 'secrets'), { recursive: true, mode: 0o700 });
    cpSync(join(folder, 'secrets', name), join(home, 'secrets', name), {
      recursive: true,
      errorOnExist: true,
      force: false,
    });
  }
  const state = await restoreState(join(folder, STATE), home, url);
  for (const [table, rows] of Object.entries(contents.state))
    if (state[table] !== undefined && state[table] !== rows)
      throw new BackupError(`Table ${table} has ${state[table]} rows after the restore, the backup says ${rows}`);
  if (release !== null && current === null) {
    const path = join(releases, 'current');
    writeFileSync(`${path}.partial`, `${release}\n`);
    await rename(`${path}.partial`, path);
  }
  return contents;
}
