import { editDistance } from './edit-distance.ts';
import type { Street } from './street.ts';

/** What each difference between the question and the answer costs; docs/geocoding.md prints this table. */
export const COST = {
  /** Times edits over letters + 2: one in HARLOW costs 0.11, two 0.23. */
  edit: 0.9,
  suffixMissing: 0.03,
  suffixAdded: 0.04,
  /** Another type may be another street: too much for a number that is only estimated, which then counts twice. */
  suffixOther: 0.125,
  suffixMistyped: 0.07,
  directionalMissing: 0.03,
  directionalMoved: 0.02,
  /** North for South is another place, and W SPRUCE ST is not SPRUCE ST. */
  directionalOther: 0.25,
  highwayClass: 0.03,
  numberSuffix: 0.03,
  range: 0.04,
  rangeOtherSide: 0.07,
  betweenPoints: 0.06,
  /** A house number that nothing on the street speaks for. */
  numberUnknown: 0.35,
  centreOfPoints: 0.005,
  cityMissing: 0.1,
  cityAndStateMissing: 0.12,
  bareName: 0.1,
  cityMissingZipUnknown: 0.14,
  cityMissingZipAgrees: 0.02,
  cityBeside: 0.04,
  cityOtherZipAgrees: 0.1,
  cityOther: 0.25,
  cityUnknown: 0.22,
  countyOther: 0.25,
  /** Words behind a city, where no state is named, that are no part of any of its address: Bangor, Gwynedd is in Wales. */
  regionOther: 0.25,
  zipOther: 0.08,
  zipFar: 0.14,
  zipOfOtherState: 0.1,
} as const;

/** How many edits may separate a text of so many letters from the one it is taken for. */
export const editsFor = (letters: number): number => (letters <= 2 ? 0 : letters <= 6 ? 1 : letters <= 20 ? 2 : 3);

/** What mistyped letters cost. */
export const editCost = (edits: number, letters: number): number => (edits ? (COST.edit * edits) / (letters + 2) : 0);

/** Whether each word may be mistyped for the other name's: NEW PARK has two slips in a short word for NEW YORK, which is another. */
function wordsAgree(wanted: string, found: string): boolean {
  const [a, f] = [wanted.split(' '), found.split(' ')];
  return (
    a.length !== f.length ||
    a.every((word, i) => {
      const other = f[i]!;
      const most = editsFor(word.length);
      // MT is MOUNT: what is abbreviated is compared spelled out, as a part of the key.
      return word.length <= 2 || other.length <= 2 || editDistance(word, other, most) <= most;
    })
  );
}

/** Whether a street is the one that was asked for but for a suffix that one of them lacks: S BROADWAY and S BROADWAY ST. */
export function isSaid(wanted: Street, found: Street): boolean {
  // SUNNY HOLLOW for SUNNY HOLLOW PL: the last word of its name is a type too.
  if (wanted.whole === found.whole || (wanted.whole === found.key && !found.pre && !found.post)) return true;
  const sameType = wanted.suffix === null || found.suffix === null || wanted.suffix === found.suffix;
  return sameType && wanted.key === found.key && wanted.pre === found.pre && wanted.post === found.post;
}

/** Directionals and suffixes of two streets, compared where their names agree. */
function endsCost(wanted: Street, found: Street): number {
  let cost = 0;
  const [a, f] = [[wanted.pre, wanted.post].filter(d => d !== null), [found.pre, found.post].filter(d => d !== null)];
  const missing = f.filter(d => !a.includes(d)).length;
  const added = a.filter(d => !f.includes(d)).length;
  const otherType = wanted.suffix !== null && found.suffix !== null && wanted.suffix !== found.suffix;
  // PARK RD is not N PARK ST: type and directional do not both slip.
  cost += added || (missing && otherType) ? COST.directionalOther : missing * COST.directionalMissing;
  if (!missing && !added && wanted.pre !== found.pre) cost += COST.directionalMoved;
  if (wanted.suffix !== found.suffix)
    cost += otherType ? COST.suffixOther : wanted.suffix === null ? COST.suffixMissing : COST.suffixAdded;
  return cost;
}

/**
 * What the difference between two street names costs; 0 where they are the same.
 * @returns Infinity where they are certainly two streets: other numbers in the names, or too many edits.
 */
export function streetCost(wanted: Street, found: Street): number {
  if (wanted.highway && found.highway) {
    if (wanted.highway.number !== found.highway.number) return Number.POSITIVE_INFINITY;
    const same = wanted.highway.class === found.highway.class;
    if (!same && wanted.highway.class !== 'any' && found.highway.class !== 'any') return Number.POSITIVE_INFINITY;
    return (same ? 0 : COST.highwayClass) + endsCost(wanted, found);
  }
  if (wanted.highway || found.highway || (wanted.digits !== found.digits && wanted.key !== found.key))
    return Number.POSITIVE_INFINITY;
  const edits = editsFor(wanted.key.length);
  const distance = editDistance(wanted.key, found.key, edits);
  let cost =
    distance > edits || (distance > 1 && !wordsAgree(wanted.name, found.name))
      ? Number.POSITIVE_INFINITY
      : editCost(distance, wanted.key.length) + endsCost(wanted, found);
  // What was asked may hold the suffix or a directional in its name (SUNNY HOLLOW for SUNNY HOLLOW PL, MIAN STRET).
  if (wanted.whole === found.whole) cost = Math.min(cost, 0.01);
  else if (wanted.whole === found.key) cost = Math.min(cost, found.pre || found.post ? Infinity : COST.suffixMissing);
  else if (wanted.suffix === null || (found.pre !== wanted.pre && wanted.pre === null)) {
    const directions = [found.pre, found.post];
    if ([wanted.pre, wanted.post].every(direction => direction === null || directions.includes(direction))) {
      const most = Math.min(2, editsFor(wanted.whole.length));
      const whole = editDistance(wanted.whole, found.whole, most);
      // A letter is a name that no slip makes of nothing: 21D ST NW is not 21 R ST NW.
      if (whole <= most && found.key.length > 2) cost = Math.min(cost, editCost(whole, wanted.whole.length) + 0.01);
    }
  }
  return cost;
}
