import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { stacFolderOf } from '../../../query/release/home/beside.ts';
import { exportedFiles, exportedTiles } from './exported-files.ts';
import { inStore, stacDocuments } from './stac.ts';

/**
 * Writes the STAC catalog of a release and a collection for each layer. They refer to the stored files; nothing is copied. They
 * are the same each time, and replace earlier ones as a whole.
 * @param releases folder of the manifests.
 * @returns the catalog's path, and the number of collections.
 */
export async function writeStac(
  releases: string,
  manifest: Manifest,
): Promise<{ catalog: string; collections: number }> {
  const folder = stacFolderOf(releases, manifest.id);
  const documents = stacDocuments(
    manifest,
    exportedFiles(manifest, undefined),
    exportedTiles(manifest, undefined),
    inStore,
  );
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), 'partial-'));
  try {
    const partial = join(work, 'documents');
    for (const [path, document] of documents) {
      await mkdir(dirname(join(partial, path)), { recursive: true });
      await writeFile(join(partial, path), `${JSON.stringify(document, null, 2)}\n`);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { catalog: join(folder, 'catalog.json'), collections: documents.size - 1 };
}
