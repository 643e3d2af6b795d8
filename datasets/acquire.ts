import type { FormatOptions, Join, PublishedAt, WrittenLayer } from './place/place.ts';
import type { Protocol } from './protocol.ts';

/** How the newest vintage of a file is found. */
export type VintageSearch =
  /**
   * Addresses with `{year}` (`{year-1}`, `{yy}`, `{yy-1}`), or with `{month}` and `{year}`, are tried from today back,
   * `back` times. `probe` is tried instead when the file's own address also exists for earlier years; `archive` is the
   * address to which older files move.
   */
  | { readonly newest: 'year' | 'month'; readonly back: number; readonly probe?: string; readonly archive?: string }
  /**
   * A page, listing or API answer that names the files. Of all matches of `link`, the one with the greatest first group
   * is taken. `{link}` in the address is that match, `{vintage}` its group. Matches are relative to `base`, by default
   * the page.
   */
  | { readonly index: string; readonly link: string; readonly base?: string };

/** A published file that is joined to another one; its ending is that of the other where none is told. */
interface PublishedJoin extends Omit<Join, 'file'> {
  readonly at: PublishedAt;
  readonly ending?: string;
}

/** Form in which a file is published, in the words of a place file; `{ST}` stands for the state's postal code, `{layer}` for the layer. */
export interface PublishedForm {
  /** Ending by which a reader knows it: `.shp.zip`. */
  readonly ending: string;
  readonly options?: FormatOptions;
  /** The columns as this file has them; with them the mapping of no other file counts. */
  readonly columns?: WrittenLayer['columns'];
  readonly where?: string;
  readonly join?: readonly PublishedJoin[];
  /** Values of the placeholders in the address that name a part of the dataset. */
  readonly with?: Readonly<Record<string, string>>;
}

/**
 * A file as its publisher offers it. Addresses may contain `{st}`, `{ST}` (postal code), `{fips}` (two digits of the
 * state), `{stateName}` (`North_Carolina`), `{stateSlug}` (`north-carolina`), `{county}` (five digits), `{countyCode}` (its
 * last three), `{countyNumber}` (these without zeros), `{west}`, `{south}`, `{east}`, `{north}` (of the ground, in degrees),
 * results of the search for a vintage, and names that a place file defines under `with`.
 */
export interface PublishedFile {
  /** Layers that the file fills; by default all of the dataset. */
  readonly layers?: readonly string[];
  /** By default `http`, which includes https. */
  readonly via?: Protocol;
  readonly url: string;
  /** Where the same file is if it is not at its address: publishers spell some addresses in two ways. */
  readonly elsewhere?: string;
  /** For feature services: an SQL condition for the rows to take. */
  readonly where?: string;
  /**
   * Takes only what meets the ground of the place: the box of its county, widened by this many kilometres. That is as far
   * as the fields of the layer need to see, and never a whole national layer.
   */
  readonly ground?: number;
  /** For CKAN: a pattern for the resource's name or address. For GeoParquet of a bucket: the columns, separated by commas. */
  readonly resource?: string;
  /** Without it the address always names the newest file, and the vintage is the day of the publisher's last change. */
  readonly vintage?: VintageSearch;
  /**
   * Where the pattern was looked up in November 2026, no publisher having been within reach: `publication`, the
   * publisher's own documents as the dataset cites them; `public code`, several public programs that download from it;
   * `unconfirmed`, made from the publisher's other addresses.
   */
  readonly seen: 'publication' | 'public code' | 'unconfirmed';
  /** Month in which somebody's program or note last used the address, where one says so. */
  readonly seenOn?: string;
  /** Facts that a place file needs to read the file. */
  readonly note?: string;
  /** How what comes is read, where its address does not tell. */
  readonly form?: PublishedForm;
}

/** How a dataset is acquired: its files, and why the others must be placed by hand. */
export interface Acquire {
  readonly files?: readonly PublishedFile[];
  readonly byHand?: string;
}

const STATE_COUNTY: readonly [RegExp, 'county' | 'state'][] = [
  [/\{(county(?:Code|Number)?)\}/, 'county'],
  [/\{(st|ST|fips|stateName|stateSlug)\}/, 'state'],
];
/** Placeholders that the search for a vintage fills in. */
export const OF_VINTAGE = /^(year|year-1|yy|yy-1|month|vintage|link)$/;

/** The kind of area that one such file covers. */
export function areaOf({ url, where = '', ground, vintage }: PublishedFile): 'nation' | 'state' | 'county' | 'piece' {
  if (ground !== undefined) return 'county';
  const text = `${url} ${where} ${vintage && 'index' in vintage ? `${vintage.index} ${vintage.link}` : ''}`;
  for (const [pattern, area] of STATE_COUNTY) if (pattern.test(text)) return area;
  return [...text.matchAll(/\{([a-zA-Z][\w-]*)\}/g)].some(([, name]) => !OF_VINTAGE.test(name!)) ? 'piece' : 'nation';
}
