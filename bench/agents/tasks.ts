import type { AgentTask } from './task.ts';
import { COUNTS } from './tasks/counts.ts';
import { ERRANDS } from './tasks/errands.ts';
import { FINDS } from './tasks/finds.ts';
import { LIMITS } from './tasks/limits.ts';
import { PLACES } from './tasks/places.ts';

export const TASKS: readonly AgentTask[] = [...COUNTS, ...FINDS, ...PLACES, ...LIMITS, ...ERRANDS];

/** Right answers are equal: numbers to the tenth of a percent, or half a unit of what is measured to one. */
export function isRight(answer: unknown, truth: unknown): boolean {
  if (typeof answer === 'number' && typeof truth === 'number')
    return Math.abs(answer - truth) <= Math.max(0.55, 0.001 * Math.abs(truth));
  if (Array.isArray(answer) && Array.isArray(truth))
    return answer.length === truth.length && answer.every((one, i) => isRight(one, truth[i]));
  return answer === truth;
}
