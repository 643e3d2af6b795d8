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

/**
 * What takes as long as a hundred short tasks: a search of which each match is enriched or whose areas are large, some hundred
 * milliseconds at most; or what goes through a whole site or through two releases, seconds.
 */
export type Long = 'search' | 'survey';

/** Vertices from which on it takes a millisecond and more to prepare an area. */
const LARGE_AREA = 2_000;

const isLongSearch = ({ enrich, filters }: Tasks['search']['input']): boolean =>
  enrich === true || filters.areas.some(({ geometry }) => geometry.xy.length / 2 >= LARGE_AREA);

/** How a task is long; null: it is not. */
export function longOf({ kind, input }: WorkerTask): Long | null {
  if (kind === 'site' || kind === 'changes') return 'survey';
  return kind === 'search' && isLongSearch(input as Tasks['search']['input']) ? 'search' : null;
}

const SHORT: ReadonlySet<TaskName> = new Set(['fetch', 'matchParcel', 'enrich', 'geocode', 'readSite']);

/** Whether a task may be answered between the steps of another one: milliseconds of work that scan no table. */
export const isShort = ({ kind }: WorkerTask): boolean => SHORT.has(kind);
