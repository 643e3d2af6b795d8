/** A class of values: from its least to its greatest. */
export interface QuantileClass {
  readonly least: number;
  readonly greatest: number;
}

/**
 * Classes of about equally many values, in order. Equal values are never in two classes, so that there may be fewer than asked for. Pure.
 * @param most classes at most.
 */
export function quantileClasses(values: readonly number[], most: number): QuantileClass[] {
  const sorted = [...values].sort((a, b) => a - b);
  const classes: QuantileClass[] = [];
  let begin = 0;
  for (let i = 1; i <= most && begin < sorted.length; i++) {
    let end = Math.max(begin + 1, Math.round((sorted.length * i) / most));
    while (end < sorted.length && sorted[end] === sorted[end - 1]) end++;
    classes.push({ least: sorted[begin]!, greatest: sorted[end - 1]! });
    begin = end;
  }
  return classes;
}

/** The class that holds a value, from 0. Pure. */
export const classOf = (value: number, classes: readonly QuantileClass[]): number =>
  Math.max(
    0,
    classes.findLastIndex(({ least }) => value >= least),
  );
