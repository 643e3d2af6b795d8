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
  const parts = result.matches.flatMap((match, i) => [...(i === 0 ? [] : [UTF8.encode(',')]), ...matchText(match)]);
  return { ...result, matches: joined([UTF8.encode('['), ...parts, UTF8.encode(']')]) };
}

/** Parts one after another in memory of their own, which can change hands. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  // Every byte is written: clearing them first would take as long.
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** One match as JSON text, in parts. */
function matchText(match: SearchMatch): Uint8Array[] {
  if (!match.enrichment) return [UTF8.encode(JSON.stringify(match))];
  const { enrichment, ...rest } = match;
  const { fetchedAt, analysisPoint, fields, failures } = enrichment;
  const head = JSON.stringify({ fetched_at: fetchedAt, analysis_point: analysisPoint });
  const tail = JSON.stringify({ partial_failures: failures });
  return [
    UTF8.encode(`${JSON.stringify(rest).slice(0, -1)},"enrichment":${head.slice(0, -1)},"fields":`),
    fields,
    UTF8.encode(`,${tail.slice(1)}}`),
  ];
}
