import type { Outcome, WorkerTask } from './worker-task.ts';

/** An outcome that is sent before those of the requests that came with it. */
export interface Ahead {
  /** Of the task. */
  readonly id: number;
  readonly outcome: Outcome;
}

/** Milliseconds after which what is answered waits no longer for what crossed together with it. */
const PATIENCE_MS = 10;

/**
 * Answers requests that crossed together side by side: one that waits for a file holds the others up no longer than a
 * moment, after which what is answered goes ahead.
 * @param answer never rejects. @param ahead is told outcomes that do not wait for the rest.
 * @returns an outcome each, in order; null for one that went ahead.
 */
export async function answerTogether(
  tasks: readonly WorkerTask[],
  answer: (task: WorkerTask) => Promise<Outcome>,
  ahead: (ahead: Ahead) => void,
  patience = PATIENCE_MS,
): Promise<readonly (Outcome | null)[]> {
  const outcomes: (Outcome | null)[] = tasks.map(() => null);
  let late = false;
  const goAhead = (i: number, outcome: Outcome) => {
    outcomes[i] = null;
    ahead({ id: tasks[i]!.id, outcome });
  };
  const timer = setTimeout(() => {
    late = true;
    for (const [i, outcome] of outcomes.entries()) if (outcome) goAhead(i, outcome);
  }, patience);
  await Promise.all(
    tasks.map(async (task, i) => {
      const outcome = await answer(task);
      if (late) goAhead(i, outcome);
      else outcomes[i] = outcome;
    }),
  );
  clearTimeout(timer);
  return outcomes;
}
