import type { Evaluation } from './evaluate.ts';

/** What a task runs with in its worker: the release that was current when the request came. */
export interface TaskEnvironment extends Evaluation {
  readonly stopped: () => boolean;
  /** Told every step of work that a caller may want to count. */
  readonly onProgress: () => void;
}
