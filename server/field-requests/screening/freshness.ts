import { cadenceDays } from '../../../datasets/cadence.ts';

const DAYS: readonly (readonly [RegExp, number])[] = [
  [/second|minute|real[- ]?time|live|instant/i, 0],
  [/hour/i, 1 / 24],
  [/day|daily/i, 1],
  [/week/i, 7],
  [/month/i, 30.44],
  [/quarter/i, 91.3],
  [/year|annual/i, 365.25],
];

/** Reads days from a text such as `30 days`, `a year` or `monthly`; null when it names none. */
function daysOf(text: string): number | null {
  const found = DAYS.find(([unit]) => unit.test(text));
  if (!found) return null;
  const number = /\d+(?:\.\d+)?/.exec(text);
  return found[1] * (number ? Number(number[0]) : 1);
}

const DAY_MS = 86_400_000;

/** The last instant of a vintage such as `2021`, `2021-06`, `2021-06-30` or `2017-2021`; null for other texts. */
function endOf(vintage: string): number | null {
  const dates = [...vintage.matchAll(/\b((?:19|20)\d\d)(?:-(\d\d)(?:-(\d\d))?)?\b/g)];
  const last = dates.at(-1);
  if (!last) return null;
  const [, year, month, day] = last;
  if (month === undefined) return Date.UTC(Number(year) + 1, 0, 1);
  return day === undefined
    ? Date.UTC(Number(year), Number(month), 1)
    : Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
}

/** Why values are older than allowed; null when they are not, or when the limit cannot be read. */
export function staleness(
  maxStaleness: string | undefined,
  cadence: string,
  vintages: readonly (string | null)[],
  now: number,
): string | null {
  const most = maxStaleness === undefined ? null : daysOf(maxStaleness);
  if (most === null) return null;
  for (const vintage of vintages) {
    const end = vintage === null ? null : endOf(vintage);
    if (end === null) return `its vintage is not known to the day, and you allow ${maxStaleness}`;
    const age = Math.floor((now - end) / DAY_MS);
    if (age > most) return `its vintage is ${vintage}, which is older than the ${maxStaleness} that you allow`;
  }
  // Data that is published once a year cannot be fresher than that.
  if (cadenceDays(cadence) > Math.max(most, 1)) return `it appears ${cadence}, and you allow ${maxStaleness}`;
  return null;
}
