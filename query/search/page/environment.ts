import type { Evaluation } from '../../evaluate/evaluate.ts';
import type { Plan } from './plan.ts';
import type { RowTexts } from './row-texts.ts';

/** Where a search runs. Matches confirmed by the deadline are returned. */
export interface SearchEnvironment extends Evaluation {
  readonly stopped: () => boolean;
  /** Matches as they were written lately; a share of the cache unless given. */
  readonly texts?: RowTexts;
  /** Told every candidate that is judged. */
  readonly onJudged?: () => void;
  /** Where the page is made of what is in memory, over the same release and cache. */
  readonly plan?: Plan;
}
