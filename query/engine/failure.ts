import { Interrupted } from '../release/fault.ts';

/** Why a task gave no answer: plain data, which crosses from the worker. */
export interface Failure {
  readonly failed: string;
  /** Whether only the time was up. */
  readonly late: boolean;
}

/** An error as the answer of a task. @param deadline epoch milliseconds. @throws Interrupted as it is. */
export function failureOf(error: unknown, deadline: number): Failure {
  if (error instanceof Interrupted) throw error;
  return { failed: (error as Error).message, late: Date.now() >= deadline };
}

/** What was asked of the engine could not be read, or not in time. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly late: boolean;
  constructor({ failed, late }: Failure) {
    super(failed);
    this.late = late;
  }
}

/** An answer that is none of these. @throws TaskFailed. */
export function answered<T extends object>(answer: T | Failure): Exclude<T, Failure> {
  if ('failed' in answer) throw new TaskFailed(answer as Failure);
  return answer as Exclude<T, Failure>;
}
