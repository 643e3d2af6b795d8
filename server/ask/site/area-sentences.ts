import type { AreaRecord } from '../../../query/engine/site/ground-task.ts';
import { unitWords } from '../units.ts';
import { withCommas } from '../write/phrase.ts';
import { subjectOf } from '../write/subject.ts';

/** Values of a share list that are said, the largest first. */
const MAX_SHARES = 4;

const percent = (share: number): string => `${withCommas(Number((share * 100).toFixed(2)))} percent`;
const said = (value: number, unit: string | null): string =>
  [withCommas(value), unitWords(unit)].filter(Boolean).join(' ');

/**
 * What the area form of a field says of a site, in sentences.
 * @param field its title and unit.
 */
export function areaSentences(
  field: { readonly title: string; readonly unit: string | null },
  area: AreaRecord,
): string[] {
  const statistics = area.statistics;
  if (area.status !== 'ok' || statistics === null)
    return area.status === 'failed'
      ? [`Over the whole site ${subjectOf(field)} could not be read.`]
      : [
          `Over the whole site ${subjectOf(field)} has no value: ${(area.notes ?? 'the source has no data').replace(/[.\s]+$/, '')}.`,
        ];
  switch (statistics.kind) {
    case 'shares': {
      const largest = [...statistics.shares].sort((a, b) => b.share - a.share).slice(0, MAX_SHARES);
      if (largest.length === 0) return [`Over the whole site ${subjectOf(field)} has no value anywhere.`];
      const parts = largest.map(({ value, share, acres }) => `${value} on ${percent(share)} (${said(acres, 'acres')})`);
      return [`Over the whole site ${subjectOf(field)} is ${parts.join(', ')}.`];
    }
    case 'covered':
      return [`This holds for ${percent(statistics.share)} of the site, ${said(statistics.acres, 'acres')}.`];
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
