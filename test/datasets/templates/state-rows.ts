/** A column of a made-up file: its name, its value, and what the attributes are that are read from it. */
export type MadeUp = readonly [column: string, value: unknown, attributes?: Readonly<Record<string, unknown>>];

/** What a made-up file of a state holds: one row with every column, and rows that differ from a row without any value. */
export interface StateRows {
  readonly county: string;
  /** The condition of the rows of that county, as the template says it. */
  readonly where: string | undefined;
  readonly full: readonly MadeUp[];
  readonly odd?: readonly (readonly MadeUp[])[];
}
