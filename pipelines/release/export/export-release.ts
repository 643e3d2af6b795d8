import { copyFile, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { UsageError } from '../../../query/engine/command.ts';
import { hashFile } from '../../../query/format/file-hash.ts';
import { ReleaseError } from '../../../query/release/manifest.ts';
import { exportedFiles, exportedTiles } from './exported-files.ts';
import { stacDocuments } from './stac.ts';

interface ExportOptions {
  readonly releases: string;
  /** Folder to make; it may exist if it is empty. */
  readonly out: string;
  /** Two-letter code: only data of this state and of the whole country. */
  readonly state: string | undefined;
  readonly progress?: (done: number, of: number) => void;
}

/** The result of an export. */
interface Exported {
  readonly files: number;
  readonly bytes: number;
  readonly collections: number;
}

/** @throws UsageError when the folder is not empty. */
async function requireEmpty(out: string): Promise<void> {
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new UsageError(`--out ${out}: expected a folder, this is a file`);
    throw error;
  });
  if (entries.length > 0) throw new UsageError(`--out ${out}: expected a folder that is empty or not there yet`);
}

/** Removes the folder if it exists and is still empty. @throws UsageError when it is not empty any more. */
async function removeEmpty(out: string): Promise<void> {
  await rmdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UsageError(`--out ${out}: expected a folder that stays empty meanwhile`);
  });
}

/**
 * Copies a release as plain files in hive partitions (`dataset/layer/state=ME/county=23019/PLACE.parquet`, `.fgb`, `.tif`; tiles of
 * the map as `map/tiles/LAYER/GROUND.pmtiles`) with a STAC catalog over them. It hashes each copy. The folder appears only when it is complete.
 * @throws UsageError for a folder that is not empty or a state of which the release has nothing, ReleaseError for a damaged file.
 */
export async function exportRelease(manifest: Manifest, options: ExportOptions): Promise<Exported> {
  const { releases, out, state, progress } = options;
  const files = exportedFiles(manifest, state);
  if (files.length === 0)
    throw new UsageError(`release ${manifest.id} has nothing ${state === undefined ? 'to export' : `of ${state}`}`);
  const tiles = exportedTiles(manifest, state);
  const all = [...files, ...tiles];
  await requireEmpty(out);
  await mkdir(dirname(out), { recursive: true });
  const work = await mkdtemp(`${out}.partial-`);
  // Only its owner may read that folder; everybody may read an export.
  const partial = join(work, 'release');
  try {
    for (const [i, { file, path }] of all.entries()) {
      const target = join(partial, path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(releases, file.path), target);
      if ((await hashFile(target)) !== file.sha256)
        throw new ReleaseError(`${file.path} is damaged; see plat release verify ${manifest.id}`);
      progress?.(i + 1, all.length);
    }
    const documents = stacDocuments(manifest, files, tiles);
    for (const [path, document] of documents)
      await writeFile(join(partial, path), `${JSON.stringify(document, null, 2)}\n`);
    await removeEmpty(out);
    await rename(partial, out);
    const bytes = all.reduce((sum, { file }) => sum + file.bytes, 0);
    return { files: all.length, bytes, collections: documents.size - 1 };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
