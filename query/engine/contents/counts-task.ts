import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import { keepsRejected } from '../../evaluate/rejected/rejected.ts';
import { type ParcelCounts, parcelCounts, type RejectedCount, rejectedCounts } from '../../parcel/parcel-counts.ts';
import { Interrupted } from '../../release/fault.ts';
import type { Release } from '../../release/open-release.ts';
import { type County, countiesOf } from '../../search/predicate/counties.ts';
import { type Failure, failureOf } from '../failure.ts';

/** FIPS code → why parcels there were left out at ingest. */
export type RejectedByCounty = Readonly<Record<string, readonly RejectedCount[]>>;

/** The counts of one county's parcels. Never throws but Interrupted. */
export function parcelCountsTask(
  { fips }: { readonly fips: string },
  environment: TaskEnvironment,
): Promise<ParcelCounts | Failure> {
  const { catalog, release, deadline, stopped } = environment;
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new Error('the time for counting was up');
  };
  return settled(async layers => {
    const county = countiesOf(release).find(one => one.fips === fips);
    if (!layers || !county) return { parcels: 0, values: {}, reasons: {} };
    return parcelCounts(layers, catalog, county.partition, check);
  }, environment).catch((error: unknown) => failureOf(error, deadline));
}

/** The counties whose parcels were not all taken over. */
export const countiesWithRejected = (release: Release | null): readonly County[] =>
  countiesOf(release).filter(({ partition }) => keepsRejected(partition));

/** What was left out of some counties at ingest. Never throws but Interrupted. */
export function rejectedParcelsTask(
  { counties }: { readonly counties: readonly string[] },
  environment: TaskEnvironment,
): Promise<RejectedByCounty | Failure> {
  return settled(async layers => {
    const rejected: Record<string, readonly RejectedCount[]> = {};
    for (const { fips, partition } of layers ? countiesWithRejected(environment.release) : [])
      if (counties.includes(fips)) rejected[fips] = await rejectedCounts(layers!, partition);
    return rejected;
  }, environment).catch((error: unknown) => failureOf(error, environment.deadline));
}
