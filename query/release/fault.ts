import type { Partition } from '../../datasets/release.ts';

/** Why a field has no answer although the question was fine: becomes a `failed` record. */
export class Fault extends Error {
  override readonly name = 'Fault';
  /** Whether asking again can help. */
  readonly retryable: boolean;
  /** Whose file is at fault, which the record then cites; null where it is none's, or not known. */
  readonly partition: Partition | null;
  constructor(message: string, retryable = false, partition: Partition | null = null) {
    super(message);
    this.retryable = retryable;
    this.partition = partition;
  }

  /** An error as that of a partition's file: another object, because layers share files and the faults of these. */
  static of(error: unknown, partition: Partition | null): unknown {
    return partition && error instanceof Fault ? new Fault(error.message, error.retryable, partition) : error;
  }
}

/** The caller went away: no answer is wanted any more. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
