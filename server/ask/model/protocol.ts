import type { Stage, Task } from '../backend.ts';

/** A piece of an answer as it comes, and the fields whose records it cites. */
export interface Piece {
  readonly text: string;
  readonly fields: readonly string[];
}

/** How a language model is asked: one adapter for each protocol, the rest is shared. */
export interface ModelProtocol {
  readonly name: 'anthropic' | 'openai';
  /**
   * Has the model call the planning tool (plan-tool.ts).
   * @returns what it calls it with, read by nobody yet.
   * @throws ServiceError of the ask family; errors of the SDK.
   */
  plan(question: string, stage: Stage): Promise<unknown>;
  /**
   * Has the model write from records.
   * @throws ServiceError of the ask family; errors of the SDK.
   */
  write(task: Task, stage: Stage): AsyncIterable<Piece>;
  /** An error of the SDK in the words of ask; null for one that is not the SDK's. */
  failureOf(error: unknown): ModelFailure | null;
}

/** Why a model did not answer. */
export interface ModelFailure {
  readonly kind: 'unreachable' | 'limited' | 'refused_request' | 'trouble';
  /** Of its HTTP answer; null where there was none or it had begun well. */
  readonly status: number | null;
  /** Seconds after which it may be asked again, where it says so. */
  readonly retryAfter: number | null;
}
