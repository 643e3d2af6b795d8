import { pageText, textOf, type WrittenPage, type WrittenResult } from '../search/page/written-page.ts';
import type { SearchRequest } from '../search/request/request.ts';

/** The start of a page, which one thread has written and another goes on with. */
export interface PartialPage {
  /** As far as it came; `next` says where to go on. */
  readonly start: WrittenPage;
  /** Matches that it has. */
  readonly matches: number;
  /** Values that could not be computed. */
  readonly failures: number;
}

/** What is left of a search: it may be no more than whether there is another match. */
export const restOf = (request: SearchRequest, { start, matches }: PartialPage): SearchRequest => ({
  ...request,
  after: start.next,
  limit: request.limit - matches,
});

/** The whole page: its start and what the rest of the search found. */
export function joined({ start, matches, failures }: PartialPage, rest: WrittenResult): WrittenResult {
  if ('issues' in rest) return rest;
  const [first, last] = [textOf(start.matches), textOf(rest.matches)];
  const both = matches > 0 && last.length > '[]'.length;
  const text = pageText([first.subarray(0, -1), new TextEncoder().encode(both ? ',' : ''), last.subarray(1)]);
  // As in a page of one piece: values that are missing make it partial, unless it is so for more.
  const status = failures > 0 && rest.status !== 'partial' ? 'partial' : rest.status;
  const reason = status === rest.status ? rest.reason : 'field_data_unavailable';
  return { ...rest, matches: text, status, reason };
}
