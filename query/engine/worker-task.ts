import type { Catalog } from '../../datasets/catalog.ts';
import type { Judged } from '../release/verified-file.ts';
import type { TaskName, Tasks } from './tasks.ts';

/** What the engine starts a worker with. */
export interface WorkerSetup {
  readonly home: string;
  readonly memoryMb: number;
  /** Workers that are warm, each adds itself; and 1 once the engine has started. */
  readonly ready: Int32Array;
  /** Shared with the engine: how often workers were asked to let go of half of what they keep. */
  readonly shrinkings: Int32Array;
  /** How many workers opened all files of each layer ahead, in the order of warmLayers. */
  readonly openLayers: Int32Array;
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
  /** Whether it is to be answered between the steps of what the worker does. */
  readonly urgent: boolean;
  /** No other task has it. */
  readonly id: number;
  /** The release to answer from: the one that was current when the request came, or one that it names; null when there was none. */
  readonly release: string | null;
  /** Whether that is not the current one. */
  readonly past: boolean;
  readonly deadline: number;
  /** What the file checker has found so far. */
  readonly judged: readonly Judged[];
  /** Number of the flag that is not 0 once the caller went away. */
  readonly flag: number;
  /** Element 0 counts the steps of work, where the caller wants to know. */
  readonly progress: Int32Array | null;
}

/**
 * What became of one request: its answer, null when the caller went away meanwhile, why there is none, why the
 * worker ended before it answered, or that another worker had begun with it.
 */
export type Outcome =
  | { readonly output: Tasks[TaskName]['output'] | null }
  | { readonly error: string }
  | { readonly stopped: string }
  | { readonly taken: true };
