import type { RequestTerms } from '../queue/request-terms.ts';
import { SET_TASKS, type SetTaskName, type SetTasks } from './set-tasks.ts';

/** Questions about sets of parcels. What cannot be read is told in the answer; none rejects for a data fault. @throws as search. */
export type SetQuestions = {
  readonly [K in SetTaskName]: (request: SetTasks[K]['input'], options: RequestTerms) => Promise<SetTasks[K]['output']>;
};

/** Makes all of them alike. @param make the method of a name; that each answers its own type is the concern of who makes it. */
export const questionsAbout = (
  make: (name: SetTaskName) => (request: never, terms: RequestTerms) => Promise<object>,
): SetQuestions =>
  Object.fromEntries(Object.keys(SET_TASKS).map(name => [name, make(name as SetTaskName)])) as unknown as SetQuestions;
