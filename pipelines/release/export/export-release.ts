import { copyFile, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { UsageError } from '../../../query/engine/command.ts';
import { ReleaseError } from '../manifest.ts';
import { hashFile } from '../store.ts';
import { exportedFiles } from './exported-files.ts';
import { stacDocuments } from './stac.ts';

interface ExportOptions {
  readonly releases: string;
  /** Folder that is made; it may exist if it is empty. */
  readonly out: string;
  /** Two letters: what is of this state or of the country alone. */
  readonly state: string | undefined;
  readonly progress?: (done: number, of: number) => void;
}

/** What an export came to. */
interface Exported {
  readonly files: number;
  readonly bytes: number;
  readonly collections: number;
}

/** @throws UsageError when there is something in the folder. */
async function requireEmpty(out: string): Promise<void> {
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new UsageError(`--out ${out}: expected a folder, this is a file`);
    throw error;
  });
  if (entries.length > 0) throw new UsageError(`--out ${out}: expected a folder that is empty or not there yet`);
}

/** Makes way where the folder is there; what came into it meanwhile stays. @throws UsageError when something did. */
async function removeEmpty(out: string): Promise<void> {
  await rmdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UsageError(`--out ${out}: expected a folder that stays empty meanwhile`);
  });
}

/**
 * Copies a release as plain files in hive partitions (`dataset/layer/state=ME/county=23019/PLACE.parquet`, `.fgb`, `.tif`) with
 * a STAC catalog over them. Each copy is hashed; the folder appears when all of it is there.
 * @throws UsageError for a folder that is not empty or a state of which the release has nothing, ReleaseError for a damaged file.
 */
export async function exportRelease(manifest: Manifest, options: ExportOptions): Promise<Exported> {
  const { releases, out, state, progress } = options;
  const files = exportedFiles(manifest, state);
  if (files.length === 0)
    throw new UsageError(`release ${manifest.id} has nothing ${state === undefined ? 'to export' : `of ${state}`}`);
  await requireEmpty(out);
  await mkdir(dirname(out), { recursive: true });
  const work = await mkdtemp(`${out}.partial-`);
  // That folder is its owner's alone, an export everybody's who may read here.
  const partial = join(work, 'release');
  try {
    for (const [i, { file, path }] of files.entries()) {
      const target = join(partial, path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(releases, file.path), target);
      if ((await hashFile(target)) !== file.sha256)
        throw new ReleaseError(`${file.path} is damaged; see plat release verify ${manifest.id}`);
      progress?.(i + 1, files.length);
    }
    const documents = stacDocuments(manifest, files);
    for (const [path, document] of documents)
      await writeFile(join(partial, path), `${JSON.stringify(document, null, 2)}\n`);
    await removeEmpty(out);
    await rename(partial, out);
    const bytes = files.reduce((sum, { file }) => sum + file.bytes, 0);
    return { files: files.length, bytes, collections: documents.size - 1 };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
