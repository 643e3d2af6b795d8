/** How a publisher hands its files over; each has a reader of its own in ingest/acquire/. */
export const PROTOCOLS = ['http', 'ftp', 'arcgis', 'socrata', 'ckan'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** How the newest vintage of a file is found. */
export type VintageSearch =
  /**
   * `{year}` (`{year-1}`, `{yy}`, `{yy-1}`) or `{month}` and `{year}` in the address are tried from today back, so many times.
   * `probe` is the address that is tried where the file's own is there in any case, because it is that of an earlier year.
   */
  | { readonly newest: 'year' | 'month'; readonly back: number; readonly probe?: string }
  /**
   * A page, listing or API answer that names the files: of all matches of `link` the one whose first group is the greatest is
   * taken. `{link}` in the address is that match, `{vintage}` its group. `base` is what a match is relative to, by default
   * the page.
   */
  | { readonly index: string; readonly link: string; readonly base?: string };

/**
 * A file as its publisher publishes it. Addresses may hold `{st}`, `{ST}` (postal code), `{fips}` (two digits of the state),
 * `{county}` (five digits), what the search for a vintage gives, and names that a place file fills in under `with`.
 */
export interface PublishedFile {
  /** Layers that it fills; by default all of the dataset. */
  readonly layers?: readonly string[];
  /** By default `http`, which https is too. */
  readonly via?: Protocol;
  readonly url: string;
  /** Of feature services: condition of the rows that are taken, in their SQL. */
  readonly where?: string;
  /** Of CKAN: pattern of the resource's name or address. */
  readonly resource?: string;
  /** Without it the address is that of the newest, and its vintage the day that the publisher changed it. */
  readonly vintage?: VintageSearch;
  /**
   * Where the pattern was looked up in November 2026, no publisher having been within reach: `publication`, the publisher's
   * own documents as the dataset cites them; `public code`, several public programs that download from it; `unconfirmed`,
   * made from the publisher's other addresses.
   */
  readonly seen: 'publication' | 'public code' | 'unconfirmed';
}

/** How a dataset is acquired: its files, and why what they leave out is put there by hand. */
export interface Acquire {
  readonly files?: readonly PublishedFile[];
  readonly byHand?: string;
}

const STATE_COUNTY: readonly [RegExp, string][] = [
  [/\{(county)\}/, 'county'],
  [/\{(st|ST|fips)\}/, 'state'],
];

/** Of what area one such file is. */
export function areaOf({ url, where = '', vintage }: PublishedFile): 'nation' | 'state' | 'county' | 'piece' {
  const text = `${url} ${where} ${vintage && 'index' in vintage ? `${vintage.index} ${vintage.link}` : ''}`;
  for (const [pattern, area] of STATE_COUNTY) if (pattern.test(text)) return area as 'state' | 'county';
  return /\{(huc4|tile|standard)\}/.test(text) ? 'piece' : 'nation';
}
