/** A line of a `stacks` file: what tells a parcel from those that share its number and its shape. */
export type StackLine = readonly [
  key: string,
  /** The publisher's object id; null where it gives none. */
  objectId: string | null,
  /** How many releases had nothing but the order of the rows to tell it by. */
  ranked: number,
];
