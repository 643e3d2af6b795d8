import { DamagedFile } from '../format/damaged-file.ts';
import { Fault } from '../release/fault.ts';
import { countiesOf } from '../search/predicate/counties.ts';
import { CountySet } from './county-set.ts';
import { type SetGround, TimeUp } from './ground/set-ground.ts';
import { verdictOfRows } from './row-verdict.ts';
import { type SetFilter, verdictOfKey } from './set-filter.ts';
import { lacksState } from './tally.ts';

/** The parcels that pass every filter of a set, county by county in stored order. */
export class Selection {
  /** Parcels that were taken. */
  considered = 0;
  /** Parcels that would be among them, if a calculation of a filter had not failed. */
  unknown = 0;
  /** Whether something could not be read, or not in time. */
  unread = false;
  /** Whether that was for the time. */
  late = false;
  /** Whether `take` had enough before the last county. */
  ended = false;
  readonly #from: string | null;

  /** @param from key of the county to begin with, where it is not the first. */
  constructor(from: string | null = null) {
    this.#from = from;
  }

  /**
   * @param take gets the rows of one county, ascending, and reads whatever it needs before it keeps anything: a county that cannot
   *   be read is left out whole. False: it has enough.
   * @throws Interrupted when nobody waits any more; what else `take` throws than Fault, DamagedFile and TimeUp.
   */
  async walk(
    filters: readonly SetFilter[],
    ground: SetGround | null,
    take: (set: CountySet, rows: Uint32Array) => Promise<unknown>,
  ): Promise<void> {
    const counties = countiesOf(ground?.layers.release ?? null);
    this.unread = lacksState(filters, counties);
    if (!ground) return;
    let before = this.#from !== null;
    for (const county of counties) {
      before &&= county.partition.key !== this.#from;
      if (before) continue;
      const verdicts = filters.map(filter => verdictOfKey(filter, county));
      if (verdicts.includes('none')) continue;
      const left = new Map<number, SetFilter>();
      for (const [i, verdict] of verdicts.entries()) if (typeof verdict !== 'string') left.set(i, verdict);
      try {
        ground.check();
        const set = await CountySet.open(county, ground);
        const { all, unknown } = await verdictOfRows(set, left);
        const rows = all.rows();
        if (rows.length > 0 && (await take(set, rows)) === false) {
          this.ended = true;
          return;
        }
        this.considered += rows.length;
        this.unknown += unknown?.size ?? 0;
      } catch (error) {
        if (error instanceof TimeUp) {
          this.unread = true;
          this.late = true;
          return;
        }
        if (!(error instanceof Fault || error instanceof DamagedFile)) throw error;
        this.unread = true;
      }
    }
  }
}
