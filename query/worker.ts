import { parentPort, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { catalog as builtIn, type Catalog } from '../datasets/catalog.ts';
import { createCache } from './cache.ts';
import { Interrupted } from './fault.ts';
import { Layers } from './layer.ts';
import { partsOf } from './part.ts';
import { currentId, openReleaseById, type Release } from './release.ts';
import type { WrittenPage } from './search/written-page.ts';
import { claim, isRaised } from './shared-flags.ts';
import { duckdb } from './table.ts';
import { TASKS, type TaskName, type Tasks } from './task.ts';
import { type Ahead, answerTogether } from './together.ts';
import { heedChecker, type Judged, relyOnChecker } from './verified-file.ts';

/** What the engine starts a worker with. */
export interface WorkerSetup {
  readonly home: string;
  readonly memoryMb: number;
  /** Workers that are warm; each adds itself. */
  readonly ready: Int32Array;
  /** Shared with the engine: flags of requests. */
  readonly flags: Int32Array;
  /** Null: the catalog of this build. */
  readonly catalog: Catalog | null;
  /** Files larger than this are hashed by the file checker. */
  readonly inlineBytes: number;
}

/** One request on its way to a worker. */
export interface WorkerTask<K extends TaskName = TaskName> {
  readonly kind: K;
  readonly input: Tasks[K]['input'];
  /** No other task has it. */
  readonly id: number;
  /** The release that was current when the request came; null when there was none. */
  readonly release: string | null;
  readonly deadline: number;
  /** What the file checker has found so far. */
  readonly judged: readonly Judged[];
  /** Number of the flag that is not 0 once the caller went away. */
  readonly flag: number;
  /** Element 0 counts the steps of work, where the caller wants to know. */
  readonly progress: Int32Array | null;
}

/** Warming opens files for at most this long: a national release has more than a start may wait for. */
const WARM_MS = 1_500;

// Piscina puts the options' workerData second in its own pair.
const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as WorkerSetup;
const catalog = setup.catalog ?? builtIn;
const cache = createCache(setup.memoryMb);
relyOnChecker(setup.inlineBytes);

/** Opens (and so verifies) the release's files ahead of the first request. A damaged one shows in its own fields. */
async function warm(release: Release): Promise<void> {
  const layers = new Layers(release, cache);
  const until = performance.now() + WARM_MS;
  let tables = false;
  for (const versions of Object.values(release.manifest.datasets))
    for (const { partitions } of Object.values(versions))
      for (const partition of partitions.flatMap(partsOf))
        for (const { role } of partition.files) {
          if (performance.now() > until) return;
          try {
            if (role === 'features' || role === 'coverage') await layers.features(partition, role);
            else if (role === 'rejected') await layers.rejected(partition);
            else if (role === 'raster') await layers.raster(partition);
            else if (role === 'addresses') await layers.addresses(partition);
            else if (role === 'rows') tables = true;
          } catch {
            // Reported by every request that needs the file, with the reason.
          }
        }
  if (tables) await duckdb();
}

try {
  const id = currentId(setup.home);
  if (id !== null) await warm(openReleaseById(setup.home, id));
} catch {
  // The engine opens the same release and reports what is wrong with it.
}
Atomics.add(setup.ready, 0, 1);
Atomics.notify(setup.ready, 0);
process.once('exit', () => Atomics.sub(setup.ready, 0, 1));

/**
 * What became of one request: its answer, null when the caller went away meanwhile, why there is none, or that another
 * worker had begun with it.
 */
export type Outcome =
  | { readonly output: Tasks[TaskName]['output'] | null }
  | { readonly error: string }
  | { readonly taken: true };

async function answer<K extends TaskName>(task: WorkerTask<K>): Promise<Tasks[K]['output'] | null> {
  const { flag, progress, deadline } = task;
  const stopped = () => isRaised(setup.flags, flag);
  if (stopped()) return null;
  heedChecker(task.judged);
  try {
    const release = task.release === null ? null : openReleaseById(setup.home, task.release);
    const onProgress = progress ? () => void Atomics.add(progress, 0, 1) : () => {};
    return await TASKS[task.kind](task.input, { release, catalog, cache, deadline, stopped, onProgress });
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

const goAhead = (ahead: Ahead) => parentPort!.postMessage(ahead);

/** What this worker has been sent, one delivery after the other: a scan of DuckDB has the connection for itself. */
let last: Promise<unknown> = Promise.resolve();

/** Answers one request, or several that crossed together. @returns an outcome each; null for one that went ahead. */
export default function answerAll(tasks: readonly WorkerTask[]): Promise<readonly (Outcome | null)[]> {
  const [only] = tasks;
  const outcomes = last.then(async () =>
    tasks.length === 1 ? handedOver([await outcomeOf(only!)]) : answerTogether(tasks, outcomeOf, goAhead),
  );
  last = outcomes.catch(() => {});
  return outcomes;
}

/** Lets the bytes of written pages change threads instead of being copied. */
function handedOver(outcomes: readonly Outcome[]): readonly (Outcome | null)[] {
  const buffers = outcomes.flatMap(outcome =>
    'output' in outcome && outcome.output && 'matches' in outcome.output
      ? [(outcome.output as WrittenPage).matches.memory.buffer]
      : [],
  );
  if (!buffers.length) return outcomes;
  // The pool asks the getters; the other side gets the value.
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcomes } as never) as object as readonly Outcome[];
}
