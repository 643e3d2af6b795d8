/** Days after which a dataset with this cadence is checked again. The first match counts. */
const DAYS: readonly [RegExp, number][] = [
  [/loaded quarterly/, 91],
  [/loaded monthly/, 30],
  [/loaded twice a year/, 182],
  [/daily|continuous/, 1],
  [/weekly|a week/, 7],
  [/monthly/, 30],
  [/quarterly/, 91],
  [/twice a year/, 182],
  [/several times a year/, 122],
  [/every 2 years/, 365],
  [/annual|yearly/, 182],
  [/irregular|jurisdiction/, 91],
  [/rare|decadal|static|frozen/, 365],
];

/**
 * Days after which a refresh checks a dataset again, from the words of its cadence. A dataset that appears once a year
 * or less often is checked twice in that period, because the day of the year is not known.
 * @throws RangeError when no rule matches the words.
 */
export function cadenceDays(words: string): number {
  const found = DAYS.find(([pattern]) => pattern.test(words));
  if (!found)
    throw new RangeError(`cadence "${words}": expected words like daily, weekly, monthly, quarterly, annual, rare`);
  return found[1];
}
