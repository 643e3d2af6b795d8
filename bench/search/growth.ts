import { openRelease } from '../../query/release.ts';
import { type BenchRow, percentile } from '../report.ts';
import { type Agreed, agreed } from './agreement.ts';
import { addCalculated } from './calculated.ts';
import { casesOf } from './case.ts';
import { homeOf } from './home.ts';
import { profileOf } from './profile.ts';
import { Side } from './side.ts';
import { timed } from './timing.ts';

/** The size that growth is measured from. */
export const SMALL = 200_000;

/**
 * What pages that are full cost with all these parcels, against the same class on 200,000: medians of one client,
 * blocks of both in turn. `peer` is the small one; the ratio is its time over the large one's.
 * @param calculated whether the classes that need calculated columns are among them.
 * @param large Plat over the larger release, whose classes were compared already.
 */
export async function growth(large: Side, classes: readonly Agreed[], calculated: boolean): Promise<BenchRow[]> {
  const home = await homeOf(SMALL, false);
  if (calculated) await addCalculated(home, openRelease(home));
  const cases = casesOf(await profileOf(home, openRelease(home), calculated));
  const small = await Side.start(home);
  try {
    const rows: BenchRow[] = [];
    for (const each of classes.filter(({ outcome }) => outcome === 'full')) {
      const same = cases.find(({ name }) => name === each.name);
      if (!same) continue;
      const other = await agreed(same, [small, small]);
      if (other.outcome !== 'full') continue;
      const body: Agreed['body'] = (i, side) => (side === 0 ? each.body(i, 0) : other.body(i, 1));
      const [ours, theirs] = await timed({ ...each, body }, [large, small], 1);
      const [now, before] = [percentile(ours.times, 50), percentile(theirs.times, 50)];
      const name = `growth of a full page from ${SMALL / 1e6} M parcels: ${each.name}`;
      rows.push({ case: name, unit: 'ms', ours: now, peer: before, ratio: before / now });
    }
    return rows;
  } finally {
    await small.stop();
  }
}
