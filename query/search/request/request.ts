import type { Filters } from './filter.ts';
import type { Position } from './position.ts';

/** Ceilings of one page; null is no ceiling. */
interface SearchBudget {
  /** Candidates read at once. */
  readonly batch: number;
  readonly maxCandidates: number | null;
  readonly maxEvaluated: number | null;
  readonly maxSquareKm: number;
}

/** A judged search, plain data. */
export interface SearchRequest {
  readonly filters: Filters;
  /** Names that filters use and names asked for, each once, in the order they are answered in; no `geometry` filter. */
  readonly outputs: readonly string[];
  /** Whether `county` is answered by FIPS code. */
  readonly countyByFips: boolean;
  /** Whether each match gains everything that is known of its parcel. */
  readonly enrich?: boolean;
  readonly limit: number;
  /** Goes on after it; null from the start. */
  readonly after: Position | null;
  readonly budget: SearchBudget;
  /** Whether the columns and indexes that it used come with the page, for the thread that asks. */
  readonly handOver?: boolean;
  /** Whether an outline comes with the page. */
  readonly outline?: boolean;
  /** False reads every candidate by the scan alone: tests compare both. */
  readonly index?: boolean;
}

export type CompletionReason =
  | 'exhausted'
  | 'limit_reached'
  | 'work_limit'
  | 'timeout'
  | 'field_data_unavailable'
  | 'source_unavailable';
