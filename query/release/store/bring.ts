import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReleaseFile } from '../../../datasets/release.ts';
import type { Store } from '../home/store.ts';
import { type Downloading, resumeDownload } from './download.ts';

/** Where a file is downloaded to, below the releases folder; it stays there when the download is given up. */
export const partialOf = ({ sha256 }: ReleaseFile): string => `tmp/${sha256}.partial`;

/**
 * Brings a file of a release from a store into a home that lacks it, and goes on where an earlier download ended.
 * @throws StoreProblem or Error as resumeDownload.
 */
export async function bring(home: Store, file: ReleaseFile, downloading: Downloading): Promise<void> {
  if (await home.holds(file)) return;
  const path = join(home.releases, partialOf(file));
  await mkdir(dirname(path), { recursive: true });
  await resumeDownload(path, file, downloading);
  await home.keep({ ...file, path }, file.sha256);
}
