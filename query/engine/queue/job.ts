import type { Geometry } from '../../../datasets/geometry.ts';
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

const isLarge = ({ xy }: Geometry): boolean => xy.length / 2 >= LARGE_AREA;

/** Whether a task is a long search. One about roads is never interrupted. */
const SEARCHES: { readonly [K in TaskName]?: (input: Tasks[K]['input']) => boolean } = {
  search: ({ enrich, filters }) => enrich === true || filters.areas.some(({ geometry }) => isLarge(geometry)),
  count: () => true,
  rank: () => true,
  aggregate: () => true,
  area: ({ shape }) => shape.type !== 'Point',
  explain: () => true,
  ownerParcels: () => true,
  owners: () => true,
  parcelPlace: () => true,
  similar: () => true,
  readSite: ({ geometry }) => isLarge(geometry),
  route: ({ question }) =>
    question.kind === 'table'
      ? question.origins.length * question.destinations.length >= LARGE_TABLE
      : question.kind !== 'nearest',
};

/** How a task is long; null: it is not. */
export function longOf<K extends TaskName>({ kind, input, past }: WorkerTask<K>): Long | null {
  if (kind === 'site' || kind === 'changes') return 'survey';
  // One worker stays free of what opens the files of an earlier release.
  if (past) return 'search';
  return SEARCHES[kind]?.(input) ? 'search' : null;
}

const SHORT: ReadonlySet<TaskName> = new Set(['fetch', 'matchParcel', 'enrich', 'geocode', 'readSite', 'suggest']);

/**
 * Whether a task may be answered between the steps of another one: milliseconds of work that scan no table. One about an earlier
 * release may have to open its files first.
 */
export const isShort = (task: WorkerTask): boolean => SHORT.has(task.kind) && !task.past && longOf(task) === null;
