/** An entry of a list that goes from the newest to the oldest: what comes next is older, or as old with a lesser id. */
export interface ListPlace {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/** What of a list is read. */
export interface ListPart {
  /** The entry before the first; null begins with the newest. */
  readonly after: ListPlace | null;
  readonly limit: number;
}
