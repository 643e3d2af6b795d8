import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { ReleaseError, readManifestFile } from '../manifest.ts';
import { RELEASE_ID as ID, manifestIds, publishedIn } from '../published.ts';

/**
 * Returns the ids of all releases of a home; the one that became current last is at the end. The list of published releases
 * decides the order, not a time, because the clock may have been set back. A home of an earlier build has no such list: there
 * they are ordered by creation, and those whose manifest cannot be read come last.
 */
export function releaseIds(releases: string): string[] {
  const ids = manifestIds(releases);
  const published = publishedIn(releases);
  if (published) {
    const listed = [...published.keys()].filter(id => ids.includes(id));
    return [...listed, ...ids.filter(id => !published.has(id) && isCurrent(releases, id))];
  }
  const created = (id: string) => {
    try {
      return readManifest(releases, id).createdAt;
    } catch {
      return '~';
    }
  };
  return ids
    .map(id => ({ id, at: created(id) }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1))
    .map(release => release.id);
}

function isCurrent(releases: string, id: string): boolean {
  try {
    return currentId(releases) === id;
  } catch {
    return false;
  }
}

/** Returns the id that `current` names; null when nothing was published yet. @throws ReleaseError when it holds no id. */
export function currentId(releases: string): string | null {
  const path = join(releases, 'current');
  if (!existsSync(path)) return null;
  const id = readFileSync(path, 'utf8').trim();
  if (!ID.test(id))
    throw new ReleaseError(
      `${path} holds ${JSON.stringify(id.slice(0, 40))}, expected a release id; write the id of a release there, which ` +
        `the names of the .json files beside it are, or remove it when there is none`,
    );
  return id;
}

/** Reads the manifest of a release. @throws ReleaseError when there is no such release or its manifest is damaged. */
export function readManifest(releases: string, id: string): Manifest {
  if (!ID.test(id)) throw new ReleaseError(`"${id}" is no release id; expected one like 20261120-ab12cd34`);
  return readManifestFile(join(releases, `${id}.json`), id);
}
