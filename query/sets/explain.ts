import { DamagedFile } from '../format/damaged-file.ts';
import { polygonDistance } from '../geometry/polygon-distance.ts';
import { Fault } from '../release/fault.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Notice } from '../search/page/notices.ts';
import { countiesOf } from '../search/predicate/counties.ts';
import type { Test } from '../search/request/filter.ts';
import type { Issue } from '../search/request/issue.ts';
import { numbersOf, TextNumbers, valueOfNumber } from './column-values.ts';
import { CountySet } from './county-set.ts';
import { onGround, type SetGround, type SetRequest, TimeUp } from './ground/set-ground.ts';
import { NumberList } from './number-list.ts';
import { findParcel, isSelected, type PlacedParcel } from './parcel-by-id.ts';
import { verdictOfRows } from './row-verdict.ts';
import { isArea, isValueTest, type SetFilter, verdictOfKey } from './set-filter.ts';
import { noticesOfSet } from './set-notices.ts';
import { MOST_VALUES, SetTooLarge } from './set-size.ts';
import { lacksState } from './tally.ts';

/** A judged question for why a parcel passes filters or not, or why none does; plain data. */
export interface ExplainRequest extends SetRequest {
  readonly parcelId: string | null;
}

/** What one filter says of a parcel. */
interface FilterVerdict {
  /** Of the filter's column; of an area the metres between it and the parcel. */
  readonly value: string | number | boolean | null;
  readonly status: 'ok' | 'absent' | 'failed';
  /** Null where the calculation failed that would tell. */
  readonly passes: boolean | null;
  /**
   * By how much it passes, below 0 by how much it does not: in the unit of the column, days of dates, metres of areas; null where
   * that is no number.
   */
  readonly margin: number | null;
}

/** How far one filter must give way, so that parcels pass. */
interface Relaxation {
  readonly index: number;
  /** The bound, included, or both of `between`; null: the filter must be left out. */
  readonly value: number | string | readonly (number | string)[] | null;
  /** Parcels that pass then. */
  readonly matches: number;
}

export type Explanation =
  | { readonly verdicts: readonly FilterVerdict[] }
  | { readonly missing: true }
  | {
      readonly count: number;
      readonly relax: readonly Relaxation[];
      readonly unread: boolean;
      readonly late: boolean;
      readonly notices: readonly Notice[];
    }
  | { readonly issues: readonly Issue[] };

/** Matches up to which a filter gives way. */
const WANTED = 10;
/** Metres beyond which the distance to an area is not told. */
const FARTHEST_M = 1_000_000;
const DAY_MS = 86_400_000;

const isOrdered = (filter: SetFilter): filter is Test =>
  !isArea(filter) && !isValueTest(filter) && ['number', 'integer', 'date', 'timestamp'].includes(filter.kind);

/** By how much a number passes a test; below 0 by how much it does not. */
function marginOf({ op, operands }: Test, value: number): number {
  const all = operands.map(Number);
  const first = all[0]!;
  const nearest = Math.min(...all.map(operand => Math.abs(value - operand)));
  switch (op) {
    case 'lt':
    case 'lte':
      return first - value;
    case 'gt':
    case 'gte':
      return value - first;
    case 'between':
      return Math.min(value - first, all[1]! - value);
    case 'ne':
      return nearest;
    default:
      return 0 - nearest;
  }
}

const inUnit = ({ kind }: Test, amount: number) => (kind === 'date' || kind === 'timestamp' ? amount / DAY_MS : amount);

/** What each filter says of a parcel. @throws Fault or DamagedFile when a column cannot be read. */
async function verdictOf(filter: SetFilter, { set, row }: PlacedParcel, ground: SetGround): Promise<FilterVerdict> {
  const left = verdictOfKey(filter, set.county);
  const states = typeof left === 'string' ? null : await set.states(left);
  const passes = states?.unknown?.has(row) ? null : (states?.passes.has(row) ?? left === 'all');
  if (isArea(filter)) {
    const { geometry } = set.parcels.feature(row);
    const metres = polygonDistance(filter.geometry, geometry, FARTHEST_M);
    const value = metres > FARTHEST_M ? null : metres;
    return { value, status: 'ok', passes, margin: metres > 0 && value !== null ? -metres : null };
  }
  // What is shown is the text as it is stored.
  const kind = filter.kind === 'city' || filter.kind === 'county' ? 'string' : filter.kind;
  const column = await set.columnOrNone({ name: filter.name, kind });
  ground.check();
  const texts = new TextNumbers();
  const number = numbersOf(column, texts)[row]!;
  if (column.failed?.[row] === 1) return { value: null, status: 'failed', passes, margin: null };
  if (Number.isNaN(number)) return { value: null, status: 'absent', passes, margin: null };
  const value = kind === 'boolean' ? number === 1 : (texts.texts[number] ?? valueOfNumber(kind, number));
  const margin = isOrdered(filter) ? inUnit(filter, marginOf(filter, number)) : null;
  return { value, status: 'ok', passes, margin };
}

/** What would pass, if one filter gave way. */
class Candidates {
  readonly #filter: SetFilter;
  readonly #values = new NumberList();
  #count = 0;

  constructor(filter: SetFilter) {
    this.#filter = filter;
  }

  /** Adds parcels that pass all others. @returns how many numbers it has grown by. @throws Fault when a column cannot be read. */
  async add(set: CountySet, rows: Uint32Array): Promise<number> {
    if (!isOrdered(this.#filter)) {
      this.#count += rows.length;
      return 0;
    }
    const numbers = numbersOf(await set.columnOrNone(this.#filter), new TextNumbers());
    this.#values.reserve(rows.length);
    for (const row of rows) if (!Number.isNaN(numbers[row]!)) this.#values.push(numbers[row]!);
    return rows.length;
  }

  /** Adds parcels of a county that the filter rules out whole. */
  addWhole(count: number): void {
    this.#count += count;
  }

  /** Null where nothing passes however far it gives way. */
  relaxation(index: number): (Relaxation & { readonly share: number }) | null {
    const filter = this.#filter;
    const values = this.#values.all;
    if (!isOrdered(filter) || values.length === 0)
      return this.#count ? { index, value: null, matches: this.#count, share: Number.POSITIVE_INFINITY } : null;
    const order = [...values].sort((a, b) => marginOf(filter, b) - marginOf(filter, a));
    const reach = marginOf(filter, order[Math.min(WANTED, order.length) - 1]!);
    const taken = order.filter(value => marginOf(filter, value) >= reach);
    const told = (value: number) => valueOfNumber(filter.kind, value);
    const scale = Math.max(...filter.operands.map(operand => Math.abs(Number(operand)))) || 1;
    const said = { index, matches: taken.length, share: -reach / scale };
    if (filter.op === 'between') {
      const [low, high] = filter.operands.map(Number) as [number, number];
      return { ...said, value: [told(Math.min(low, ...taken)), told(Math.max(high, ...taken))] };
    }
    if (['eq', 'in', 'ne'].includes(filter.op)) return { ...said, value: [...new Set(taken.map(told))] };
    return { ...said, value: told(filter.op.startsWith('g') ? Math.min(...taken) : Math.max(...taken)) };
  }
}

/** Counts what passes; and by filter what all others let through. */
class Relaxing {
  count = 0;
  unread = false;
  late = false;
  readonly #filters: readonly SetFilter[];
  readonly #candidates: readonly Candidates[];
  #values = 0;

  constructor(filters: readonly SetFilter[]) {
    this.#filters = filters;
    this.#candidates = filters.map(filter => new Candidates(filter));
  }

  /** @throws Interrupted when nobody waits any more; SetTooLarge. */
  async walk(ground: SetGround | null): Promise<void> {
    const counties = countiesOf(ground?.layers.release ?? null);
    this.unread = lacksState(this.#filters, counties);
    if (!ground) return;
    try {
      for (const county of counties) {
        try {
          ground.check();
          await this.#county(county, ground);
        } catch (error) {
          if (!(error instanceof Fault || error instanceof DamagedFile)) throw error;
          this.unread = true;
        }
      }
    } catch (error) {
      if (!(error instanceof TimeUp)) throw error;
      this.unread = this.late = true;
    }
  }

  async #county(county: CountySet['county'], ground: SetGround): Promise<void> {
    const none: number[] = [];
    const left = new Map<number, SetFilter>();
    for (const [i, filter] of this.#filters.entries()) {
      const verdict = verdictOfKey(filter, county);
      if (verdict === 'none') none.push(i);
      else if (verdict !== 'all') left.set(i, verdict);
    }
    const [only] = none;
    const filter = only === undefined ? null : this.#filters[only]!;
    // Without a state nothing is searched.
    if (none.length > 1 || (filter && !isArea(filter) && filter.kind === 'state')) return;
    const set = await CountySet.open(county, ground);
    const verdict = await verdictOfRows(set, left);
    const all = verdict.all.size;
    if (only === undefined) this.count += all;
    else this.#candidates[only]!.addWhole(all);
    // What passes needs nothing to give way.
    if (this.count > 0 || only !== undefined) return;
    for (const index of left.keys())
      this.#values += await this.#candidates[index]!.add(set, verdict.missing(index).rows());
    if (this.#values > MOST_VALUES) throw new SetTooLarge();
  }

  /** The filters of which one must give way, the one first that must least. */
  get relaxations(): readonly Relaxation[] {
    if (this.count > 0) return [];
    return this.#candidates
      .flatMap((candidates, i) => candidates.relaxation(i) ?? [])
      .sort((a, b) => (a.share === b.share ? a.index - b.index : a.share - b.share))
      .map(({ index, value, matches }) => ({ index, value, matches }));
  }
}

/**
 * Says of one parcel what each filter makes of it; or of a search without matches which one filter must give way, and how far, for ten
 * matches, or all where there are fewer.
 * @throws Interrupted when nobody waits any more; Fault or DamagedFile when the parcel cannot be read.
 */
export async function explainFilters(request: ExplainRequest, environment: SearchEnvironment): Promise<Explanation> {
  const { filters, parcelId } = request;
  try {
    return await onGround<Explanation>(request, environment, async ground => {
      if (parcelId === null) {
        const relaxing = new Relaxing(filters);
        await relaxing.walk(ground);
        const { count, relaxations: relax, unread, late } = relaxing;
        const notices = ground ? await noticesOfSet(filters, count === 0, ground) : [];
        return { count, relax, unread, late, notices };
      }
      const found = ground && (await findParcel(parcelId, ground, isSelected(filters)));
      if (!found) return { missing: true };
      const verdicts: FilterVerdict[] = [];
      for (const filter of filters) verdicts.push(await verdictOf(filter, found, ground));
      return { verdicts };
    });
  } catch (error) {
    if (error instanceof SetTooLarge) return { issues: [error.issue] };
    throw error;
  }
}
