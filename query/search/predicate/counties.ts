import type { Box } from '../../../datasets/geometry.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { PARCELS } from '../../evaluate/parcel-at-point.ts';
import { BoxIndex } from '../../format/box-index.ts';
import type { Release } from '../../release/open-release.ts';
import { lacksRows } from '../../release/pack/pack.ts';
import { type CountyFile, compareCounties } from '../request/position.ts';

/** A county's parcels in a release. */
export interface County extends CountyFile {
  readonly partition: Partition;
}

const countiesIn = memo((release: Release): readonly County[] => {
  const counties: County[] = [];
  for (const partition of release.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? []) {
    const [state, fips] = partition.key.split('/');
    const file = partition.files.find(f => f.role === 'features');
    if (state && fips && file) counties.push({ partition, state, fips, file: file.sha256 });
  }
  return counties.sort(compareCounties);
});

/** Those of a release first that are here: of a pack the others cannot be read. */
export const presentFirst = (release: Release): readonly County[] =>
  [...countiesOf(release)].sort(
    (a, b) => Number(lacksRows(release, a.partition)) - Number(lacksRows(release, b.partition)),
  );

/** The partitions of parcels in stored order. Of one release they are the same objects every time. */
export const countiesOf = (release: Release | null): readonly County[] => (release ? countiesIn(release) : []);

const indexOf = memo((counties: readonly County[]) => new BoxIndex(counties.map(({ partition }) => partition.box)));

/** Those of some counties, in order, whose parcels may meet a lng,lat box: found by their boxes, so that far ones stay closed. */
export function countiesAbout(counties: readonly County[], box: Box): readonly County[] {
  return indexOf(counties)
    .meeting([box])
    .map(place => counties[place]!);
}
