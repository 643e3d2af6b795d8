import type { TaskEnvironment } from '../evaluate/environment.ts';
import { settled } from '../evaluate/evaluate.ts';
import type { Suggestion } from '../suggest/shortlist.ts';
import { type SuggestRequest, suggest } from '../suggest/suggest.ts';
import { type Failure, failureOf } from './failure.ts';

/** What a text may mean; it stands under a name, because a list has no room for why there is none. */
export interface Suggestions {
  readonly suggestions: readonly Suggestion[];
}

/** Looks for what a text may mean: nothing without a release. Never throws but Interrupted. */
export const suggestTask = (request: SuggestRequest, environment: TaskEnvironment): Promise<Suggestions | Failure> =>
  settled(async layers => (layers ? suggest(request, environment, layers) : []), environment).then(
    suggestions => ({ suggestions }),
    (error: unknown) => failureOf(error, environment.deadline),
  );
