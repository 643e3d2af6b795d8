import type { CountyScore, Rate } from '../../query/parcel/scorecard.ts';
import { ReleaseError } from '../../query/release/manifest.ts';
import { flagOf } from '../steps/quality/breach.ts';

/** A share of right values in a county that is lower than it was, by more than the samples can tell. */
export interface Drop {
  /** Key for the flag: `county/field`, or `county/confidence/high` of all values that say so. */
  readonly key: string;
  readonly before: Rate;
  readonly now: Rate;
}

/** Rates of a scorecard by what they are of. */
function ratesOf({ rows, calibration }: CountyScore): Map<string, Rate> {
  return new Map<string, Rate>([
    ...rows.map(row => [row.field, row] as const),
    ...calibration.map(rate => [`confidence/${rate.confidence}`, rate] as const),
  ]);
}

/**
 * The drops from one scorecard of a county to the next: both ends of the new interval lie below the old one. What only one of the
 * two checked is no drop.
 */
export function dropsOf(before: CountyScore, now: CountyScore): Drop[] {
  const earlier = ratesOf(before);
  return [...ratesOf(now)].flatMap(([name, rate]) => {
    const old = earlier.get(name);
    if (!old?.interval || !rate.interval || rate.interval[1] >= old.interval[0]) return [];
    return [{ key: `${now.county_fips}/${name}`, before: old, now: rate }];
  });
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const shareOf = ({ right, checked, interval }: Rate) =>
  `${right} of ${checked} right (${percent(interval![0])} to ${percent(interval![1])})`;

const lineOf = (drop: Drop) =>
  `${drop.key.split('/').join(', ')}: ${shareOf(drop.now)}; in the last scorecard ${shareOf(drop.before)}\n  accept it once with ${flagOf(drop)}`;

/** Values became worse: no scorecard was published. */
export class DropError extends ReleaseError {
  readonly drops: readonly Drop[];

  /** @param serving release that stays the current one. @param previous release before it, null where none is kept. */
  constructor(drops: readonly Drop[], serving: string, previous: string | null) {
    const back = previous === null ? '' : ` plat ingest rollback puts ${previous} back in service.`;
    super(
      [
        `${drops.length} ${drops.length === 1 ? 'share of right values is' : 'shares of right values are'} lower than before, by more than chance. No scorecard was published; release ${serving} stays the current one.${back}`,
        ...drops.map(lineOf),
      ].join('\n'),
    );
    this.drops = drops;
  }
}
