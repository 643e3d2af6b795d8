import { denials } from './clauses.ts';
import type { PlacedNumber } from './number.ts';

/** How a sentence sets a value against a number. */
export type Relation = 'equal' | 'more' | 'less' | 'least' | 'most';

const MORE_THAN =
  'more|greater|higher|larger|bigger|longer|farther|further|deeper|steeper|taller|hotter|warmer|faster|wider|newer|later|stronger|heavier|better|worse|riskier|denser|costlier|rougher';
const LESS_THAN =
  'less|fewer|lower|smaller|shorter|closer|nearer|shallower|flatter|gentler|cheaper|colder|cooler|slower|younger|weaker|earlier|lighter|safer|thinner|narrower';
const BETWEEN = String.raw`\s+(?:(?:about|roughly|approximately|around|some|just|only|a|an|the|the year|that of|those of|even|well|limit of|threshold of)\s+)*\$?$`;
const LEADS: readonly (readonly [Relation, RegExp])[] = [
  [
    'most',
    new RegExp(
      String.raw`\b(?:(?:no|not|never|n't) (?:any )?(?:${MORE_THAN}) than|at most|up to|as much as|as many as|a maximum of|at the most|not (?:above|over|beyond))${BETWEEN}`,
      'i',
    ),
  ],
  [
    'least',
    new RegExp(
      String.raw`\b(?:(?:no|not|never|n't) (?:any )?(?:${LESS_THAN}) than|at least|a minimum of|at the least|since|not (?:below|under|within))${BETWEEN}`,
      'i',
    ),
  ],
  [
    'more',
    new RegExp(
      String.raw`\b(?:(?:${MORE_THAN}) than|over|above|exceed(?:s|ed|ing)?|beyond|upwards? of|in excess of|surpass(?:es|ed)?|tops|past|after)${BETWEEN}`,
      'i',
    ),
  ],
  [
    'less',
    new RegExp(String.raw`\b(?:(?:${LESS_THAN}) than|under|below|within|short of|inside|before)${BETWEEN}`, 'i'),
  ],
];
const FOLLOWS: readonly (readonly [Relation, RegExp])[] = [
  [
    'least',
    /^(?:\s*(?:or|and) (?:more|higher|farther|further|greater|above|over|up|longer|larger|later|deeper|steeper)\b|\+| plus\b)/i,
  ],
  ['most', /^\s*(?:or|and) (?:less|fewer|lower|closer|nearer|below|under|shorter|smaller|earlier)\b/i],
];
const OPPOSITE: Readonly<Record<Relation, Relation>> = {
  more: 'most',
  most: 'more',
  less: 'least',
  least: 'less',
  equal: 'equal',
};

/** An upper bound that is said again in another unit. */
const BOUND_AGAIN = /\b(?:at most|como maximo|como máximo) [\d.,]+ [\p{L}°]+(?: [\p{L}]+)? \($/iu;

/**
 * How a clause sets a value against a number in it.
 * @param unitLength characters of the unit behind the number.
 */
export function relationOf(clause: string, { start, end }: PlacedNumber): Relation {
  const before = clause.slice(0, start);
  if (BOUND_AGAIN.test(before)) return 'most';
  const lead = LEADS.find(([, pattern]) => pattern.test(before));
  const behind = clause
    .slice(end)
    .replace(/^[\s-]*(?:%|[\p{L}/²³.]+(?: (?:feet|miles|meters|per \p{L}+|an? \p{L}+))?)(?= (?:or|and) )/u, '');
  const follow = FOLLOWS.find(([, pattern]) => pattern.test(clause.slice(end)) || pattern.test(behind));
  // Within about 18 inches is 18 inches, rounded.
  if (lead && /\b(?:within|over|under|above|below) (?:about|roughly|approximately|around)\s+\$?$/i.test(before))
    return 'equal';
  if (lead) {
    const [relation, pattern] = lead;
    const denied = denials(before.slice(0, pattern.exec(before)!.index), false) % 2 === 1;
    return denied ? OPPOSITE[relation] : relation;
  }
  return follow?.[0] ?? 'equal';
}

/** Whether a value stands in a relation to a number. A value that rounds to the number is no farther than it. */
export function holds(
  relation: Relation,
  value: number,
  { value: limit, step }: Pick<PlacedNumber, 'value' | 'step'>,
): boolean {
  const slack = 1e-9 * Math.max(Math.abs(value), Math.abs(limit));
  switch (relation) {
    case 'more':
      return value > limit - slack && value !== limit;
    case 'less':
      return value < limit + slack && value !== limit;
    case 'least':
      return value >= limit - slack;
    case 'most':
      return value <= limit + slack;
    case 'equal':
      return Math.abs(value - limit) <= step / 2;
  }
}

const DOWN =
  /\b(?:below|lower|beneath|under|underneath|down|downhill|deep|deeper|short of|less|lost|loss|fell|fall|falls|declin\w+|decreas\w+|shr[aiu]nk\w*|dropp?\w*|negative|minus|fewer|colder|sub-?zero)\b/i;
const BESIDE =
  /^[\s-]*(?:[\p{L}°%/²³.]+\s+)?(?:[\p{L}°/]+\s+)?(?:\([^)]*\)\s*)?(?<way>above|higher|over(?! (?:the|a|one|ten) (?:\p{L}+ )?(?:years?|decades?|period|months?))|up|uphill|upslope|below|lower|beneath|under|underneath|down|downhill|deep|deeper)\b/iu;

/** The way, up or down, in which a clause says that a number goes; null where it says none. */
export function wayOf(clause: string, { start, end }: PlacedNumber): 'up' | 'down' | null {
  const beside = BESIDE.exec(clause.slice(end))?.groups?.way;
  if (beside) return DOWN.test(beside) ? 'down' : 'up';
  const words = clause.slice(0, start);
  if (/\b(?:rose|rises|risen|grew|grows|grown|gained|gains|increased|increases|growth|increase|gain)\b/i.test(words))
    return 'up';
  if (
    /\b(?:(?:fell|falls|fallen)(?! (?:in|within|inside|into|on|outside|under)\b)|declined|declines|decreased|decreases|shrank|shrinks|shrunk|dropped|drops|lost|loses|decline|decrease|loss)\b/i.test(
      words,
    )
  )
    return 'down';
  return null;
}

/** Whether a clause has a word for a downward way. */
export const saysDown = (clause: string): boolean => DOWN.test(clause);
/** Comparatives with what they say of the first of two values. */
const COMPARATIVE = new RegExp(
  String.raw`\b(?:(?<more>${MORE_THAN})|(?<less>${LESS_THAN}))(?: [\p{L}-]+){0,3} than\b`,
  'iu',
);
const COUNTS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};

/** A claim on two values: the first in relation to the second. */
export interface TwoSided {
  readonly first: string;
  readonly second: string;
  readonly written: string;
  /** What the first value is in relation to the second. */
  holds(a: number, b: number): boolean;
}

/** The comparison of two things in a clause; null for none. */
export function twoSided(clause: string): TwoSided | null {
  const times =
    /\b(?<word>twice|double|triple|half|(?<times>[\d.]+|two|three|four|five|six|seven|eight|nine|ten) times)(?: as| the| that)\b/i.exec(
      clause,
    );
  const side = (index: number, length: number) => ({
    first: clause.slice(0, index),
    second: clause.slice(index + length),
    written: clause,
  });
  if (times && /\bas\b|\bthe\b|\bthat\b/i.test(clause.slice(times.index + times[0].length - 4))) {
    const { word, times: many } = times.groups!;
    const factor = many
      ? (COUNTS[many.toLowerCase()] ?? Number(many))
      : { twice: 2, double: 2, triple: 3, half: 0.5 }[word!.toLowerCase()]!;
    return { ...side(times.index, times[0].length), holds: (a, b) => Math.abs(a / b - factor) <= 0.1 * factor };
  }
  const match = COMPARATIVE.exec(clause);
  if (!match) return null;
  const denied = denials(clause.slice(0, match.index), false) % 2 === 1;
  const more = match.groups!.more !== undefined;
  return {
    ...side(match.index, match[0].length),
    holds: (a, b) => (denied ? (more ? a <= b : a >= b) : more ? a > b : a < b),
  };
}
