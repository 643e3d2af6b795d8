import type { AreaStatistics, ValueShare } from '../../../query/evaluate/area/area.ts';

/** What a clause asks of values that differ over a site. */
export type Statistic = 'least' | 'most' | 'mean' | 'share' | 'count';

/** Shares of a site, the largest first. */
export const largestOf = (shares: readonly ValueShare[]): readonly ValueShare[] =>
  shares.toSorted((a, b) => b.share - a.share);

const areNumbers = (statistics: AreaStatistics): boolean =>
  statistics.kind === 'shares' && statistics.shares.some(({ value }) => typeof value === 'number');

/** Whether statistics tell what a clause asks. */
export function tells(statistics: AreaStatistics, statistic: Statistic): boolean {
  switch (statistic) {
    case 'least':
      return statistics.kind === 'range' || areNumbers(statistics);
    case 'most':
      return statistics.kind === 'range' || statistics.kind === 'max' || areNumbers(statistics);
    case 'mean':
      return statistics.kind === 'range';
    case 'share':
      return (
        statistics.kind === 'covered' ||
        statistics.kind === 'shares' ||
        (statistics.kind === 'range' && statistics.classes !== undefined)
      );
    case 'count':
      return statistics.kind === 'count' || statistics.kind === 'sum';
  }
}

/** The value of an area form that a clause asks for, with its unit; null where the form has several and none is asked for. */
export function statisticOf(
  { unit }: { readonly unit: string | null },
  statistics: AreaStatistics,
  statistic: Statistic | null,
): { readonly value: unknown; readonly unit: string | null } {
  switch (statistics.kind) {
    case 'shares':
      return { value: largestOf(statistics.shares)[0]?.value ?? null, unit };
    case 'covered':
      return { value: statistics.acres, unit: 'acres' };
    case 'range':
      return {
        value: statistic === 'least' ? statistics.min : statistic === 'most' ? statistics.max : statistics.mean,
        unit,
      };
    case 'count':
      return { value: statistics.count, unit };
    case 'sum':
    case 'max':
      return { value: statistics.value, unit };
    case 'distance':
      return { value: statistics.metres, unit };
  }
}
