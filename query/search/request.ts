import type { Value } from '../../datasets/dataset.ts';
import type { Enrichment } from './enrichment.ts';
import type { Filters } from './filter.ts';
import type { Issue } from './issue.ts';
import type { Position } from './position.ts';

/** Ceilings of one page; null is no ceiling. */
export interface SearchBudget {
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
  /** False reads every candidate by the scan alone: tests compare both. */
  readonly index?: boolean;
}

/** One parcel of a page. */
export interface SearchMatch {
  readonly apn: Value;
  readonly address: Value;
  readonly state: string;
  readonly county: Value;
  readonly city: Value;
  readonly acreage: Value;
  readonly source: string;
  readonly analysis_point: { readonly lat: number; readonly lng: number; readonly method: string };
  readonly fields: Readonly<Record<string, unknown>>;
  readonly field_status: Readonly<Record<string, 'ok' | 'absent' | 'failed'>>;
  /** Only where the search asked for it. */
  readonly enrichment?: Enrichment;
}

export type CompletionReason =
  | 'exhausted'
  | 'limit_reached'
  | 'work_limit'
  | 'timeout'
  | 'field_data_unavailable'
  | 'source_unavailable';

/** One page of a search. */
export interface SearchPage {
  readonly matches: readonly SearchMatch[];
  readonly status: 'complete' | 'limited' | 'partial';
  readonly reason: CompletionReason;
  readonly next: Position | null;
}

/** A page, or what GEOS and the size limit found wrong with its areas before anything was read. */
export type SearchResult = SearchPage | { readonly issues: readonly Issue[] };
