/** The clock of operations, which tests can move. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}
