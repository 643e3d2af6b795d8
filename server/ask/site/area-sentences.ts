import type { AreaRecord } from '../../../query/engine/site/ground-task.ts';
import type { AreaStatistics, Unsaid, ValueShare } from '../../../query/evaluate/area/area.ts';
import { rawWords, stemOf } from '../retrieval/words.ts';
import { converted, unitWords, wantedUnit } from '../units.ts';
import { capital, quoted, valueSaid, withCommas } from '../write/phrase.ts';
import { inMiles, subjectOf, thingsOf } from '../write/subject.ts';
import { largestOf, type Statistic } from './statistic.ts';

/** Values of a share list that are said, the largest first. */
export const MAX_SHARES = 4;

/** Least share that is told in hundredths of a percent. */
export const LEAST_SHARE = 5e-5;

/** A share with two sensible digits. What is left of the whole is never rounded away. */
export function percent(share: number): string {
  if (share > 0 && share < LEAST_SHARE) return 'less than 0.01 percent';
  if (share < 1 && share >= 0.995) return 'more than 99 percent';
  return `${withCommas(share >= 0.1 ? Math.round(share * 100) : Number((share * 100).toPrecision(2)))} percent`;
}

/** The parts of a field's definition that its area form is told with. */
export interface Described {
  readonly title: string;
  readonly description: string;
  readonly unit: string | null;
}

/** What a clause asks of a site, and what is known of its interior point. */
export interface Telling {
  /** Units are those that it names. */
  readonly question: string;
  readonly statistic: Statistic | null;
  /** The value at the interior point, and the name of the thing that it is the distance to; null for none. */
  readonly value: unknown;
  readonly name: unknown;
}

/** A number with its unit, and in brackets the same as the question or an American reader wants it. */
function said(value: number, unit: string | null, { title }: Pick<Described, 'title'>, question: string): string {
  const { text, aside } = valueSaid(
    { record: { value, unit } as Parameters<typeof valueSaid>[0]['record'], title },
    question,
  );
  return `${text}${aside}`;
}
/** Acres in hundredths, as surveyors give them. */
export function acresSaid(acres: number, question: string): string {
  const own = `${withCommas(Number(acres.toFixed(2)))} acres`;
  const unit = wantedUnit('acres', acres, question);
  return unit === null
    ? own
    : `${withCommas(Number(converted(acres, 'acres', unit)!.toFixed(2)))} ${unitWords(unit)}, ${own}`;
}
const OF_ACRES = /\b(?:acres?|acreage|hect[aá]reas?|hectares?|square (?:feet|miles|meters|kilometers))\b/i;
/** Whether a question asks for an area rather than for a share of one. */
export const isOfAcres = (question: string): boolean => OF_ACRES.test(question);

/** A part of a site as a share and in acres, first what is asked for. */
function ofBoth({ share, acres }: Pick<ValueShare, 'share' | 'acres'>, question: string): string {
  const both = [percent(share), acresSaid(acres, question)];
  const [first, second] = isOfAcres(question) ? both.reverse() : both;
  return `${first} (${second})`;
}

/** A title without the distance within which its point form looks: of a site it is its own ground that is told. */
const WITHIN = / within ([\d.,]+ k?m)$/;
const groundOf = ({ title }: Pick<Described, 'title'>): string =>
  subjectOf({ title: title.replace(WITHIN, '').replace(/^Mean /, '') });

/** What a description says of a point, as it is said of the part of a site for which it holds. */
const OF_GROUND: readonly (readonly [RegExp, string])[] = [
  [/^Whether the point falls (in|inside|on) (.+)$/, 'lies $1 $2'],
  [/^Whether (.+) covers the point$/, 'lies under $1'],
  [/^Whether the (census tract|county) (.+)$/, 'lies in a $1 that $2'],
];
/** What a description says of a share of a disc or parcel, as it is said of the part of a site for which it holds. */
const OF_SHARE: readonly (readonly [RegExp, string])[] = [
  [/^that (.+)$/, '$1'],
  [/^with (.+)$/, 'has $1'],
  [/^inside (.+)$/, 'lies inside $1'],
  [/^(covered by .+)$/, 'is $1'],
];

/** How the part of a site that a field counts is told from the rest, as the end of a sentence. */
function holdsOf({ title, description }: Described): string {
  const [claim = ''] = description.split(/\.(?:\s|$)/);
  const share = /^Share of the (?:area within [\d.]+ k?m|matched parcel) (.+)$/.exec(claim)?.[1];
  for (const [pattern, said] of share === undefined ? OF_GROUND : OF_SHARE)
    if (pattern.test(share ?? claim)) return (share ?? claim).replace(pattern, said);
  return `counts as ${subjectOf({ title })}`;
}

/** Of how much of a site nothing is said, and why, by what is counted: as the end of a sentence. */
const UNSAID: readonly (readonly [keyof Unsaid, string])[] = [
  ['unmapped', 'is not mapped by the source, so nothing is known there'],
  ['unknown', 'is not known: rows of the source there were rejected or do not tell'],
  ['without_value', 'has no value in the source'],
  ['uncovered', 'is covered by no area of the source'],
];

/** The sentences without which "none" would read as if it held for ground of which nothing is known. */
function unsaidSentences(statistics: AreaStatistics): string[] {
  if (statistics.kind === 'distance') return [];
  // Ground that no polygon covers is what a share of the site is told from.
  const told: Partial<Unsaid> = statistics.kind === 'covered' ? { ...statistics, uncovered: 0 } : { ...statistics };
  return UNSAID.flatMap(([what, said]) => {
    const share = told[what] ?? 0;
    return share < LEAST_SHARE ? [] : [`Of the whole site, ${percent(share)} ${said}.`];
  });
}

/** What the area form of a field says of a site, in sentences: what is asked first. */
export function areaSentences(field: Described, area: AreaRecord, telling: Telling): string[] {
  const statistics = area.statistics;
  if (area.status !== 'ok' || statistics === null)
    return area.status === 'failed'
      ? [`Over the whole site ${subjectOf(field)} could not be read.`]
      : [
          `Over the whole site ${subjectOf(field)} has no value: ${(area.notes ?? 'the source has no data').replace(/[.\s]+$/, '')}.`,
        ];
  return [...valueSentences(field, statistics, telling), ...unsaidSentences(statistics)];
}

/**
 * What a field means for the part of a site for which it holds: of a yes or no only what a yes means, and nothing where there is
 * no such part.
 */
export function meaningOver(hint: string, statistics: AreaStatistics): string {
  if (!/\b(?:true|false)\b/i.test(hint)) return hint;
  if (statistics.kind !== 'covered' || statistics.share === 0) return '';
  const pieces = hint.split(/(?<=[.;])\s+/).filter(piece => !/\bfalse\b/i.test(piece));
  const [yes, ...more] = pieces.map(piece => piece.replace(/^true\b/i, 'Where it does, that'));
  return yes?.startsWith('Where') ? [yes, ...more].join(' ').replace(/;$/, '.') : '';
}

/** Whether a question names the value of a share: zone AE, prime farmland. */
export function isOfValue({ value }: ValueShare, question: string): boolean {
  const words = typeof value === 'string' ? rawWords(value) : [];
  const wanted = new Set(rawWords(question).map(stemOf));
  return words.length > 0 && words.every(word => wanted.has(stemOf(word)));
}

function shareSentence(subject: string, shares: readonly ValueShare[], unit: string, question: string): string {
  const parts = shares.map(({ value, share, acres }) => `${value}${unit} on ${ofBoth({ share, acres }, question)}`);
  return `Over the whole site ${subject} is ${parts.join(', ')}.`;
}

/** The least or greatest of values that parts of a site have. */
function extremeSentences(field: Described, shares: readonly ValueShare[], { statistic, question }: Telling): string[] {
  if (statistic !== 'least' && statistic !== 'most') return [];
  const numbers = shares.filter(({ value }) => typeof value === 'number') as (ValueShare & { value: number })[];
  const [extreme] = numbers.toSorted((a, b) => (statistic === 'least' ? a.value - b.value : b.value - a.value));
  if (!extreme) return [];
  const { value, share, acres } = extreme;
  return [
    `At its ${statistic === 'least' ? 'least' : 'greatest'}, ${subjectOf(field)} on the site is ${said(value, field.unit, field, question)}, on ${percent(share)} of it (${acresSaid(acres, question)}).`,
  ];
}

function valueSentences(field: Described, statistics: AreaStatistics, telling: Telling): string[] {
  const { question, statistic, value, name } = telling;
  const inUnit = (number: number) => said(number, field.unit, field, question);
  const radius = WITHIN.exec(field.title)?.[1];
  /** What the point form says, which looks farther than the site. */
  const around = (told: string) =>
    typeof value === 'number' && radius !== undefined
      ? [`${capital(inMiles(`within ${radius}`))} of its interior point ${told}.`]
      : [];
  switch (statistics.kind) {
    case 'shares': {
      const named = statistics.shares.filter(share => isOfValue(share, question));
      const largest = (named.length > 0 ? named : largestOf(statistics.shares)).slice(0, MAX_SHARES);
      if (largest.length === 0) return [`Over the whole site ${groundOf(field)} has no value anywhere.`];
      const extreme = extremeSentences(field, statistics.shares, telling);
      return extreme.length > 0 ? extreme : [shareSentence(groundOf(field), largest, '', question)];
    }
    case 'covered':
      // In full: after the answer at the interior point, "this" would be that answer, which may be no.
      return [`Of the whole site, ${ofBoth(statistics, question)} ${holdsOf(field)}.`];
    case 'range': {
      const { min, mean, max, classes } = statistics;
      const subject = groundOf(field);
      if (statistic === 'share' && classes)
        return [shareSentence(subject, largestOf(classes).slice(0, MAX_SHARES), ` ${field.unit}`, question)];
      // Relief is what lies between the least and the greatest.
      if (/^Local relief/.test(field.title))
        return [`On the site ${subject} is ${inUnit(Number((max - min).toFixed(3)))}.`];
      switch (statistic) {
        case 'least':
          return [`At its least, ${subject} on the site is ${inUnit(min)}.`];
        case 'most':
          return [`At its greatest, ${subject} on the site is ${inUnit(max)}.`];
        case 'mean':
          return [`On average, ${subject} over the whole site is ${inUnit(mean)}.`];
        default:
          return [
            `Over the whole site ${subject} is ${inUnit(min)} at least, ${inUnit(mean)} on average and ${inUnit(max)} at most.`,
          ];
      }
    }
    case 'count': {
      const { count } = statistics;
      const things = thingsOf(field)?.things;
      const counted =
        things === undefined
          ? `there are ${withCommas(count)}`
          : count === 1
            ? `the number of ${things} is 1`
            : `there are ${count === 0 ? 'no' : withCommas(count)} ${things}`;
      return [`On the site itself ${counted}.`, ...around(`there are ${withCommas(Number(value))}`)];
    }
    case 'sum':
      return [
        `On the site itself ${groundOf(field)} comes to ${inUnit(statistics.value)}.`,
        ...around(`it is ${inUnit(Number(value))}`),
      ];
    case 'max':
      return [
        `On the site itself ${groundOf(field)} is ${inUnit(statistics.value)}.`,
        ...around(`it is ${inUnit(Number(value))}`),
      ];
    case 'distance': {
      const thing = /^Distance to (nearest .+)$/.exec(field.title)?.[1] ?? field.title.replace(/ distance$/, '');
      const subject = subjectOf({ title: thing });
      const near =
        statistics.metres === 0
          ? `${subject} meets the site: from the boundary the distance is ${inUnit(0)}.`
          : `${subject} is ${inUnit(statistics.metres)} from the boundary of the site.`;
      // What is nearest is known by name only from one point.
      const named =
        typeof name === 'string' && typeof value === 'number'
          ? [`From its interior point, where ${quoted(name)} is the nearest, the distance is ${inUnit(value)}.`]
          : [];
      return [capital(near), ...named];
    }
  }
}
