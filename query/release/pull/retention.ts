import { dirname } from 'node:path';
import { prune } from '../home/prune.ts';
import { currentId, releaseIds } from '../home/releases.ts';
import type { Store } from '../home/store.ts';
import { publishedIn } from '../published.ts';
import { servedReleases } from '../serving-lease.ts';

/** Cursors and answers of the release before live that long after another one became current. */
const READ_MS = 3_600_000;

/** How many of the earlier releases stay at least: those that another one took the place of within the last hour. */
function readStill(releases: string, earlier: readonly string[], readMs: number): number {
  const published = publishedIn(releases);
  let next = currentId(releases);
  let count = 0;
  for (const id of earlier) {
    const replacedAt = Date.parse(published?.get(next ?? '') ?? '');
    if (Date.now() - replacedAt >= readMs) break;
    count++;
    next = id;
  }
  return count;
}

/** How many earlier releases stay, whoever reads them, and which others may go. */
function outdated(releases: string, keep: number, readMs: number): { readonly ids: string[]; readonly count: number } {
  const current = currentId(releases);
  const earlier = releaseIds(releases)
    .filter(id => id !== current)
    .reverse();
  const count = Math.max(keep, readStill(releases, earlier, readMs));
  if (earlier.length <= count) return { ids: [], count };
  const served = servedReleases(dirname(releases));
  return { ids: earlier.slice(count).filter(id => !served.has(id)), count };
}

/** Whether a home has releases that `pruneOutdated` would remove. */
export const hasOutdated = (releases: string, keep: number, readMs = READ_MS): boolean =>
  outdated(releases, keep, readMs).ids.length > 0;

/**
 * Removes earlier releases: never the current one, one from which a server answers, or one that was current within the last hour.
 * With them goes what killed pulls left. Call it only under the lock.
 * @param keep how many earlier ones stay however old they are.
 * @param spared as `prune`.
 */
export async function pruneOutdated(
  store: Store,
  keep: number,
  spared: ReadonlySet<string> = new Set(),
  readMs = READ_MS,
): Promise<void> {
  await prune(store, outdated(store.releases, keep, readMs).count, false, spared);
}
