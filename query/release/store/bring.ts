import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseFile } from '../../../datasets/release.ts';
import type { Store } from '../home/store.ts';
import { download } from './download.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Brings a file of a release from a store into a home that lacks it.
 * @throws Error as `download`.
 */
export async function bring(store: ObjectStore, home: Store, file: ReleaseFile, signal?: AbortSignal): Promise<void> {
  if (await home.holds(file)) return;
  const folder = join(home.releases, 'tmp');
  await mkdir(folder, { recursive: true });
  const path = join(folder, file.sha256);
  await download(store, file, path, signal);
  await home.keep({ ...file, path }, file.sha256);
}
