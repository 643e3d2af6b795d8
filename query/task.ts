import type { Catalog } from '../datasets/catalog.ts';
import type { Point } from './answer.ts';
import { askedIn } from './asked.ts';
import type { Cache } from './cache.ts';
import { type EnrichAnswer, type EnrichRequest, enrich } from './enrich/enrich-task.ts';
import type { ParcelVerdict } from './enrich/match.ts';
import { type MatchRequest, matchParcel } from './enrich/match-task.ts';
import { findAt } from './evaluate.ts';
import { type GeocodeOutcome, geocodeTask } from './geocode/geocode-task.ts';
import type { Release } from './release.ts';
import type { SearchRequest } from './search/request.ts';
import { search } from './search/search.ts';
import type { WrittenResult } from './search/written-page.ts';
import { type WrittenAnswers, writeAnswers } from './written-answers.ts';

/** What a task runs with in its worker. */
export interface TaskEnvironment {
  /** The release that was current when the request came; null when nothing was published. */
  readonly release: Release | null;
  readonly catalog: Catalog;
  readonly cache: Cache;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** True once nobody waits for the answer. */
  readonly stopped: () => boolean;
  /** Told every step of work that a caller may want to count. */
  readonly onProgress: () => void;
}

/** What workers can be asked, by name: input and output are plain data that cross between threads. */
export interface Tasks {
  readonly fetch: {
    /** Names as nameList writes them. */
    readonly input: { readonly names: string; readonly point: Point };
    readonly output: WrittenAnswers;
  };
  readonly enrich: { readonly input: EnrichRequest; readonly output: EnrichAnswer };
  readonly geocode: { readonly input: { readonly address: string }; readonly output: GeocodeOutcome };
  readonly matchParcel: { readonly input: MatchRequest; readonly output: ParcelVerdict };
  readonly search: { readonly input: SearchRequest; readonly output: WrittenResult };
}

export type TaskName = keyof Tasks;

/** How each task is carried out. May throw Interrupted once `stopped` says so. */
export const TASKS: {
  readonly [K in TaskName]: (input: Tasks[K]['input'], environment: TaskEnvironment) => Promise<Tasks[K]['output']>;
} = {
  fetch: async ({ names, point }, environment) => {
    const asked = askedIn(environment.catalog, names);
    return writeAnswers(asked, await findAt(asked, point, environment), environment.release);
  },
  enrich,
  geocode: geocodeTask,
  matchParcel,
  search: (request, { onProgress, ...environment }) => search(request, { ...environment, onJudged: onProgress }),
};
