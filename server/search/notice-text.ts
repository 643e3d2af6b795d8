import type { Notice } from '../../query/search/page/notices.ts';

/** Characters of a value that somebody sent, and of the header, at most. */
const MOST_OF_VALUE = 60;
const MOST_OF_HEADER = 1_000;
/** Counties up to which the reason of each is asked for; of more, that of the release. */
const FEW_COUNTIES = 8;

/** A value as people read it: quoted, cut where it is long. */
const quoted = (value: string): string =>
  JSON.stringify(value.length > MOST_OF_VALUE ? `${value.slice(0, MOST_OF_VALUE)}…` : value);

/**
 * What a set of parcels says of the filters that made it, a sentence each: nobody shall take an empty column for a finding.
 * @param lackOf why a release cannot answer a name in a county (null: anywhere); null where it can.
 */
export function noticeTexts(
  notices: readonly Notice[],
  lackOf: (name: string, county: string | null) => string | null,
): string[] {
  return notices.map(notice => {
    if (notice.kind === 'no_county') return 'This release holds no parcels of a county that the filters leave.';
    if (notice.kind === 'not_calculated')
      return `${notice.name} is not calculated yet for some or all parcels searched: whether they pass is not known.`;
    if (notice.kind === 'no_value') {
      const counties = notice.counties.length <= FEW_COUNTIES ? notice.counties : [null];
      const lacks = counties.map(county => lackOf(notice.name, county));
      const why = lacks[0] && lacks.every(lack => lack === lacks[0]) ? ` (${lacks[0]})` : '';
      return `No parcel searched has a value of ${notice.name}${why}: none can pass a filter of it.`;
    }
    const but = notice.but === null ? '' : `; ${quoted(notice.but)} differs by case only`;
    return `No parcel searched has ${notice.name} ${quoted(notice.value)}${but}.`;
  });
}

/** Texts as the value of a header: one line in ASCII, other characters as in JSON (RFC 8259, 7), cut where it is long. */
export function noticeHeader(texts: readonly string[]): string {
  const line = texts
    .join(' ')
    .replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return line.length > MOST_OF_HEADER ? `${line.slice(0, MOST_OF_HEADER - 3)}...` : line;
}
