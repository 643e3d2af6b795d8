import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { ReleaseError } from '../manifest.ts';
import { publish, writeWhole } from './publish.ts';
import { currentId, readManifest, releaseIds } from './releases.ts';

/** Name of the file that names a release which was made but not published yet. */
const CANDIDATE = 'candidate';

/**
 * Returns the id of the release that waits for publication; null if none does.
 * @throws Error when the file exists but cannot be read.
 */
export function candidateId(releases: string): string | null {
  try {
    return readFileSync(join(releases, CANDIDATE), 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the manifests of all releases and of the one that waits; their files stay. @throws ReleaseError if one is damaged. */
export function keptManifests(releases: string): Manifest[] {
  const waiting = candidateId(releases);
  const ids = new Set([...releaseIds(releases), ...(waiting === null ? [] : [waiting])]);
  return [...ids].map(id => readManifest(releases, id));
}

/** Stores a release for later publication, in place of one that waited before. Call it only under the lock. */
export async function keepCandidate(releases: string, manifest: Manifest, text: string): Promise<void> {
  await writeWhole(join(releases, `${manifest.id}.json`), text);
  await writeWhole(join(releases, CANDIDATE), `${manifest.id}\n`);
}

/** Forgets the release that waits. The next cleaning removes its manifest. */
export const dropCandidate = (releases: string): Promise<void> => rm(join(releases, CANDIDATE), { force: true });

/**
 * Publishes the release that waits and returns its manifest. Call it only under the lock.
 * @throws ReleaseError when none waits, or when another release became current since it was made, which it would undo.
 */
export async function publishCandidate(releases: string): Promise<Manifest> {
  const id = candidateId(releases);
  if (id === null)
    throw new ReleaseError('No release waits for its publication; `plat ingest run --no-publish` makes one');
  const manifest = readManifest(releases, id);
  const current = currentId(releases);
  if (manifest.previous !== current)
    throw new ReleaseError(
      `${id} was made on top of ${manifest.previous ?? 'nothing'}, and ${current ?? 'nothing'} is current now: run the ingest again`,
    );
  await publish(releases, manifest);
  await dropCandidate(releases);
  return manifest;
}
