import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Notice } from '../search/page/notices.ts';
import type { Issue } from '../search/request/issue.ts';
import { onGround, type SetRequest } from '../sets/ground/set-ground.ts';
import { MatchList } from '../sets/match-list.ts';
import { noticesOfSet } from '../sets/set-notices.ts';
import { Tally } from '../sets/tally.ts';

/** A judged question for how many parcels pass filters, plain data. */
export interface CountRequest extends SetRequest {
  /** Up to which is counted. */
  readonly bound: number;
}

/** How many parcels one filter lets through, and how many all others do; null where that could not be told. */
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

/** Why a question about a set was not answered. */
export interface Unanswered {
  readonly uncounted: string;
}

/** A count, what is wrong with its areas, or why nothing was counted. */
export type CountAnswer = ParcelCount | { readonly issues: readonly Issue[] } | Unanswered;

/** Matches that come with a count. */
const PREVIEW = 10;

/**
 * Counts the parcels that pass every filter, to a bound; and those that pass each filter alone, and all but one.
 * @throws Interrupted when `stopped` says so.
 */
export function countParcels(request: CountRequest, environment: SearchEnvironment): Promise<CountAnswer> {
  const { filters, bound } = request;
  return onGround(request, environment, async ground => {
    const preview = new MatchList(request);
    try {
      const tally = new Tally(filters, bound, async (set, row) => {
        await preview.add(set, row);
        return preview.count < PREVIEW;
      });
      await tally.walk(ground);
      const { count, outlines, more, unread, unknown, alone, without } = tally;
      return {
        count,
        outlines,
        atLeast: more || unread,
        unread,
        unknown,
        perFilter: filters.map((_, i) => ({ alone: alone[i]!, without: without[i]! })),
        preview: preview.text(),
        notices: ground && !more ? await noticesOfSet(filters, count === 0, ground) : [],
      };
    } finally {
      preview.release();
    }
  });
}
