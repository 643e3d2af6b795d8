import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Box } from '../../../datasets/geometry.ts';
import type { Manifest, PartitionList, ReleaseFile } from '../../../datasets/release.ts';
import { COG_ENDING } from '../../format/cog.ts';
import { hashFile } from '../../format/file-hash.ts';
import { stampOf } from '../../format/file-stamp.ts';
import { listsOf, partitionsOf } from '../lists/layer-lists.ts';
import { ReleaseError } from '../manifest.ts';
import { manifestIds } from '../published.ts';
import { SoundRecord } from '../sound-record.ts';

/** Makes a file or folder entry survive a power cut. */
export async function fsync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const ENDINGS = {
  features: 'fgb',
  rows: 'parquet',
  raster: COG_ENDING,
  coverage: 'fgb',
  graph: 'graph',
  addresses: 'adr',
  names: 'nam',
  neighbours: 'nbr',
  rejects: 'ndjson',
  rejected: 'fgb',
  ground: 'fgb',
  ended: 'ndjson',
  stacks: 'ndjson',
  columns: 'parquet',
  records: 'records',
  tiles: 'pmtiles',
  quantiles: 'json',
  scorecard: 'json',
  lists: 'ndjson',
  shard: 'ndjson.gz',
} as const;

/** Where a file of a role and content stands below a releases folder; null for a role that this build does not have. */
export const pathOf = (role: string, sha256: string): string | null =>
  Object.hasOwn(ENDINGS, role) ? `files/${sha256.slice(0, 2)}/${sha256}.${ENDINGS[role as ReleaseFile['role']]}` : null;

/** A file that a run has written and that is not in the store yet. */
export interface StagedFile {
  readonly role: ReleaseFile['role'];
  readonly path: string;
  readonly rows: number;
  /** As ReleaseFile.box. */
  readonly box?: Box | null;
}

/**
 * The content-addressed files of a home: `files/<first two hex digits>/<sha256>.<ending>` below the releases folder.
 * Files are never changed; equal content is stored once.
 */
export class Store {
  readonly releases: string;
  readonly #sound: SoundRecord;

  /** @param home PLAT_HOME. */
  constructor(home: string) {
    this.releases = join(home, 'releases');
    this.#sound = new SoundRecord(home);
  }

  /** Makes a new empty folder for the files of one run and returns its path. */
  async stage(): Promise<string> {
    const folder = join(this.releases, 'tmp', `${process.pid}-${randomBytes(4).toString('hex')}`);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Copies a published file into a run's folder, bytes unchanged. */
  async stageCopy(from: string, to: string): Promise<void> {
    await copyFile(from, to);
  }

  /** Whether a file is here and undamaged. It is read only if it may have changed since it was last found so. */
  async holds({ path, sha256, bytes }: ReleaseFile): Promise<boolean> {
    const full = join(this.releases, path);
    const found = await stat(full).catch(() => null);
    if (found?.size !== bytes) return false;
    if (this.#sound.get(sha256) === stampOf(found)) return true;
    if ((await hashFile(full)) !== sha256) return false;
    this.#sound.add(sha256, stampOf(found));
    return true;
  }

  /** Hashes a staged file, makes it durable and moves it into the store; drops it if the store already has it. */
  async adopt(file: StagedFile): Promise<ReleaseFile> {
    return this.keep(file, await hashFile(file.path));
  }

  /** As adopt, for a file whose hash is known. */
  async keep(file: StagedFile, sha256: string): Promise<ReleaseFile> {
    const { size } = await stat(file.path);
    const path = pathOf(file.role, sha256)!;
    const target = join(this.releases, path);
    // A file of this name with another size is damaged; it is replaced.
    if (existsSync(target) && (await stat(target)).size === size && (await hashFile(target)) === sha256)
      await rm(file.path);
    else {
      await mkdir(dirname(target), { recursive: true });
      await fsync(file.path);
      await rename(file.path, target);
      await fsync(dirname(target));
    }
    // Servers need not hash the file again.
    this.#sound.add(sha256, stampOf(await stat(target)));
    const { role, rows, box } = file;
    return { role, path, sha256, bytes: size, rows, ...(box === undefined ? {} : { box }) };
  }

  /**
   * Removes the leftovers of killed runs: staged files, manifests that are incomplete or were never published, and stored files
   * that no release names. Call it only under the lock.
   * @param manifests of every release.
   * @param spared files, stored and staged, that stay although no release names them: paths below the releases folder.
   * @returns the number of files and folders that were removed.
   */
  async clean(manifests: readonly Manifest[], spared: ReadonlySet<string> = new Set()): Promise<number> {
    let removed = 0;
    const drop = async (path: string) => {
      await rm(path, { recursive: true, force: true });
      removed++;
    };
    for (const name of await list(join(this.releases, 'tmp')))
      if (!spared.has(`tmp/${name}`)) await drop(join(this.releases, 'tmp', name));
    for (const name of await list(this.releases)) if (name.endsWith('.partial')) await drop(join(this.releases, name));
    const kept = new Set(manifests.map(({ id }) => id));
    for (const id of manifestIds(this.releases)) if (!kept.has(id)) await drop(join(this.releases, `${id}.json`));
    const files = filesOf(...manifests);
    this.#sound.keep(new Set(files.map(f => f.sha256)));
    const named = new Set(files.map(f => f.path));
    for (const prefix of await list(join(this.releases, 'files')))
      for (const name of await list(join(this.releases, 'files', prefix)))
        if (!named.has(`files/${prefix}/${name}`) && !spared.has(`files/${prefix}/${name}`))
          await drop(join(this.releases, 'files', prefix, name));
    return removed;
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns the shards of a manifest: whoever has only it must fetch them before `filesOf` can say what else there is. */
export const shardFilesOf = ({ shards = {} }: Manifest): ReleaseFile[] => Object.values(shards).map(({ file }) => file);

/**
 * Returns every file that some releases name, each once, its shards first.
 * @throws ReleaseError when a shard is missing or damaged: what it names must not be taken for nobody's.
 */
export function filesOf(...manifests: readonly Manifest[]): ReleaseFile[] {
  const files = new Map<string, ReleaseFile>();
  const add = (file: ReleaseFile) => files.set(file.path, file);
  // Releases that follow each other share nearly all of their lists.
  const seen = new Set<string>();
  const isNew = ({ sha256 }: PartitionList) => !seen.has(sha256) && seen.add(sha256);
  for (const manifest of manifests) {
    const { id, datasets, overlays = {}, tiles = {}, quantiles = {}, scorecards = {} } = manifest;
    shardFilesOf(manifest).forEach(add);
    try {
      for (const layer of Object.values(datasets).flatMap(layers => Object.values(layers))) {
        const lists = listsOf(layer)?.filter(isNew).map(partitionsOf) ?? [layer.partitions];
        for (const partition of lists.flat()) partition.files.forEach(add);
      }
      for (const overlay of Object.values(overlays).flatMap(of => Object.values(of))) overlay.files.forEach(add);
    } catch (error) {
      throw new ReleaseError(
        `The manifest of release ${id} is damaged: ${(error as Error).message}. Restore that file from a copy; or, when ` +
          `another release shall serve, roll back to it and remove ${id}.json`,
      );
    }
    const areas = [...Object.values(tiles), ...Object.values(quantiles), ...Object.values(scorecards)];
    for (const { file } of areas) if (file) add(file);
  }
  return [...files.values()];
}
