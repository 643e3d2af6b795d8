/** Where operations take the time from, so that tests can move it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}
