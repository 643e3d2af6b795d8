import { openRelease } from '../../query/release/open-release.ts';
import { type BenchRow, percentile } from '../report.ts';
import { type Agreed, agreed } from './agreement.ts';
import { addCalculated } from './calculated.ts';
import { type Case, casesOf } from './case.ts';
import { homeOf } from './home.ts';
import { profileOf, SAMPLES } from './profile.ts';
import { Side } from './side.ts';
import { timed, type Warming } from './timing.ts';

/** The size that growth is measured from. */
export const SMALL = 200_000;
/**
 * Areas about one place differ and fill their pages with other parcels: of two million a process has not written 8 in a
 * hundred of those on a page after 32,000 requests (1 km), 2 after as many as these.
 */
const LONG: Warming = { requests: 16 * SAMPLES, blocks: 40 };

/**
 * What pages that are full cost with all these parcels, against the same class on 200,000: medians of one client,
 * blocks of both in turn, once places are known. Both servers are started anew, so that they have answered the same
 * classes before. `peer` is the small one; the ratio is its time over the large one's.
 * @param home of the larger release. @param cases its classes that fill their pages.
 * @param calculated whether the classes that need calculated columns are among them.
 */
export async function growth(home: string, cases: readonly Case[], calculated: boolean): Promise<BenchRow[]> {
  const smallHome = await homeOf(SMALL, false);
  if (calculated) await addCalculated(smallHome, openRelease(smallHome));
  const smallCases = casesOf(await profileOf(smallHome, openRelease(smallHome), calculated));
  const large = await Side.start(home);
  const small = await Side.start(smallHome);
  try {
    const rows: BenchRow[] = [];
    for (const each of cases) {
      const same = smallCases.find(({ name }) => name === each.name);
      if (!same) continue;
      const [one, other] = [await agreed(each, [large, large]), await agreed(same, [small, small])];
      if (other.outcome !== 'full') continue;
      const body: Agreed['body'] = (i, side) => (side === 0 ? one.body(i, 0) : other.body(i, 1));
      const [ours, theirs] = await timed({ ...one, body }, [large, small], 1, LONG);
      const [now, before] = [percentile(ours.times, 50), percentile(theirs.times, 50)];
      const name = `growth of a full page from ${SMALL / 1e6} M parcels: ${each.name}`;
      rows.push({ case: name, unit: 'ms', ours: now, peer: before, ratio: before / now });
    }
    return rows;
  } finally {
    await large.stop();
    await small.stop();
  }
}
