import type { Geometry } from '../../datasets/geometry.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import { Fault } from '../release/fault.ts';
import { Layers } from '../release/layers.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Notice } from '../search/page/notices.ts';
import { findPage, type Matches, type PageEnd } from '../search/page/page-search.ts';
import { PageWriter } from '../search/page/page-writer.ts';
import { RowTexts } from '../search/page/row-texts.ts';
import { judgeAreas } from '../search/request/area.ts';
import { type Filter, filtersOf } from '../search/request/filter.ts';
import type { Issue } from '../search/request/issue.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { noticesOf } from './search-task.ts';

/** A judged question for how many parcels pass filters, plain data. */
export interface CountRequest extends Pick<SearchRequest, 'outputs' | 'countyByFips' | 'budget'> {
  /** In the order of the request. */
  readonly filters: readonly Filter[];
  /** Up to which is counted. */
  readonly bound: number;
}

/** How many parcels one filter lets through, and how many all others do; null where there was no time to tell. */
interface FilterCount {
  readonly alone: number | null;
  readonly without: number | null;
}

/** What was counted. */
export interface ParcelCount {
  readonly count: number;
  /** Outlines of those that were counted, each once. */
  readonly outlines: number;
  /** Whether there may be more. */
  readonly atLeast: boolean;
  /** Whether that is because something could not be read. */
  readonly unread: boolean;
  /** Parcels for which a filter's calculation failed. */
  readonly unknown: number;
  /** Of each filter, in their order. */
  readonly perFilter: readonly FilterCount[];
  /** JSON array of the first matches. */
  readonly preview: string;
  readonly notices: readonly Notice[];
}

/** A count, what is wrong with its areas, or why nothing was counted. */
export type CountAnswer = ParcelCount | { readonly issues: readonly Issue[] } | { readonly uncounted: string };

/** Matches that come with a count. */
const PREVIEW = 10;
const UTF8 = new TextDecoder();

/** Counts what passes. */
class Tally implements Matches {
  count = 0;
  unknown = 0;

  add(_parcels: FeatureFile, _ord: number): void {
    this.count++;
  }

  miss(): void {
    this.unknown++;
  }
}

const isSame = (a: Geometry, b: Geometry): boolean =>
  a.xy.length === b.xy.length && a.ends.length === b.ends.length && a.xy.every((value, i) => value === b.xy[i]);

/** Counts what passes, and the ground on which it lies: rows of apartments of one lot have its outline. */
class GroundTally extends Tally {
  outlines = 0;
  /** Rows by their box: most outlines have one of their own, and only those of others are read. */
  readonly #byBox = new Map<string, number[]>();
  #parcels: FeatureFile | null = null;

  override add(parcels: FeatureFile, ord: number): void {
    super.add(parcels, ord);
    if (parcels !== this.#parcels) this.#byBox.clear();
    this.#parcels = parcels;
    const box = parcels.box(ord).join();
    const rows = this.#byBox.get(box);
    if (rows?.some(row => isSame(parcels.geometry(row), parcels.geometry(ord)))) return;
    this.outlines++;
    if (rows) rows.push(ord);
    else this.#byBox.set(box, [ord]);
  }
}

/**
 * Counts the parcels that pass every filter, to a bound, by the walk that makes pages of a search; and those that pass each filter
 * alone, and all but one.
 * @throws Interrupted when `stopped` says so.
 */
export async function countParcels(request: CountRequest, environment: SearchEnvironment): Promise<CountAnswer> {
  const { filters, outputs, countyByFips, bound, budget } = request;
  const { cache, release } = environment;
  const layers = release ? new Layers(release, cache) : null;
  const all = filtersOf(filters);
  const { issues, prepared } = await judgeAreas(all.areas, budget.maxSquareKm);
  if (issues.length) return { issues };
  const walk = (some: readonly Filter[], matches: Matches, limit = bound, names: readonly string[] = []) => {
    const own = filtersOf(some);
    return findPage({
      request: { filters: own, outputs: names, countyByFips, limit, after: null, budget },
      environment,
      layers,
      areas: own.areas.map(area => prepared[all.areas.indexOf(area)]!),
      matches,
      columnsRead: null,
    });
  };
  const counted = async (some: readonly Filter[]): Promise<number | null> => {
    const tally = new Tally();
    return isUnread(await walk(some, tally)) ? null : tally.count;
  };
  cache.enter();
  const first = new PageWriter(outputs, countyByFips, false, environment.texts ?? RowTexts.of(cache));
  try {
    const tally = new GroundTally();
    const end = await walk(filters, tally);
    await walk(filters, first, PREVIEW, outputs);
    const { memory, start, end: last } = first.text();
    const search = { filters: all, outputs, countyByFips, limit: bound, after: null, budget };
    const notices = layers ? await noticesOf(search, end, environment, layers, prepared, tally.count, null) : [];
    const perFilter: FilterCount[] = [];
    for (const filter of filters) {
      const others = filters.filter(one => one !== filter);
      perFilter.push({ alone: await counted([filter]), without: await counted(others) });
    }
    return {
      count: tally.count,
      outlines: tally.outlines,
      atLeast: end.next !== null || isUnread(end),
      unread: isUnread(end),
      unknown: tally.unknown,
      perFilter,
      preview: UTF8.decode(memory.subarray(start, last)),
      notices: notices ?? [],
    };
  } catch (error) {
    if (error instanceof Fault || error instanceof DamagedFile) return { uncounted: error.message };
    throw error;
  } finally {
    first.release();
    cache.leave();
  }
}

const isUnread = ({ reason }: PageEnd): boolean => reason === 'timeout' || reason === 'source_unavailable';
