import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { catalog as builtIn } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';
import { openIndex } from '../geocode/index/address-partition.ts';
import { loadGeos } from '../geometry/geos.ts';
import { createCache } from '../release/cache.ts';
import { boundDuckdb } from '../release/duckdb.ts';
import { Interrupted } from '../release/fault.ts';
import { Layers } from '../release/layers.ts';
import { type LayerList, LayerLists } from '../release/lists/layer-lists.ts';
import { currentId, openPastRelease, openReleaseById, type Release } from '../release/open-release.ts';
import { lacksFile } from '../release/pack/pack.ts';
import { partsOf } from '../release/part.ts';
import { duckdb } from '../release/table.ts';
import { heedChecker, relyOnChecker } from '../release/verified-file.ts';
import type { WrittenPage } from '../search/page/written-page.ts';
import { collectGarbage } from './memory/collect.ts';
import { tablesMbOf } from './memory/memory-shares.ts';
import { Pauses } from './queue/pauses.ts';
import { yieldToServingThread } from './queue/thread-priority.ts';
import { claim, isRaised } from './shared-flags.ts';
import { TASKS, type TaskName, type Tasks } from './tasks.ts';
import type { Outcome, WorkerSetup, WorkerTask } from './worker-task.ts';

/** Warming opens files for at most this long: a national release has more than a start may wait for. */
const WARM_MS = 1_500;

// Piscina puts the options' workerData second in its own pair.
const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as WorkerSetup;
const catalog = setup.catalog ?? builtIn;
const cache = createCache(setup.memoryMb);
yieldToServingThread();
relyOnChecker(setup.inlineBytes);
boundDuckdb(tablesMbOf(setup.memoryMb));

/** The partitions of a list; null when it cannot be read. */
function partitionsOf(list: LayerList): readonly Partition[] | null {
  try {
    return list.partitions;
  } catch {
    return null;
  }
}

/** Opens (and so verifies) the release's files ahead of the first request. A damaged one shows in its own fields. */
async function warm(release: Release): Promise<void> {
  const layers = new Layers(release, cache);
  const until = performance.now() + WARM_MS;
  let tables = false;
  const all = Object.values(release.manifest.datasets).flatMap(versions => Object.values(versions));
  for (const [i, version] of all.entries()) {
    let whole = true;
    for (const list of LayerLists.of(version).all) {
      if (performance.now() > until) return;
      // What fails is reported by every request that needs it, with the reason.
      const partitions = partitionsOf(list);
      whole &&= partitions !== null;
      for (const partition of partitions?.flatMap(partsOf) ?? [])
        for (const file of partition.files) {
          const { role } = file;
          if (performance.now() > until) return;
          if (lacksFile(release, file)) continue;
          try {
            if (role === 'features' || role === 'coverage') await layers.features(partition, role);
            else if (role === 'rejected' || role === 'ground') await layers.beside(partition, role);
            else if (role === 'raster') await layers.raster(partition);
            else if (role === 'addresses') await openIndex(layers, partition);
            else tables ||= role === 'rows';
          } catch {
            whole = false;
          }
        }
    }
    // Another release may have become current since the engine counted.
    if (whole && i < setup.openLayers.length) Atomics.add(setup.openLayers, i, 1);
  }
  if (tables) await duckdb();
}

try {
  const id = currentId(setup.home);
  // One that replaces another has work waiting; and the pool replaces none that ends before its module is there.
  if (id !== null && Atomics.load(setup.ready, 1) === 0) await warm(openReleaseById(setup.home, id));
} catch {
  // The engine opens the same release and reports what is wrong with it.
}
// The first areas would wait for it in all threads at once.
await loadGeos();
Atomics.add(setup.ready, 0, 1);
Atomics.notify(setup.ready, 0);
process.once('exit', () => Atomics.sub(setup.ready, 0, 1));

const pause = () => pauses.pause();

async function answer<K extends TaskName>(task: WorkerTask<K>): Promise<Tasks[K]['output'] | null> {
  const { flag, progress, deadline } = task;
  const stopped = () => isRaised(setup.flags, flag);
  if (stopped()) return null;
  heedChecker(task.judged);
  try {
    const open = task.past ? openPastRelease : openReleaseById;
    const release = task.release === null ? null : open(setup.home, task.release);
    const onProgress = progress ? () => void Atomics.add(progress, 0, 1) : () => {};
    const terms = { release, catalog, cache, deadline, stopped, onProgress };
    // What is urgent would wait for itself.
    return await TASKS[task.kind](task.input, task.urgent ? terms : { ...terms, pause });
  } catch (error) {
    if (error instanceof Interrupted) return null;
    throw error;
  }
}

async function outcomeOf(task: WorkerTask): Promise<Outcome> {
  if (!claim(setup.flags, task.flag, task.id)) return { taken: true };
  try {
    return { output: await answer(task) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** How many of `shrinkings` this worker has heeded. */
let heeded = 0;
function shrinkOnRequest(): void {
  const count = Atomics.load(setup.shrinkings, 0);
  if (count === heeded) return;
  heeded = count;
  cache.shrink(0.5);
  collectGarbage();
}

/** What this worker has been sent, one delivery after the other: a scan of DuckDB has the connection for itself. */
let last: Promise<unknown> = Promise.resolve();
/** Urgent tasks, answered while what runs waits and between its steps: none of them scans. */
const pauses = new Pauses();

/** Answers a request; without one it was woken to shrink its cache. */
export default async function answerTask(task: WorkerTask | null): Promise<Outcome> {
  shrinkOnRequest();
  if (!task) return { output: null };
  // Screening a site takes seconds, lets others between and scans no table: nobody waits for it.
  if (task.kind === 'site') return outcomeOf(task);
  if (task.urgent) return pauses.add(outcomeOf(task));
  const outcome = last.then(async () => {
    await pauses.pause();
    const outcome = await outcomeOf(task);
    return task.kind === 'search' ? transferred(outcome) : outcome;
  });
  last = outcome.catch(() => {});
  return outcome;
}

/** Lets the bytes of a written page change threads instead of being copied. */
function transferred(outcome: Outcome): Outcome {
  if (!('output' in outcome && outcome.output && 'matches' in outcome.output)) return outcome;
  const { buffer } = (outcome.output as WrittenPage).matches.memory;
  // The pool asks the getters; the other side gets the value.
  return move({ [transferableSymbol]: [buffer], [valueSymbol]: outcome } as never) as object as Outcome;
}
