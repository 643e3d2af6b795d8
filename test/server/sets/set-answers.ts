import type { Catalog } from '../../../datasets/catalog.ts';
import { questionsAbout, type SetQuestions } from '../../../query/engine/set/set-questions.ts';
import { SET_TASKS, type SetTaskName } from '../../../query/engine/set/set-tasks.ts';
import { createCache } from '../../../query/release/cache.ts';
import type { Release } from '../../../query/release/open-release.ts';

const cache = createCache(64);
const LIMIT_MS = 60_000;

/**
 * Questions about sets as workers answer them, in this thread.
 * @param release null: nothing was published yet. @param asked gets the name of every task.
 */
export const setAnswers = (
  release: Release | null,
  catalog: Catalog,
  asked: (name: SetTaskName) => void = () => {},
): SetQuestions =>
  questionsAbout(name => (request: never) => {
    asked(name);
    // The clock of a fixture stands still somewhere else.
    const deadline = Date.now() + LIMIT_MS;
    const environment = { release, catalog, cache, deadline, stopped: () => false, onProgress: () => {} };
    return SET_TASKS[name](request, environment);
  });
