import { DamagedFile } from '../format/damaged-file.ts';
import { Fault } from '../release/fault.ts';
import { type County, countiesOf } from '../search/predicate/counties.ts';
import { statesOf } from '../search/request/filter.ts';
import { CountySet } from './county-set.ts';
import { type SetGround, TimeUp } from './ground/set-ground.ts';
import { RowBits } from './row-bits.ts';
import { type RowVerdict, verdictOfRows } from './row-verdict.ts';
import { comparisonsOf, type SetFilter, verdictOfKey } from './set-filter.ts';

/** Parcels counted to a bound; null where some of them could not be. */
type Counted = number | null;

/** What a county's key says of the filters. */
interface KeyVerdicts {
  readonly county: County;
  /** Places of filters that none of its parcels passes. */
  readonly none: readonly number[];
  /** Filters of which it says nothing, by place. */
  readonly left: ReadonlyMap<number, SetFilter>;
}

/** Whether a set's counties of some states are missing altogether: no parcels are not no matches. */
export function lacksState(filters: readonly SetFilter[], counties: readonly County[]): boolean {
  return statesOf(comparisonsOf(filters)).some(state => !counties.some(county => county.state === state));
}

/**
 * Counts the parcels that pass all filters, each alone, and all but one, in one walk: every row is judged once by each filter.
 * Counters end at the bound, and so does the walk where all have reached it.
 */
export class Tally {
  count = 0;
  /** Outlines of those that were counted, each once. */
  outlines = 0;
  /** Parcels that would pass, if a calculation had not failed. */
  unknown = 0;
  /** Whether there are more than were counted. */
  more = false;
  /** Whether something could not be read. */
  unread = false;
  readonly alone: Counted[];
  readonly without: Counted[];
  readonly #filters: readonly SetFilter[];
  readonly #bound: number;
  readonly #first: (set: CountySet, row: number) => Promise<boolean>;
  #firstWanted = true;

  /** @param first told the first rows that pass, in stored order, until it returns false. */
  constructor(filters: readonly SetFilter[], bound: number, first: (set: CountySet, row: number) => Promise<boolean>) {
    this.#filters = filters;
    this.#bound = bound;
    this.#first = first;
    this.alone = filters.map(() => 0);
    this.without = filters.map(() => 0);
  }

  /** @throws Interrupted when nobody waits any more. */
  async walk(ground: SetGround | null): Promise<void> {
    const counties = countiesOf(ground?.layers.release ?? null);
    const filters = this.#filters;
    this.unread = lacksState(filters, counties);
    for (const [i, filter] of filters.entries()) {
      if (lacksState([filter], counties)) this.alone[i] = null;
      const others = filters.filter(one => one !== filter);
      if (lacksState(others, counties)) this.without[i] = null;
    }
    if (!ground) return;
    const verdicts = counties.map(county => this.#verdictsOf(county));
    // What is asked first of all must not wait for counties that matter to single filters alone.
    const order = [...verdicts.filter(({ none }) => !none.length), ...verdicts.filter(({ none }) => none.length)];
    for (const [i, verdict] of order.entries()) {
      try {
        await this.#county(verdict, ground);
      } catch (error) {
        if (error instanceof TimeUp) {
          for (const rest of order.slice(i)) this.#spoil(rest);
          return;
        }
        if (!(error instanceof Fault || error instanceof DamagedFile)) throw error;
        this.#spoil(verdict);
      }
    }
  }

  #verdictsOf(county: County): KeyVerdicts {
    const none: number[] = [];
    const left = new Map<number, SetFilter>();
    for (const [i, filter] of this.#filters.entries()) {
      const verdict = verdictOfKey(filter, county);
      if (verdict === 'none') none.push(i);
      else if (verdict !== 'all') left.set(i, verdict);
    }
    return { county, none, left };
  }

  /** Counters that a county still adds to. */
  #open({ none }: KeyVerdicts) {
    const isOpen = (counter: Counted | undefined) => counter !== null && counter !== undefined && counter < this.#bound;
    const places = [...this.#filters.keys()];
    const without = none.length > 1 ? [] : none.length === 1 ? none : places;
    return {
      all: none.length === 0 && !this.more,
      alone: places.filter(i => !none.includes(i) && isOpen(this.alone[i])),
      without: without.filter(i => isOpen(this.without[i])),
    };
  }

  /** A county could not be read: what it would have added to is not known. */
  #spoil(verdict: KeyVerdicts): void {
    const open = this.#open(verdict);
    if (open.all) this.unread = true;
    for (const i of open.alone) this.alone[i] = null;
    for (const i of open.without) this.without[i] = null;
  }

  #add(counters: Counted[], i: number, parcels: number): void {
    counters[i] = Math.min(this.#bound, counters[i]! + parcels);
  }

  async #county(verdict: KeyVerdicts, ground: SetGround): Promise<void> {
    const open = this.#open(verdict);
    const { county, left } = verdict;
    const combined = open.all || open.without.length > 0;
    const wanted = combined ? left : new Map([...left].filter(([i]) => open.alone.includes(i)));
    if (!combined && open.alone.length === 0) return;
    ground.check();
    let rows: RowVerdict | null = null;
    if (combined || wanted.size) {
      const set = await CountySet.open(county, ground);
      rows = await verdictOfRows(set, wanted);
      if (open.all) await this.#matches(set, rows);
      const all = open.without.length ? rows.all.size : 0;
      for (const i of open.without) this.#add(this.without, i, all + (verdict.none.length ? 0 : rows.missing(i).size));
    }
    for (const i of open.alone) this.#add(this.alone, i, rows?.alone(i) ?? county.partition.rows);
  }

  /** Counts the rows of a county that pass every filter. */
  async #matches(set: CountySet, { all, unknown }: RowVerdict): Promise<void> {
    const { first, stacked } = await set.outlines();
    const rows = all.rows();
    const room = this.#bound - this.count;
    const counted = rows.subarray(0, room);
    for (let i = 0; i < counted.length && this.#firstWanted; i++)
      this.#firstWanted = await this.#first(set, counted[i]!);
    const outlines = new RowBits(stacked ? set.count : 0);
    if (stacked) for (const row of counted) outlines.add(first[row]!);
    this.more = rows.length > room;
    this.count += counted.length;
    this.outlines += stacked ? outlines.size : counted.length;
    // The walk ends before the first that is too many.
    this.unknown += unknown?.rows().filter(row => row < (rows[room] ?? set.count)).length ?? 0;
  }
}
