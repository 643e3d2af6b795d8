import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { publishedIn } from '../published.ts';
import { servedReleases } from '../serving-lease.ts';
import { runPathOf, stacFolderOf } from './beside.ts';
import { candidateId } from './candidate.ts';
import { replacePublished } from './publish.ts';
import { currentId, readManifest, releaseIds } from './releases.ts';
import { filesOf, type Store } from './store.ts';

/** The result of pruning, or of a dry run. */
interface Pruned {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  /** Releases that stay only because a running server answers from them. */
  readonly served: readonly string[];
  /** Bytes of files that no release names any more. */
  readonly bytes: number;
}

/**
 * The order in which releases stay: the current one and those that it was made on top of; then the others, the one that became current
 * last first. After a rollback these are what was rolled back from: the good ones come before them.
 */
function inOrder(current: string | null, manifests: ReadonlyMap<string, Manifest>): string[] {
  const ordered = new Set<string>();
  for (let id = current; id !== null && manifests.has(id) && !ordered.has(id); id = manifests.get(id)!.previous)
    ordered.add(id);
  return [...ordered, ...[...manifests.keys()].reverse().filter(id => !ordered.has(id))];
}

/**
 * Removes releases, and then the files that no remaining release names. It keeps the current release, `keep` others that came before
 * it or, where there are fewer, after it, and those from which a running server answers. Call it only under the lock.
 * @param keep number of releases to keep beside the current one.
 * @param dry returns what would be removed, and removes nothing.
 * @param spared as Store.clean.
 * @throws ReleaseError when a manifest cannot be read, because its files must not be removed.
 */
export async function prune(
  store: Store,
  keep: number,
  dry: boolean,
  spared: ReadonlySet<string> = new Set(),
): Promise<Pruned> {
  const { releases } = store;
  const current = currentId(releases);
  // Its files must stay, also where nothing says any more which they are.
  if (current !== null) readManifest(releases, current);
  const ids = releaseIds(releases);
  const published = publishedIn(releases);
  const ordered = inOrder(current, new Map(ids.map(id => [id, readManifest(releases, id)])));
  const wanted = new Set(ordered.slice(0, keep + (current === null ? 0 : 1)));
  const serving = servedReleases(dirname(releases));
  const kept = ids.filter(id => wanted.has(id) || serving.has(id));
  const removed = ids.filter(id => !kept.includes(id));
  const waiting = candidateId(releases);
  const manifests = [...kept, ...(waiting === null ? [] : [waiting])].map(id => readManifest(releases, id));
  const named = new Set(filesOf(...manifests).map(file => file.path));
  const gone = filesOf(...removed.map(id => readManifest(releases, id)));
  const bytes = gone.reduce((sum, file) => sum + (named.has(file.path) ? 0 : file.bytes), 0);
  const result = { kept, removed, served: kept.filter(id => !wanted.has(id)), bytes };
  if (dry) return result;
  // Write the list first. If this stops halfway, the next run removes a manifest that is not on the list.
  if (published) await replacePublished(releases, new Map([...published].filter(([id]) => !removed.includes(id))));
  for (const id of removed) {
    await rm(join(releases, `${id}.json`), { force: true });
    await rm(runPathOf(dirname(releases), id), { force: true });
    await rm(stacFolderOf(releases, id), { recursive: true, force: true });
  }
  await store.clean(manifests, spared);
  return result;
}
