import type { ObjectStore } from '../../query/release/store/object-store.ts';
import type { TaskFile } from './task.ts';

/** What the steps of a worker work with. */
export interface Workplace {
  /** PLAT_HOME of the worker. */
  readonly home: string;
  readonly store: ObjectStore;
  /** At least 1: what computes in the main thread keeps the heartbeat from beating, and loses its task again and again. */
  readonly threads: number;
  /** Megabytes each thread may keep. */
  readonly memoryMb: number;
  /** Gets lines for whoever watches the worker. */
  readonly told: (line: string) => void;
}

/** What a task made, before it is uploaded. */
export interface Product {
  /** Paths, each with its content. */
  readonly files: readonly (TaskFile & { readonly path: string })[];
  readonly rows: number;
}

/** Does the tasks of one step. */
export interface TaskStep {
  /** How many it does at the same time: one where each takes all threads. */
  readonly atOnce: number;
  /** @throws Error for a task that cannot be done, or the reason of the signal. */
  run(data: object, signal: AbortSignal): Promise<Product>;
  /** Called when the files of a task are in the ledger, or another worker's are: they need not be kept. */
  drop(product: Product): void;
  close(): Promise<void>;
}
