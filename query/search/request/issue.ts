/** What is wrong with one part of a search request. Never holds a raw value of the request. */
export interface Issue {
  /** Where: `filters[0].value`, `cursor`; `body` for the whole. */
  readonly path: string;
  readonly description: string;
  /** How to correct it. */
  readonly hint: string;
}
