import { type Catalog, catalog as ownCatalog } from '../../datasets/catalog.ts';
import { keptManifests } from '../../query/release/home/candidate.ts';
import { takeLock } from '../../query/release/home/lock.ts';
import { publish } from '../../query/release/home/publish.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { withShards } from '../../query/release/home/shards.ts';
import { Store } from '../../query/release/home/store.ts';
import { withChanges } from '../../query/release/lists/sharded-manifest.ts';
import { ReleaseError } from '../../query/release/manifest.ts';
import { requireStoredRasters, requireWholeCounties } from '../../query/release/open-release.ts';
import type { Progress } from '../progress.ts';
import { withQuantiles } from '../steps/quantiles/area-quantiles.ts';
import { type TilesReport, tiled } from '../steps/tiles/tiled.ts';
import { Workforce } from '../steps/workforce.ts';
import type { Machines } from '../tasks/machines.ts';
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
  /** As of `overlaid`. */
  readonly machines?: Machines | undefined;
  readonly blockParcels?: number;
}

interface OverlayRunReport extends OverlayReport {
  readonly tiles: TilesReport;
  readonly release: string;
  readonly previous: string;
  /** False if every overlay and every map layer was up to date; the current release then stays. */
  readonly changed: boolean;
}

/**
 * Draws the map layers that the current release lacks, computes its missing and stale overlays, and publishes a release that has
 * them. If it is killed, the current release stays in service, and the next run takes over the finished blocks.
 * @throws LockedError when an ingest runs, ReleaseError when nothing was published yet.
 */
export async function runOverlay(options: OverlayRunOptions): Promise<OverlayRunReport> {
  const { home, progress } = options;
  const now = options.now ?? new Date();
  const store = new Store(home);
  const lock = takeLock(store.releases, 'overlay');
  let stopTelling = () => {};
  try {
    const current = currentId(store.releases);
    if (current === null) throw new ReleaseError(`No release in ${store.releases}; make one with plat ingest run`);
    const before = readManifest(store.releases, current);
    requireWholeCounties(before);
    requireStoredRasters(before);
    await store.clean(keptManifests(store.releases));
    const candidate = withChanges(before, { createdAt: now.toISOString(), previous: before.id });
    const workforce = new Workforce(Math.min(2, options.threads));
    const drawn = await tiled(store, candidate, before, { ...options, workforce }).finally(() => workforce.close());
    const { manifest: computed, report, ...made } = await overlaid(store, drawn.manifest, { ...options, now });
    stopTelling = made.stopTelling;
    const { catalog = ownCatalog } = options;
    const manifest = await withQuantiles(store, computed, before, { ...options, catalog });
    const tiles = drawn.report;
    const changed = manifest !== candidate;
    if (changed) await publish(store.releases, await withShards(store, manifest));
    dropStages(store);
    return { ...report, tiles, release: changed ? manifest.id : before.id, previous: before.id, changed };
  } finally {
    stopTelling();
    progress.close();
    lock.release();
  }
}
