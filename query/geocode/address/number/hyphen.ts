/** Where an address lies, as far as it is told; what is not told is null. */
export interface Whereabouts {
  /** Two letters. */
  readonly state: string | null;
  /** Five digits. */
  readonly county: string | null;
  /** Five digits. */
  readonly zip: string | null;
  /** In capitals. */
  readonly city: string | null;
}

/** The two parts of a number with a hyphen, as written: `37` and `06`. */
export interface Hyphen {
  readonly first: string;
  readonly second: string;
}

const QUEENS_COUNTY = '36081';
/** ZIP codes of the post offices Long Island City, Queens, Flushing, Jamaica and Far Rockaway. */
const QUEENS_ZIP = /^(?:11[1346]\d\d|1100[45])$/;
const QUEENS_CITIES: ReadonlySet<string> = new Set(
  'QUEENS|FLUSHING|JAMAICA|FAR ROCKAWAY|LONG ISLAND CITY|ASTORIA|JACKSON HEIGHTS|ELMHURST|CORONA|FOREST HILLS|REGO PARK|BAYSIDE|WHITESTONE|RIDGEWOOD|MASPETH|WOODSIDE|SUNNYSIDE|OZONE PARK|RICHMOND HILL|KEW GARDENS|QUEENS VILLAGE|HOLLIS|FRESH MEADOWS'.split(
    '|',
  ),
);

/** Whether an address lies in Queens, as far as its county, ZIP code or city tells. */
function inQueens({ state, county, zip, city }: Whereabouts): boolean {
  if (state !== null && state !== 'NY') return false;
  if (county !== null) return county === QUEENS_COUNTY;
  if (zip !== null) return QUEENS_ZIP.test(zip);
  return state === 'NY' && city !== null && QUEENS_CITIES.has(city);
}

/** A hyphened number is a range only when its ends are this near: rolls have 1901-2001. */
const RANGE_SPAN = 100;

/**
 * Whether the parts are the ends of a range of house numbers: the second is the greater by at most 100, it has as many
 * digits or one more, and both are even or both odd. Numbers of three digits and more may differ in that (4830-4883);
 * 8-13 is rather a house and its unit. A zero in front of the second is that of one number (37-06), unless both have it or it
 * fills four digits, as rolls pad them (0012-0020, and 715-0729 where only the first was stripped).
 */
export function isRange({ first, second }: Hyphen): boolean {
  const [low, high] = [Number(first), Number(second)];
  if (high <= low || high - low > RANGE_SPAN) return false;
  const padded = second.length >= 4 || (first.startsWith('0') && first.length === second.length);
  if (second.startsWith('0') && !padded) return false;
  if (String(high).length - String(low).length > 1) return false;
  return (high - low) % 2 === 0 || low >= 100;
}

/**
 * Whether the parts are one house number: in Queens two digits follow (37-12), in Hawaii one or two digits of the district
 * go before (91-1001).
 */
export function isOneNumber(hyphen: Hyphen, where: Whereabouts): boolean {
  const { first, second } = hyphen;
  if (first.length > 3 || second.length < 2 || second.length > 4) return false;
  if (where.state === 'HI') return first.length <= 2;
  return inQueens(where) && (second.length === 2 || !isRange(hyphen));
}

/** Whether numbers are written with hyphens or without them for one and the same house: 37-12 and 3712. */
export const dropsHyphens = (where: Whereabouts): boolean => where.state === 'HI' || inQueens(where);
