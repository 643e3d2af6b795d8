import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalog, catalog as ownCatalog } from '../../datasets/catalog.ts';
import type { ScoreFile } from '../../datasets/release.ts';
import { settled } from '../../query/evaluate/evaluate.ts';
import { type CountyScore, readScorecard, scoredOf } from '../../query/parcel/scorecard.ts';
import { createCache } from '../../query/release/cache.ts';
import { keptManifests } from '../../query/release/home/candidate.ts';
import { takeLock } from '../../query/release/home/lock.ts';
import { publish } from '../../query/release/home/publish.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { withShards } from '../../query/release/home/shards.ts';
import { Store } from '../../query/release/home/store.ts';
import { withChanges } from '../../query/release/lists/sharded-manifest.ts';
import { ReleaseError } from '../../query/release/manifest.ts';
import { releaseOf } from '../../query/release/open-release.ts';
import { countiesOf } from '../../query/search/predicate/counties.ts';
import type { Progress } from '../progress.ts';
import { identified } from '../release/manifest.ts';
import { sorted } from '../steps/quality/breach.ts';
import { countyScore } from './county-score.ts';
import { type Drop, DropError, dropsOf } from './drop.ts';
import { Recomputation } from './recomputation.ts';

/** Megabytes of files that are kept open. */
const MEMORY_MB = 128;

interface ScoreOptions {
  /** PLAT_HOME. */
  readonly home: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
  readonly now?: Date;
  /** Keys of drops that are published all the same, or the beginning of keys up to a slash. */
  readonly accept?: readonly string[] | undefined;
  /** Instead of the catalog of this build. */
  readonly catalog?: Catalog;
}

interface ScoreReport {
  readonly release: string;
  /** False where every county had its scorecard. */
  readonly changed: boolean;
  /** Those that were taken now. */
  readonly scores: readonly CountyScore[];
}

/**
 * Takes the scorecards that the current release lacks, and publishes a release with them. If it is killed, the current release
 * stays in service.
 * @throws LockedError when an ingest runs, ReleaseError when nothing was published yet, DropError when values became worse and no flag
 *   accepts it, Fault or DamagedFile when the values of a
 *   county cannot be read.
 */
export async function runScore(options: ScoreOptions): Promise<ScoreReport> {
  const { home, progress, signal, accept = [], catalog = ownCatalog } = options;
  const now = options.now ?? new Date();
  const store = new Store(home);
  const lock = takeLock(store.releases, 'score');
  const cache = createCache(MEMORY_MB);
  try {
    const current = currentId(store.releases);
    if (current === null) throw new ReleaseError(`No release in ${store.releases}; make one with plat ingest run`);
    const before = readManifest(store.releases, current);
    await store.clean(keptManifests(store.releases));
    const release = releaseOf(home, before);
    const counties = countiesOf(release).filter(({ partition }) => partition.rows > 0);
    const recomputation = new Recomputation(catalog, before, store.releases);
    const folder = await store.stage();
    const scorecards: Record<string, ScoreFile> = {};
    const scores: CountyScore[] = [];
    const drops: Drop[] = [];
    const task = progress.start('scorecards of counties', counties.length);
    try {
      for (const [i, county] of counties.entries()) {
        const inputs = scoredOf(release, county.partition);
        const held = before.scorecards?.[county.fips];
        if (held?.inputs === inputs && (await store.holds(held.file))) scorecards[county.fips] = held;
        else {
          const beat = () => signal?.throwIfAborted();
          const score = await settled(
            layers => countyScore(layers!, catalog, county, recomputation, now.getTime(), beat),
            { release, cache },
          );
          if (held && (await store.holds(held.file)))
            drops.push(...dropsOf(await readScorecard(join(store.releases, held.file.path)), score));
          const path = join(folder, `${county.fips}.json`);
          await writeFile(path, JSON.stringify(score));
          const file = await store.adopt({ role: 'scorecard', path, rows: score.rows.length });
          scorecards[county.fips] = { inputs, file };
          scores.push(score);
        }
        task.advance(i + 1);
      }
    } finally {
      task.done(`${counties.length} counties`);
      await rm(folder, { recursive: true, force: true });
    }
    if (scores.length === 0) return { release: before.id, changed: false, scores };
    const { standing } = sorted(drops, accept);
    if (standing.length > 0) throw new DropError(standing, before.id, before.previous ?? null);
    const changes = { createdAt: now.toISOString(), previous: before.id, scorecards };
    const manifest = identified(withChanges(before, changes));
    await publish(store.releases, await withShards(store, manifest));
    return { release: manifest.id, changed: true, scores };
  } finally {
    cache.clear();
    progress.close();
    lock.release();
  }
}
