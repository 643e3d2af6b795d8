import type { SearchMatch, SearchPage, SearchResult } from './request.ts';

/**
 * A page whose matches are JSON text in UTF-8. Bytes change hands between threads without a copy, where a hundred matches
 * with their fields would be taken apart and put together again, and the thread that serves everybody has nothing to
 * write but them.
 */
export interface WrittenPage extends Omit<SearchPage, 'matches'> {
  /** JSON array of matches as the response has them. */
  readonly matches: Uint8Array;
}

const UTF8 = new TextEncoder();

/** The matches of a page that has none. */
export const NO_MATCHES: Uint8Array = UTF8.encode('[]');

export type WrittenResult = WrittenPage | Extract<SearchResult, { issues: unknown }>;

/** Writes the matches of a page. */
export function written(result: SearchResult): WrittenResult {
  if ('issues' in result) return result;
  return { ...result, matches: UTF8.encode(`[${result.matches.map(matchText).join(',')}]`) };
}

function matchText(match: SearchMatch): string {
  if (!match.enrichment) return JSON.stringify(match);
  const { enrichment, ...rest } = match;
  const { fetchedAt, analysisPoint, fields, failures } = enrichment;
  const head = JSON.stringify({ fetched_at: fetchedAt, analysis_point: analysisPoint });
  const tail = JSON.stringify({ partial_failures: failures });
  return `${JSON.stringify(rest).slice(0, -1)},"enrichment":${head.slice(0, -1)},"fields":${fields},${tail.slice(1)}}`;
}
