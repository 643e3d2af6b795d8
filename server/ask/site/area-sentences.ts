import type { AreaRecord } from '../../../query/engine/site/ground-task.ts';
import type { AreaStatistics, Unsaid } from '../../../query/evaluate/area/area.ts';
import { unitWords } from '../units.ts';
import { withCommas } from '../write/phrase.ts';
import { subjectOf } from '../write/subject.ts';

/** Values of a share list that are said, the largest first. */
const MAX_SHARES = 4;

/** Least share that is told in hundredths of a percent. */
const LEAST = 5e-5;

const percent = (share: number): string =>
  share > 0 && share < LEAST ? 'less than 0.01 percent' : `${withCommas(Number((share * 100).toFixed(2)))} percent`;
const said = (value: number, unit: string | null): string =>
  [withCommas(value), unitWords(unit)].filter(Boolean).join(' ');

/** The parts of a field's definition that its area form is told with. */
interface Described {
  readonly title: string;
  readonly description: string;
  readonly unit: string | null;
}

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
    return share < LEAST ? [] : [`Of the whole site, ${percent(share)} ${said}.`];
  });
}

/** What the area form of a field says of a site, in sentences. */
export function areaSentences(field: Described, area: AreaRecord): string[] {
  const statistics = area.statistics;
  if (area.status !== 'ok' || statistics === null)
    return area.status === 'failed'
      ? [`Over the whole site ${subjectOf(field)} could not be read.`]
      : [
          `Over the whole site ${subjectOf(field)} has no value: ${(area.notes ?? 'the source has no data').replace(/[.\s]+$/, '')}.`,
        ];
  return [...valueSentences(field, statistics), ...unsaidSentences(statistics)];
}

function valueSentences(field: Described, statistics: AreaStatistics): string[] {
  switch (statistics.kind) {
    case 'shares': {
      const largest = [...statistics.shares].sort((a, b) => b.share - a.share).slice(0, MAX_SHARES);
      if (largest.length === 0) return [`Over the whole site ${subjectOf(field)} has no value anywhere.`];
      const parts = largest.map(({ value, share, acres }) => `${value} on ${percent(share)} (${said(acres, 'acres')})`);
      return [`Over the whole site ${subjectOf(field)} is ${parts.join(', ')}.`];
    }
    case 'covered':
      // In full: after the answer at the interior point, "this" would be that answer, which may be no.
      return [
        `Of the whole site, ${percent(statistics.share)} (${said(statistics.acres, 'acres')}) ${holdsOf(field)}.`,
      ];
    case 'range': {
      const { min, mean, max } = statistics;
      return [
        `Over the whole site ${subjectOf(field)} is ${said(min, field.unit)} at least, ${said(mean, field.unit)} on average and ${said(max, field.unit)} at most.`,
      ];
    }
    case 'count':
      return [`On the site itself there are ${withCommas(statistics.count)}.`];
    case 'sum':
      return [`On the site itself they come to ${said(statistics.value, field.unit)}.`];
    case 'max':
      return [`On the site itself the greatest is ${said(statistics.value, field.unit)}.`];
    case 'distance':
      return statistics.metres === 0
        ? ['From the boundary of the site the distance is 0 meters: one meets it.']
        : [`From the boundary of the site the distance is ${said(statistics.metres, 'm')}.`];
  }
}
