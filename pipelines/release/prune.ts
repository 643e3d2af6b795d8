import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { publishedIn } from '../../query/release/published.ts';
import { servedReleases } from '../../query/release/serving-lease.ts';
import { runPathOf, stacFolderOf } from './beside.ts';
import { candidateId } from './candidate.ts';
import { currentId, readManifest, releaseIds } from './manifest.ts';
import { replacePublished } from './publish.ts';
import { filesOf, type Store } from './store.ts';

/** What pruning came to, or would come to. */
interface Pruned {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  /** Releases that only stay because a running server answers from them. */
  readonly served: readonly string[];
  /** Of files that no release names any more. */
  readonly bytes: number;
}

/**
 * Removes releases but the current one, the last that were current before, and those that a running server answers
 * from; then the files that no remaining release names. Only under the lock.
 * @param keep how many beside the current one.
 * @param dry says what would go and removes nothing.
 * @throws ReleaseError when a manifest cannot be read: its files must not go.
 */
export async function prune(store: Store, keep: number, dry: boolean): Promise<Pruned> {
  const { releases } = store;
  const current = currentId(releases);
  const ids = releaseIds(releases);
  const published = publishedIn(releases);
  const recent = ids.filter(id => id !== current).reverse();
  const wanted = new Set([...(current === null ? [] : [current]), ...recent.slice(0, keep)]);
  const serving = servedReleases(dirname(releases));
  const kept = ids.filter(id => wanted.has(id) || serving.has(id));
  const removed = ids.filter(id => !kept.includes(id));
  const waiting = candidateId(releases);
  const manifests = [...kept, ...(waiting === null ? [] : [waiting])].map(id => readManifest(releases, id));
  const named = new Set(manifests.flatMap(filesOf).map(file => file.path));
  const gone = new Map(removed.flatMap(id => filesOf(readManifest(releases, id))).map(file => [file.path, file.bytes]));
  const bytes = [...gone].reduce((sum, [path, size]) => sum + (named.has(path) ? 0 : size), 0);
  const result = { kept, removed, served: kept.filter(id => !wanted.has(id)), bytes };
  if (dry) return result;
  // The list first: should this end halfway, a manifest that is not on it is cleaned away by the next run.
  if (published) await replacePublished(releases, new Map([...published].filter(([id]) => !removed.includes(id))));
  for (const id of removed) {
    await rm(join(releases, `${id}.json`), { force: true });
    await rm(runPathOf(dirname(releases), id), { force: true });
    await rm(stacFolderOf(releases, id), { recursive: true, force: true });
  }
  await store.clean(manifests);
  return result;
}
