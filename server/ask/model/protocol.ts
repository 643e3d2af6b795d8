import type { Stage, Task } from '../backend.ts';

/** A piece of an answer, and the fields whose records it cites. */
export interface Piece {
  readonly text: string;
  readonly fields: readonly string[];
}

/** The protocol of a language model. Each protocol has an adapter; everything else is shared. */
export interface ModelProtocol {
  readonly name: 'anthropic' | 'openai';
  /**
   * Makes the model call the planning tool (plan-tool.ts).
   * @returns the arguments of the call, not checked.
   * @throws ServiceError of the ask family; errors of the SDK.
   */
  plan(question: string, stage: Stage): Promise<unknown>;
  /**
   * Makes the model write from records.
   * @throws ServiceError of the ask family; errors of the SDK.
   */
  write(task: Task, stage: Stage): AsyncIterable<Piece>;
  /** Classifies an error of the SDK; null for other errors. */
  failureOf(error: unknown): ModelFailure | null;
}

/** Why a model did not answer. */
export interface ModelFailure {
  readonly kind: 'unreachable' | 'limited' | 'refused_request' | 'trouble';
  /** Status of its HTTP answer; null when there was none, or when the answer had begun with success. */
  readonly status: number | null;
  /** Seconds to wait, when the model says so. */
  readonly retryAfter: number | null;
}
