/**
 * Whether `If-None-Match` names an entity tag: weak comparison over a list, or `*` (RFC 9110, 13.1.2).
 * @param header as received; undefined when there is none.
 * @param etag the current strong tag, with its quotes.
 */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  // Tags may hold commas, so the list is read tag by tag and not split.
  for (const [, tag] of header.matchAll(/(?:W\/)?("[^"]*")/g)) if (tag === etag) return true;
  return false;
}
