import type { Catalog } from '../../datasets/catalog.ts';
import { requireWholeCounties } from '../../query/release/open-release.ts';
import type { Progress } from '../progress.ts';
import { keptManifests } from '../release/candidate.ts';
import { takeLock } from '../release/lock.ts';
import { currentId, ReleaseError, readManifest } from '../release/manifest.ts';
import { publish } from '../release/publish.ts';
import { Store } from '../release/store.ts';
import { dropStages, type OverlayReport, overlaid } from './overlay.ts';

interface OverlayRunOptions {
  /** PLAT_HOME. */
  readonly home: string;
  readonly threads: number;
  /** Megabytes each thread may keep. */
  readonly memoryMb: number;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
  readonly now?: Date;
  /** Instead of the catalog of this build. */
  readonly catalog?: Catalog;
}

interface OverlayRunReport extends OverlayReport {
  readonly release: string;
  readonly previous: string;
  /** False when every overlay was right already: the current release stays. */
  readonly changed: boolean;
}

/**
 * Computes what is missing or stale of the current release's overlays and publishes a release that has them. When it is
 * killed the current release goes on serving, and the next run takes over the blocks that were finished.
 * @throws LockedError when an ingest runs, ReleaseError when nothing was published yet.
 */
export async function runOverlay(options: OverlayRunOptions): Promise<OverlayRunReport> {
  const { home, progress } = options;
  const now = options.now ?? new Date();
  const store = new Store(home);
  const lock = takeLock(store.releases, 'overlay');
  try {
    const current = currentId(store.releases);
    if (current === null) throw new ReleaseError(`No release in ${store.releases}; make one with plat ingest run`);
    const before = readManifest(store.releases, current);
    requireWholeCounties(before);
    await store.clean(keptManifests(store.releases));
    const candidate = { ...before, createdAt: now.toISOString(), previous: before.id };
    const { manifest, report } = await overlaid(store, candidate, { ...options, now });
    const changed = manifest !== candidate;
    if (changed) await publish(store.releases, manifest);
    dropStages(store);
    return { ...report, release: changed ? manifest.id : before.id, previous: before.id, changed };
  } finally {
    progress.close();
    lock.release();
  }
}
