import { createHash } from 'node:crypto';
import { type CodedStep, codeVersion } from '../ledger/code-version.ts';
import { canonical } from '../release/lists.ts';

/** A piece of an ingest that any machine with this build can do. */
export interface Task {
  /** Hash over everything that decides its files. Two tasks of one key are one. */
  readonly key: string;
  /** Which of `TaskSteps` does it. */
  readonly step: string;
  /** What people read: `overlay of ME/23019 from parcel 0`. */
  readonly name: string;
  /** Heavier ones are begun first. A whole number. */
  readonly weight: number;
  /** Plain data. */
  readonly data: object;
}

/** A file that a task made: `work/<first two hex digits>/<sha256>` of the store. */
export interface TaskFile {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** What came of a task: its row in the ledger. */
export interface TaskOutput {
  /** In the order that the step defines. */
  readonly files: readonly TaskFile[];
  readonly rows: number;
}

/** The key of what a task made, or of what several need, in the store. */
export const workKey = (sha256: string): string => `work/${sha256.slice(0, 2)}/${sha256}`;

/**
 * Returns the key of a task: SHA-256 of its step, of the step's code, and of what decides its files.
 * @param inputs definitions and hashes of inputs, in order.
 */
export const taskKey = (step: CodedStep, inputs: unknown): string =>
  createHash('sha256')
    .update(canonical([step, codeVersion(step), inputs]))
    .digest('hex');
