import type { SearchMatch } from '../../query/search/request.ts';
import type { SearchResponse } from './operation.ts';

/**
 * The response as JSON text. Enrichments are text already: parsing them only to write them again would take longer than
 * finding the page.
 */
export function pageText({ matches, ...rest }: SearchResponse): string {
  return `{"matches":[${matches.map(matchText).join(',')}],${JSON.stringify(rest).slice(1)}`;
}

function matchText({ enrichment, ...match }: SearchMatch): string {
  const text = JSON.stringify(match);
  if (!enrichment) return text;
  const { fetchedAt, analysisPoint, fields, failures } = enrichment;
  const head = JSON.stringify({ fetched_at: fetchedAt, analysis_point: analysisPoint });
  const tail = JSON.stringify({ partial_failures: failures });
  return `${text.slice(0, -1)},"enrichment":${head.slice(0, -1)},"fields":${fields},${tail.slice(1)}}`;
}
