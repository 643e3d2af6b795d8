/** Why a field has no answer although the question was fine: becomes a `failed` record. */
export class Fault extends Error {
  override readonly name = 'Fault';
  /** Whether asking again can help. */
  readonly retryable: boolean;
  constructor(message: string, retryable = false) {
    super(message);
    this.retryable = retryable;
  }
}

/** The caller went away: no answer is wanted any more. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
