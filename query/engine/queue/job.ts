import type { TaskName, Tasks } from '../tasks.ts';
import type { WorkerTask } from '../worker-task.ts';

/** What a worker answers. */
type Result = Tasks[TaskName]['output'];

/** A request on its way to a worker and back. */
export interface Job {
  /** Whose it is: owners are served in turn. */
  readonly owner: string;
  /** Whether it is sent although workers have all that they take, to be answered between what they do. */
  urgent: boolean;
  readonly task: WorkerTask;
  at: 'queue' | 'worker' | 'end';
  /** Tasks of it that workers have: more than one where the first one waited behind another request for too long. */
  out: number;
  /** When the last of them was sent, of `performance.now()`. */
  sentAt: number;
  /** Whether a worker died before it began with it. */
  again: boolean;
  /** Gets null when the caller went away meanwhile. */
  readonly done: (result: Result | null) => void;
  /** Said when too many wait. */
  readonly refuse: () => void;
  /** Said when the worker ended that had begun with it. */
  readonly stopped: (reason: string) => void;
  /** What the caller is told when the worker could not answer. */
  readonly failed: (reason: string) => Result;
}

/** Whether a task takes as long as a hundred short ones do. */
export const isLong = ({ kind, input }: WorkerTask): boolean =>
  kind === 'site' || kind === 'changes' || (kind === 'search' && (input as Tasks['search']['input']).enrich === true);

const SHORT: ReadonlySet<TaskName> = new Set(['fetch', 'matchParcel', 'enrich', 'geocode', 'readSite']);

/** Whether a task may be answered between the steps of another one: milliseconds of work that scan no table. */
export const isShort = ({ kind }: WorkerTask): boolean => SHORT.has(kind);
