/** What every caller says of a request. */
export interface RequestTerms {
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** Whose it is: accounts are served in turn. */
  readonly account?: string | undefined;
  /** Id of the kept release to answer from; the current one when missing. */
  readonly release?: string | undefined;
  /** Whether the current release too is told as it was published, without later corrections; earlier ones always are. */
  readonly asPublished?: boolean | undefined;
}
