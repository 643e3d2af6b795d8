import { openRelease } from '../../query/release/open-release.ts';
import { type BenchRow, percentile } from '../report.ts';
import { type Agreed, agreed } from './agreement.ts';
import { addCalculated } from './calculated.ts';
import { type Case, casesOf } from './case.ts';
import { homeOf } from './home.ts';
import { profileOf } from './profile.ts';
import { Side } from './side.ts';
import { timed } from './timing.ts';

/** The size that growth is measured from. */
export const SMALL = 200_000;

/**
 * What pages that are full cost with all these parcels, against the same class on 200,000: medians of one client, blocks
 * of both in turn. Both servers are started anew. `peer` is the small one; the ratio is its time over the large one's.
 * @param home of the larger release. @param cases its classes that fill their pages.
 * @param calculated whether the classes that need calculated columns are among them.
 */
export async function growth(
  home: string,
  cases: readonly Case[],
  calculated: boolean,
  rounds: number,
): Promise<BenchRow[]> {
  const smallHome = await homeOf(SMALL, false);
  if (calculated) await addCalculated(smallHome, openRelease(smallHome));
  const smallCases = casesOf(await profileOf(smallHome, openRelease(smallHome), calculated));
  const large = await Side.start({ name: 'Plat' }, home);
  const small = await Side.start({ name: 'Plat' }, smallHome);
  try {
    const rows: BenchRow[] = [];
    for (const each of cases) {
      const same = smallCases.find(({ name }) => name === each.name);
      if (!same) continue;
      const [one, other] = [await agreed(each, [large]), await agreed(same, [small])];
      if (!other.full) continue;
      const body: Agreed['body'] = (i, side) => (side === 0 ? one : other).body(i, 0);
      const timing = await timed({ ...one, body }, [large, small], rounds, [1]);
      const [now, before] = timing.get(1)!.map(({ times }) => percentile(times, 50)) as [number, number];
      const name = `growth of a full page from ${SMALL / 1e6} M parcels: ${each.name}`;
      rows.push({ case: name, unit: 'ms', ours: now, peer: before, ratio: before / now });
    }
    return rows;
  } finally {
    await large.stop();
    await small.stop();
  }
}
