import type { Geometry } from '../../../datasets/geometry.ts';
import type { SetTaskName } from '../set/set-tasks.ts';
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
 * What takes as long as a hundred short tasks: a search of which each match is enriched or whose areas are large, a question about a set, a large site that is
 * read, many drives, some hundred milliseconds at most; or what goes through a whole site or through two releases, seconds.
 */
export type Long = 'search' | 'survey';

/** Vertices from which on it takes a millisecond and more to prepare an area. */
const LARGE_AREA = 2_000;
/** Pairs of places from which on a table of drives takes milliseconds. */
const LARGE_TABLE = 500;

/** Points of a portfolio whose sums take some milliseconds at most. */
const FEW_POINTS = 500;

const isLarge = ({ xy }: Geometry): boolean => xy.length / 2 >= LARGE_AREA;

/**
 * How the queue treats a kind of task. `short`: milliseconds of work that scan no table, so it may be answered between the steps of
 * another one. `ordinary`: it waits for its turn. `search` and `survey` are long. Which one it is may depend on what is asked.
 */
type QueueClass = 'short' | 'ordinary' | Long;

/**
 * The class of each kind of task: a kind without one does not compile. Questions about sets have theirs together. A task about roads is
 * never interrupted.
 */
const CLASSES: {
  readonly [K in Exclude<TaskName, SetTaskName>]: QueueClass | ((input: Tasks[K]['input']) => QueueClass);
} = {
  fetch: 'short',
  accumulation: ({ values }) => (values.length > FEW_POINTS ? 'search' : 'ordinary'),
  area: ({ shape }) => (shape.type === 'Point' ? 'ordinary' : 'search'),
  changes: 'survey',
  enrich: 'short',
  evidence: 'ordinary',
  features: 'search',
  geocode: 'short',
  matchParcel: 'short',
  parcelColumns: 'ordinary',
  parcelCounts: 'ordinary',
  places: 'ordinary',
  readSite: ({ geometry }) => (isLarge(geometry) ? 'search' : 'short'),
  rejectedParcels: 'ordinary',
  route: ({ question }) => {
    const isLong =
      question.kind === 'table'
        ? question.origins.length * question.destinations.length >= LARGE_TABLE
        : question.kind !== 'nearest';
    return isLong ? 'search' : 'ordinary';
  },
  search: ({ enrich, filters }) =>
    enrich === true || filters.areas.some(({ geometry }) => isLarge(geometry)) ? 'search' : 'ordinary',
  site: 'survey',
  pointTable: 'survey',
  suggest: 'short',
  terrain: 'ordinary',
};

/** A question about a set goes through a county at least. */
const SET: QueueClass = 'search';

function classOf<K extends TaskName>({ kind, input }: Pick<WorkerTask<K>, 'kind' | 'input'>): QueueClass {
  const own =
    (CLASSES as Readonly<Record<string, QueueClass | ((input: Tasks[K]['input']) => QueueClass)>>)[kind] ?? SET;
  return typeof own === 'function' ? own(input) : own;
}

/** How a task is long; null: it is not. */
export function longOf<K extends TaskName>({ kind, input, past }: WorkerTask<K>): Long | null {
  const own = classOf({ kind, input });
  if (own === 'survey') return own;
  // One worker stays free of what opens the files of an earlier release.
  if (past) return 'search';
  return own === 'search' ? own : null;
}

/**
 * Whether a task may be answered between the steps of another one. One about an earlier release may have to open its files first.
 */
export const isShort = (task: WorkerTask): boolean => !task.past && classOf(task) === 'short';
